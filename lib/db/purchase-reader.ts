import { z } from 'zod'
import { AccountId, RequestId } from '@/lib/domain/ids'
import { Currency } from '@/lib/domain/pack'
import { PaymentTrouble, PurchaseId, PurchaseState } from '@/lib/domain/purchase'
import type { Database } from './database'

const PurchaseRow = z
  .object({
    id: PurchaseId,
    account_id: AccountId,
    request_id: RequestId,
    pack: z.string(),
    pack_name: z.string(),
    credits: z.int(),
    amount: z.int(),
    currency: Currency,
    state: PurchaseState,
    session_id: z.string().nullable(),
    session_url: z.string().nullable(),
    payment_id: z.string().nullable(),
    taken: z.int(),
    owed: z.int(),
    created_at: z.date(),
    /** While its idempotency key is honoured for certain. */
    may_open: z.boolean(),
    troubles: z.array(PaymentTrouble),
  })
  .readonly()
export type PurchaseRow = z.infer<typeof PurchaseRow>

const SELECT = `
  select p.id, p.account_id, p.request_id, p.pack, p.pack_name, p.credits, p.amount, p.currency, p.state,
         p.session_id, p.session_url, p.payment_id, p.taken, p.owed, p.created_at,
         p.created_at > app_now() - interval '23 hours' as may_open,
         array(select distinct e.trouble from payment_event e
               where e.purchase_id = p.id and e.trouble is not null order by 1) as troubles
  from purchase p`

export async function findPurchase(
  db: Database,
  id: PurchaseId,
  accountId: AccountId,
): Promise<PurchaseRow | undefined> {
  const { rows } = await db.pool.query({
    name: 'find_purchase',
    text: `${SELECT} where p.id = $1 and p.account_id = $2`,
    values: [id, accountId],
  })
  return PurchaseRow.optional().parse(rows[0])
}

/** The newest first. */
export async function findPurchasesOf(
  db: Database,
  accountId: AccountId,
  limit: number,
): Promise<readonly PurchaseRow[]> {
  const { rows } = await db.pool.query({
    name: 'find_purchases_of',
    text: `${SELECT} where p.account_id = $1 order by p.id desc limit $2`,
    values: [accountId, limit],
  })
  return z.array(PurchaseRow).parse(rows)
}

/** Whose credits could not all be taken back, the newest first (`purchase_owing`). */
export async function findOwing(db: Database, limit: number): Promise<readonly PurchaseRow[]> {
  const { rows } = await db.pool.query({
    name: 'find_owing',
    text: `${SELECT} where p.owed > 0 order by p.updated_at desc limit $1`,
    values: [limit],
  })
  return z.array(PurchaseRow).parse(rows)
}

const TroubledEvent = z
  .object({
    id: z.string(),
    kind: z.enum(['session', 'refund', 'dispute']),
    outcome: z.string(),
    account_id: AccountId.nullable(),
    session_id: z.string().nullable(),
    payment_id: z.string().nullable(),
    amount: z.int(),
    currency: z.string(),
    trouble: PaymentTrouble,
    received_at: z.date(),
  })
  .readonly()
export type TroubledEvent = z.infer<typeof TroubledEvent>

/** What a person has to look at, the newest first (`payment_event_troubled`). What came too early is none. */
export async function findTroubledEvents(
  db: Database,
  limit: number,
): Promise<readonly TroubledEvent[]> {
  const { rows } = await db.pool.query({
    name: 'find_troubled_events',
    text: `select e.id, e.kind, e.outcome, e.account_id, e.session_id, e.payment_id, e.amount, e.currency,
                  e.trouble, e.received_at
           from payment_event e
           where e.trouble is not null
             and not (e.trouble = 'unknown_purchase' and e.kind <> 'session'
                      and exists (select from purchase p where p.payment_id = e.payment_id))
           order by e.received_at desc limit $1`,
    values: [limit],
  })
  return z.array(TroubledEvent).parse(rows)
}
