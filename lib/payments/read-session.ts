import { PaymentNews, PurchaseId } from '@/lib/domain/purchase'
import { PaymentShape, type SessionShape } from './shapes'

type SessionNews = Extract<PaymentNews, { kind: 'session' }>

export const idOf = (reference: SessionShape['payment_intent']): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id

/** A text that somebody else may have written is no purchase of ours. */
export const purchaseIdOf = (text: string | null | undefined): PurchaseId | undefined =>
  PurchaseId.safeParse(text).data

/**
 * How a session stands that was looked at with its payment in full. A finished session whose payment asks
 * for another way to pay is one whose delayed payment failed: the buyer can do nothing more with it.
 */
export function outcomeOf(session: SessionShape, payment: unknown): SessionNews['outcome'] {
  if (session.payment_status === 'paid') return 'paid'
  if (session.status === 'expired') return 'expired'
  if (session.status !== 'complete') return 'open'
  const status = PaymentShape.safeParse(payment).data?.status
  return status === 'requires_payment_method' || status === 'canceled' ? 'failed' : 'waiting'
}

/** Undefined when Stripe says less than money needs. */
export function sessionNews(
  session: SessionShape,
  said: {
    readonly id: string
    readonly occurredAt: Date
    readonly outcome: SessionNews['outcome']
  },
): PaymentNews | undefined {
  return PaymentNews.safeParse({
    kind: 'session',
    ...said,
    livemode: session.livemode,
    purchaseId: purchaseIdOf(session.client_reference_id),
    sessionId: session.id,
    paymentId: idOf(session.payment_intent),
    amount: session.amount_total,
    currency: session.currency,
  }).data
}
