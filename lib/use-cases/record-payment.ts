import { recordPaymentNews, type Recorded } from '@/lib/db/purchase-store'
import { PaymentTrouble, type PaymentNews } from '@/lib/domain/purchase'
import type { Deps } from './deps'

/** Keeps what was learned of a payment. Whoever says it, and however often: it moves credits once. */
export async function recordPayment(
  deps: Pick<Deps, 'db' | 'log'>,
  news: PaymentNews,
): Promise<Recorded> {
  const outcome = await recordPaymentNews(deps.db, news)
  const facts = { eventId: news.id, kind: news.kind, says: news.outcome, outcome }
  if (PaymentTrouble.safeParse(outcome).success) {
    deps.log.error(facts, 'payment needs a person')
  } else {
    deps.log.info(facts, 'payment recorded')
  }
  return outcome
}

export type EventRequest = {
  readonly body: Buffer
  readonly signature: string
  readonly now: Date
}

/** `forged`: nothing changed. Everything genuine is taken, for sending it again would tell us nothing new. */
export async function receivePaymentEvent(
  deps: Pick<Deps, 'db' | 'log' | 'payments'>,
  { body, signature, now }: EventRequest,
): Promise<'forged' | 'kept' | 'ignored'> {
  const event = deps.payments?.readEvent(body, signature, now)
  if (!event) return 'forged'
  if (event.kind === 'nothing') return 'ignored'
  return (await recordPayment(deps, event.news)) === 'replayed' ? 'ignored' : 'kept'
}
