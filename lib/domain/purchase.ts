import { z } from 'zod'
import type { AccountId } from './ids'
import type { Pack } from './pack'

/** Ours, and the key under which Stripe makes at most one session for it. */
export const PurchaseId = z.uuid().brand<'PurchaseId'>()
export type PurchaseId = z.infer<typeof PurchaseId>

/**
 * What is known of a purchase. `opening`: recorded, and no session is known; `open`: it may be paid;
 * `waiting`: the buyer has done their part, and the money is on its way; `paid` is in the ledger.
 */
export const purchaseStates = ['opening', 'open', 'waiting', 'paid', 'failed', 'expired'] as const
export const PurchaseState = z.enum(purchaseStates)
export type PurchaseState = z.infer<typeof PurchaseState>

/** What Stripe's numbers of one event have to be before anything is made of them. */
export const PaidAmount = z.int().min(0).max(2_147_483_647)
const Named = z.string().min(1).max(200)

const said = {
  id: z.string().min(1).max(300),
  livemode: z.boolean(),
  occurredAt: z.date(),
  amount: PaidAmount,
  currency: z.string().regex(/^[a-z]{3}$/),
}

/** One thing learned of a payment, by an event or by a look: of all that Stripe says, what money needs. */
export const PaymentNews = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('session'),
    ...said,
    purchaseId: PurchaseId.optional(),
    sessionId: Named,
    paymentId: Named.optional(),
    outcome: z.enum(['open', 'waiting', 'paid', 'failed', 'expired']),
  }),
  /** `amount` is all that was refunded of the payment so far. */
  z.object({
    kind: z.literal('refund'),
    ...said,
    purchaseId: PurchaseId.optional(),
    paymentId: Named,
    outcome: z.enum(['refunded', 'refund_failed']),
  }),
  z.object({
    kind: z.literal('dispute'),
    ...said,
    paymentId: Named,
    disputeId: Named,
    outcome: z.enum(['open', 'won', 'lost']),
  }),
])
export type PaymentNews = Readonly<z.infer<typeof PaymentNews>>

/** Why a person has to look at what was learned. */
export const paymentTroubles = [
  'unknown_purchase',
  'livemode_mismatch',
  'second_session',
  'amount_mismatch',
  'account_closed',
  'refund_failed',
] as const
export const PaymentTrouble = z.enum(paymentTroubles)
export type PaymentTrouble = z.infer<typeof PaymentTrouble>

/** What Stripe is asked to sell: fixed when the purchase was recorded, so that a repeat asks for the same. */
export type SessionRequest = {
  readonly purchaseId: PurchaseId
  readonly accountId: AccountId
  readonly pack: Pick<Pack, 'name' | 'amount' | 'currency'>
}

/** `refused`: proof that there is no session. `unknown`: there may be one; the same may be asked again. */
export type SessionAnswer =
  | { readonly kind: 'opened'; readonly sessionId: string; readonly url: string }
  | { readonly kind: 'refused'; readonly because: string }
  | { readonly kind: 'unknown'; readonly because: string }

/** What a verified event says; `nothing` for those that money needs nothing of. */
export type VerifiedEvent =
  { readonly kind: 'news'; readonly news: PaymentNews } | { readonly kind: 'nothing' }

/** All that the rest of the code knows of Stripe. It never throws for what Stripe does. */
export type Payments = {
  readonly packs: readonly Pack[]
  /** Whether it is about real money. */
  readonly livemode: boolean
  readonly openSession: (request: SessionRequest) => Promise<SessionAnswer>
  /** Undefined: it could not be seen, which says nothing about the session. */
  readonly lookAtSession: (sessionId: string) => Promise<PaymentNews | undefined>
  /** Undefined: it is not from Stripe, or too old. */
  readonly readEvent: (body: Buffer, signature: string, now: Date) => VerifiedEvent | undefined
}
