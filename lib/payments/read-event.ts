import { PaymentNews } from '@/lib/domain/purchase'
import { idOf, purchaseIdOf, sessionNews } from './read-session'
import { EventShape } from './shapes'

const SECOND_MS = 1_000

/**
 * What money needs of a verified event; undefined for one that it needs nothing of. The order in which
 * events come is Stripe's affair: each is a fact of its own, and any order of them comes to the same.
 */
export function readEvent(event: unknown): PaymentNews | undefined {
  const said = EventShape.safeParse(event).data
  if (!said) return undefined
  const { object } = said.data
  const source = { id: said.id, occurredAt: new Date(said.created * SECOND_MS) }
  switch (said.type) {
    case 'checkout.session.completed': {
      const outcome = said.data.object.payment_status === 'paid' ? 'paid' : 'waiting'
      return sessionNews(said.data.object, { ...source, outcome })
    }
    case 'checkout.session.async_payment_succeeded':
      return sessionNews(said.data.object, { ...source, outcome: 'paid' })
    case 'checkout.session.async_payment_failed':
      return sessionNews(said.data.object, { ...source, outcome: 'failed' })
    case 'checkout.session.expired':
      return sessionNews(said.data.object, { ...source, outcome: 'expired' })
    case 'charge.refunded':
      return PaymentNews.safeParse({
        kind: 'refund',
        ...source,
        livemode: said.livemode,
        // Copied from the payment when it was charged: it names the purchase before we know the payment.
        purchaseId: purchaseIdOf(said.data.object.metadata?.['purchase_id']),
        paymentId: idOf(object.payment_intent),
        outcome: 'refunded',
        amount: said.data.object.amount_refunded,
        currency: object.currency,
      }).data
    case 'refund.failed':
      return PaymentNews.safeParse({
        kind: 'refund',
        ...source,
        livemode: said.livemode,
        paymentId: idOf(object.payment_intent),
        outcome: 'refund_failed',
        amount: said.data.object.amount,
        currency: object.currency,
      }).data
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return disputeNews(said, source)
  }
}

// Before the bank has taken the money back, a dispute is a question.
const isQuestion = (status: string) => status.startsWith('warning_') || status === 'prevented'

function disputeNews(
  {
    type,
    livemode,
    data: { object: dispute },
  }: Extract<EventShape, { type: 'charge.dispute.created' | 'charge.dispute.closed' }>,
  source: { readonly id: string; readonly occurredAt: Date },
): PaymentNews | undefined {
  if (isQuestion(dispute.status)) return undefined
  const ended = dispute.status === 'won' ? 'won' : 'lost'
  return PaymentNews.safeParse({
    kind: 'dispute',
    ...source,
    livemode,
    paymentId: idOf(dispute.payment_intent),
    disputeId: dispute.id,
    outcome: type === 'charge.dispute.created' ? 'open' : ended,
    amount: dispute.amount,
    currency: dispute.currency,
  }).data
}
