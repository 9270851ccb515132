import { LIMIT_MAX } from '@/lib/domain/spending-limit'
import { z } from 'zod'
import {
  findSpending,
  findUseByDay,
  setSpendingLimit as setInDatabase,
} from '@/lib/db/spending-store'
import type { AccountId } from '@/lib/domain/ids'
import { ok, refuse, type Result } from '@/lib/domain/result'
import type { DayUseView, SpendingView } from '@/lib/web/views'
import type { Deps } from './deps'

const CHART_DAYS = 30

/** A whole number of credits as somebody types it, or nothing for no limit. */
const Limit = z
  .string()
  .trim()
  .regex(/^\d{0,7}$/)
  .transform((text) => (text === '' ? undefined : Number(text)))
  .refine((credits) => credits === undefined || credits <= LIMIT_MAX)

export type LimitRefusal = { readonly code: 'invalid-input' | 'no-account' }

export async function readSpending(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
): Promise<SpendingView> {
  const { used, limit } = await findSpending(deps.db, accountId)
  return { used, limit }
}

/** The last 30 UTC days, oldest first. */
export async function readUseByDay(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
): Promise<readonly DayUseView[]> {
  return findUseByDay(deps.db, accountId, CHART_DAYS)
}

/** Sets what a UTC day may use from now on. What is charged or on hold already stays. */
export async function setSpendingLimit(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
  input: unknown,
): Promise<Result<SpendingView, LimitRefusal>> {
  const parsed = Limit.safeParse(input)
  if (!parsed.success) {
    return refuse({ code: 'invalid-input' })
  }
  if ((await setInDatabase(deps.db, accountId, parsed.data)) === 'no_account') {
    return refuse({ code: 'no-account' })
  }
  return ok(await readSpending(deps, accountId))
}
