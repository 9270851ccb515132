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
const LIMIT_MAX = 1_000_000

/** A whole number of credits as somebody types it, or nothing for no limit. */
const Limit = z
  .string()
  .trim()
  .regex(/^\d{0,7}$/)
  .transform((text) => (text === '' ? undefined : Number(text)))
  .refine((credits) => credits === undefined || credits <= LIMIT_MAX)

export type LimitRefusal = {
  readonly code: 'invalid-input' | 'no-account'
  readonly message: string
}

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
    const message = `Write a whole number up to ${LIMIT_MAX.toLocaleString('en')}, or nothing for no limit.`
    return refuse({ code: 'invalid-input', message })
  }
  if ((await setInDatabase(deps.db, accountId, parsed.data)) === 'no_account') {
    return refuse({ code: 'no-account', message: 'Create an account first.' })
  }
  return ok(await readSpending(deps, accountId))
}
