import { claimLook, claimPurchases } from '@/lib/db/purchase-store'
import type { AccountId } from '@/lib/domain/ids'
import { PurchaseId } from '@/lib/domain/purchase'
import type { Deps } from './deps'
import { recordPayment } from './record-payment'

const PURCHASES_AT_ONCE = 20

type LookDeps = Pick<Deps, 'db' | 'log' | 'payments'>

/** Looks at Stripe for purchases whose event did not come. Not seen changes nothing: it is looked again. */
export async function watchPurchases(deps: LookDeps): Promise<void> {
  if (!deps.payments) return
  const due = await claimPurchases(deps.db, PURCHASES_AT_ONCE)
  const sessions = due.flatMap(({ session_id }) => session_id ?? [])
  await Promise.all(sessions.map((sessionId) => look(deps, sessionId)))
}

/** Looks for one purchase now, as when its buyer comes back. That they come back proves nothing. */
export async function lookAtPurchase(
  deps: LookDeps,
  accountId: AccountId,
  typedId: string | undefined,
): Promise<void> {
  const id = PurchaseId.safeParse(typedId).data
  if (!deps.payments || !id) return
  const sessionId = await claimLook(deps.db, { id, accountId })
  if (sessionId !== undefined) await look(deps, sessionId)
}

async function look(deps: LookDeps, sessionId: string): Promise<void> {
  const news = await deps.payments?.lookAtSession(sessionId)
  if (news) await recordPayment(deps, news)
}
