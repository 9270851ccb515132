import { z } from 'zod'
import { AccountId } from '@/lib/domain/ids'
import type { Database } from './database'

const Row = z
  .object({
    id: z.uuid(),
    account_id: AccountId,
    email: z.string().nullable(),
    act: z.enum(['grant-credits', 'correct-credits']),
    credits: z.int(),
    requested_by: AccountId,
    requester: z.string().nullable(),
    reason: z.string(),
    asked_at: z.date(),
    decision: z.enum(['approved', 'rejected']).nullable(),
    decider: z.string().nullable(),
    decided_why: z.string().nullable(),
  })
  .readonly()
export type CreditRequest = z.infer<typeof Row>

const SELECT = `
  select r.id, r.account_id, i.email, r.act, r.credits, r.requested_by, q.email as requester, r.reason,
         r.asked_at, r.decision, d.email as decider, r.decided_why
  from credit_request r
  left join user_identity i on i.account_id = r.account_id
  left join user_identity q on q.account_id = r.requested_by
  left join user_identity d on d.account_id = r.decided_by`

/** What waits for a second admin, the oldest first (`credit_request_open`). */
export async function findOpenRequests(
  db: Database,
  limit: number,
): Promise<readonly CreditRequest[]> {
  const { rows } = await db.pool.query(
    `${SELECT} where r.decision is null order by r.asked_at limit $1`,
    [limit],
  )
  return z.array(Row).parse(rows)
}

/** What was asked for an account, the newest first. */
export async function findRequestsOf(
  db: Database,
  accountId: AccountId,
  limit: number,
): Promise<readonly CreditRequest[]> {
  const { rows } = await db.pool.query(
    `${SELECT} where r.account_id = $1 order by r.asked_at desc limit $2`,
    [accountId, limit],
  )
  return z.array(Row).parse(rows)
}
