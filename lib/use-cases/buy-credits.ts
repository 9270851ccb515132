import { z } from 'zod'
import { findPurchase, type PurchaseRow } from '@/lib/db/purchase-reader'
import { beginPurchase, openPurchase, refusePurchase } from '@/lib/db/purchase-store'
import { RequestId, type AccountId } from '@/lib/domain/ids'
import { invariant } from '@/lib/domain/invariant'
import { PurchaseId, type Payments } from '@/lib/domain/purchase'
import { ok, refuse, type Result } from '@/lib/domain/result'
import type { Deps } from './deps'

// More than anybody has open who means to pay; each asks Stripe for a session of its own.
const OPEN_MAX = 20

const Order = z.strictObject({ requestId: RequestId, pack: z.string().max(40) })

export type BuyRefusal = {
  readonly code:
    | 'invalid-input'
    | 'not-sold'
    | 'no-account'
    | 'account-suspended'
    | 'id-reused'
    | 'too-many-open'
    /** It was paid, or can be paid no more: nothing is left to do with it. */
    | 'over'
    /** Stripe refused to make a session. Nothing was paid. */
    | 'refused'
    /** No answer from Stripe. Asked again, it is the same purchase and the same session. */
    | 'unanswered'
}

const REFUSAL = {
  request_id_reused: 'id-reused',
  no_account: 'no-account',
  account_suspended: 'account-suspended',
  too_many_open: 'too-many-open',
} as const

/**
 * Records the purchase, and only then asks Stripe where it is paid. The same request is the same purchase,
 * whose id is Stripe's idempotency key: one click is at most one session, however often it arrives.
 */
export async function buyCredits(
  deps: Deps,
  accountId: AccountId,
  input: unknown,
): Promise<Result<{ readonly url: string }, BuyRefusal>> {
  const { payments } = deps
  const order = Order.safeParse(input)
  if (!order.success) return refuse({ code: 'invalid-input' })
  const pack = payments?.packs.find(({ id }) => id === order.data.pack)
  if (!payments || !pack) return refuse({ code: 'not-sold' })
  const begun = await beginPurchase(deps.db, {
    id: PurchaseId.parse(deps.newId()),
    accountId,
    requestId: order.data.requestId,
    pack,
    livemode: payments.livemode,
    openMax: OPEN_MAX,
  })
  if (!('purchase_id' in begun)) return refuse({ code: REFUSAL[begun.outcome] })
  const purchase = await findPurchase(deps.db, begun.purchase_id, accountId)
  invariant(purchase, 'a purchase that was recorded is there')
  return await openSession(deps, payments, purchase)
}

async function openSession(
  deps: Deps,
  payments: Payments,
  purchase: PurchaseRow,
): Promise<Result<{ readonly url: string }, BuyRefusal>> {
  const { id, account_id: accountId } = purchase
  if (purchase.state === 'open' && purchase.session_url !== null) {
    return ok({ url: purchase.session_url })
  }
  if (purchase.state !== 'opening' || !purchase.may_open) return refuse({ code: 'over' })
  // What was recorded, and not what the pack is now: a repeat that differs is refused by Stripe.
  const { pack_name: name, amount, currency } = purchase
  const answer = await payments.openSession({
    purchaseId: id,
    accountId,
    pack: { name, amount, currency },
  })
  switch (answer.kind) {
    case 'opened':
      await openPurchase(deps.db, { id, accountId }, { id: answer.sessionId, url: answer.url })
      deps.log.info({ purchaseId: id, accountId }, 'purchase opened')
      return ok({ url: answer.url })
    case 'refused':
      await refusePurchase(deps.db, { id, accountId })
      deps.log.error({ purchaseId: id, because: answer.because }, 'session refused')
      return refuse({ code: 'refused' })
    case 'unknown':
      deps.log.warn({ purchaseId: id, because: answer.because }, 'session unanswered')
      return refuse({ code: 'unanswered' })
  }
}
