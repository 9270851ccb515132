import { z } from 'zod'
import { AccountId, type RequestId } from '@/lib/domain/ids'
import type { Pack } from '@/lib/domain/pack'
import { PaymentTrouble, PurchaseId, type PaymentNews } from '@/lib/domain/purchase'
import type { Database } from './database'

const Begun = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['recorded', 'replayed']), purchase_id: PurchaseId }),
  z.object({
    outcome: z.enum(['request_id_reused', 'no_account', 'account_suspended', 'too_many_open']),
  }),
])

/** Records what somebody wants to buy, once per request. A guest's account buys nothing: `no_account`. */
export async function beginPurchase(
  db: Database,
  purchase: {
    readonly id: PurchaseId
    readonly accountId: AccountId
    readonly requestId: RequestId
    readonly pack: Pack
    readonly livemode: boolean
    readonly openMax: number
  },
): Promise<z.infer<typeof Begun>> {
  const { id, accountId, requestId, pack, livemode, openMax } = purchase
  const { rows } = await db.pool.query({
    name: 'begin_purchase',
    text: 'select * from begin_purchase($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    values: [
      ...[id, accountId, requestId, pack.id, pack.name, pack.credits, pack.amount, pack.currency],
      livemode,
      openMax,
    ],
  })
  return Begun.parse(rows[0])
}

const Answer = z.object({ done: z.boolean() })

/** Answers false when the purchase had a session already, or is over. */
export async function openPurchase(
  db: Database,
  purchase: { readonly id: PurchaseId; readonly accountId: AccountId },
  session: { readonly id: string; readonly url: string },
): Promise<boolean> {
  const { rows } = await db.pool.query({
    name: 'open_purchase',
    text: 'select open_purchase($1, $2, $3, $4) as done',
    values: [purchase.id, purchase.accountId, session.id, session.url],
  })
  return Answer.parse(rows[0]).done
}

/** For proof that there is no session. */
export async function refusePurchase(
  db: Database,
  purchase: { readonly id: PurchaseId; readonly accountId: AccountId },
): Promise<boolean> {
  const { rows } = await db.pool.query({
    name: 'refuse_purchase',
    text: 'select refuse_purchase($1, $2) as done',
    values: [purchase.id, purchase.accountId],
  })
  return Answer.parse(rows[0]).done
}

const Recorded = z.object({
  outcome: z.enum([
    ...PaymentTrouble.options,
    'replayed',
    'granted',
    'paid_before',
    'learned',
    'known',
    'settled',
    'kept',
  ]),
})
export type Recorded = z.infer<typeof Recorded>['outcome']

/** Keeps what was learned and does what it calls for, once, in one transaction. */
export async function recordPaymentNews(db: Database, news: PaymentNews): Promise<Recorded> {
  const { rows } = await db.pool.query(callFor(news))
  return Recorded.parse(rows[0]).outcome
}

function callFor(news: PaymentNews) {
  const { id, livemode, occurredAt, outcome, amount, currency } = news
  const begins = [id, livemode, occurredAt]
  const ends = [outcome, amount, currency]
  switch (news.kind) {
    case 'session':
      return {
        name: 'record_session',
        text: 'select record_session($1, $2, $3, $4, $5, $6, $7, $8, $9) as outcome',
        values: [
          ...begins,
          news.purchaseId ?? null,
          news.sessionId,
          news.paymentId ?? null,
          ...ends,
        ],
      }
    case 'refund':
      return {
        name: 'record_refund',
        text: 'select record_refund($1, $2, $3, $4, $5, $6, $7, $8) as outcome',
        values: [...begins, news.purchaseId ?? null, news.paymentId, ...ends],
      }
    case 'dispute':
      return {
        name: 'record_dispute',
        text: 'select record_dispute($1, $2, $3, $4, $5, $6, $7, $8) as outcome',
        values: [...begins, news.paymentId, news.disputeId, ...ends],
      }
  }
}

/** The session to look at for a buyer who asks now; undefined: there is none, or it was looked at just before. */
export async function claimLook(
  db: Database,
  purchase: { readonly id: PurchaseId; readonly accountId: AccountId },
): Promise<string | undefined> {
  const { rows } = await db.pool.query({
    name: 'claim_look',
    text: 'select claim_look($1, $2) as session_id',
    values: [purchase.id, purchase.accountId],
  })
  return z.object({ session_id: z.string().nullable() }).parse(rows[0]).session_id ?? undefined
}

const Due = z.object({
  id: PurchaseId,
  account_id: AccountId,
  session_id: z.string().nullable(),
})

/** Purchases that nothing was heard of for long enough to look, each given to one worker. */
export async function claimPurchases(
  db: Database,
  limit: number,
): Promise<readonly Readonly<z.infer<typeof Due>>[]> {
  const { rows } = await db.pool.query({
    name: 'claim_purchases',
    text: 'select * from claim_purchases($1)',
    values: [limit],
  })
  return z.array(Due).parse(rows)
}
