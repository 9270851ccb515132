import { z } from 'zod'
import { AttemptStateName, SettlementKind } from '@/lib/domain/attempt'
import { AccountId, AttemptId } from '@/lib/domain/ids'
import type { Database } from './database'

const ListedAttempt = z.object({
  id: AttemptId,
  account_id: AccountId,
  account_email: z.string().nullable(),
  state: AttemptStateName,
  settlement: SettlementKind.nullable(),
  provider: z.string(),
  model: z.string(),
  price: z.int(),
  task_id: z.string().nullable(),
  created_at: z.date().transform((date) => date.toISOString()),
  updated_at: z.date().transform((date) => date.toISOString()),
})
export type ListedAttempt = Readonly<z.infer<typeof ListedAttempt>>

/** Attempts of every account, newest first, and one more than asked for if there are more. */
export async function findAttemptList(
  db: Database,
  filter: {
    readonly state: AttemptStateName | undefined
    /** By the database's clock, since the attempt was recorded. */
    readonly olderThanMs: number | undefined
    readonly cursor: AttemptId | undefined
    readonly limit: number
  },
): Promise<readonly ListedAttempt[]> {
  const { rows } = await db.pool.query(
    `select a.id, a.account_id, i.email as account_email, a.state, a.settlement, a.provider,
            a.model, a.price, a.task_id, a.created_at, a.updated_at
     from attempt a left join user_identity i on i.account_id = a.account_id
     where ($1::text is null or a.state = $1)
       and ($2::float8 is null or a.created_at < app_now() - $2 * interval '1 millisecond')
       and ($3::uuid is null or a.id < $3)
     order by a.id desc limit $4`,
    [filter.state ?? null, filter.olderThanMs ?? null, filter.cursor ?? null, filter.limit + 1],
  )
  return z.array(ListedAttempt).parse(rows)
}
