import { z } from 'zod'
import { AttemptStateName } from '@/lib/domain/attempt'
import { AccountId, AttemptId } from '@/lib/domain/ids'
import type { Database } from './database'

const ListRow = z.object({
  id: AttemptId,
  account_id: AccountId,
  email: z.string().nullable(),
  state: AttemptStateName,
  settlement: z.string().nullable(),
  provider: z.string(),
  model: z.string(),
  prompt: z.string(),
  reserved_credits: z.int(),
  task_id: z.string().nullable(),
  created_at: z.date(),
  due_at: z.date().nullable(),
  last_kind: z.string(),
})
export type AdminListRow = Readonly<z.infer<typeof ListRow>>

const COLUMNS = `a.id, a.account_id, i.email, a.state, a.settlement, a.provider, a.model, a.prompt,
  a.reserved_credits, a.task_id, a.created_at, w.due_at, e.kind as last_kind`
const JOINS = `left join user_identity i on i.account_id = a.account_id
  left join attempt_work w on w.attempt_id = a.id and w.account_id = a.account_id
  join attempt_event e
    on e.attempt_id = a.id and e.account_id = a.account_id and e.seq = a.version`

const BANDS = {
  'under-10m': `a.created_at > app_now() - interval '10 minutes'`,
  '10m-to-1h': `a.created_at <= app_now() - interval '10 minutes'
                and a.created_at > app_now() - interval '1 hour'`,
  '1h-to-1d': `a.created_at <= app_now() - interval '1 hour'
               and a.created_at > app_now() - interval '1 day'`,
  'over-1d': `a.created_at <= app_now() - interval '1 day'`,
} as const

// What a list is of. Each has an index that is led by the attempt, or is small.
const SOURCES = {
  open: 'attempt_work',
  anomaly: '(select distinct attempt_id, account_id from anomaly)',
  'second-task': '(select distinct attempt_id, account_id from stray_task)',
  spooled: 'spool',
  compensated: `(select attempt_id, account_id from settlement
                 where kind = 'compensated' and created_at > app_now() - interval '90 days')`,
} as const

export type AdminListFilter = {
  readonly of: keyof typeof SOURCES
  readonly state: AttemptStateName | undefined
  readonly provider: string | undefined
  readonly age: keyof typeof BANDS | undefined
  readonly newerThan: AttemptId | undefined
  readonly limit: number
}

/** Oldest first, which is the order of ids, and one more than asked for if there are more. */
export async function findAdminList(
  db: Database,
  filter: AdminListFilter,
): Promise<readonly AdminListRow[]> {
  const { rows } = await db.pool.query(
    `with found as (
       select a.* from ${SOURCES[filter.of]} s
       join attempt a on a.id = s.attempt_id and a.account_id = s.account_id
       where ($1::text is null or a.state = $1) and ($2::text is null or a.provider = $2)
         and ($3::uuid is null or s.attempt_id > $3)
         ${filter.age ? `and ${BANDS[filter.age]}` : ''}
       order by s.attempt_id limit $4)
     select ${COLUMNS} from found a ${JOINS} order by a.id`,
    [filter.state ?? null, filter.provider ?? null, filter.newerThan ?? null, filter.limit + 1],
  )
  return z.array(ListRow).parse(rows)
}

/**
 * Attempts that a word names: its own id or its request's (`attempt_by_request`), a task's id at any
 * of these providers (`attempt_task_once`), or its owner's e-mail (`user_identity_email_once`, then
 * `attempt_by_account`). Newest first.
 */
export async function searchAttempts(
  db: Database,
  word: string,
  providers: readonly string[],
  limit: number,
): Promise<readonly AdminListRow[]> {
  const uuid = AttemptId.safeParse(word.toLowerCase()).data ?? null
  const { rows } = await db.pool.query(
    `with found as (
       (select id, account_id from attempt where id = $1 limit $5)
       union (select id, account_id from attempt where request_id = $1 limit $5)
       union (select id, account_id from attempt where provider = any($2) and task_id = $3 limit $5)
       union (select a.id, a.account_id from user_identity i join attempt a using (account_id)
              where i.email = lower($4) order by a.id desc limit $5))
     select ${COLUMNS} from found f join attempt a using (id, account_id) ${JOINS}
     order by a.id desc limit $5`,
    [uuid, providers, word, word, limit],
  )
  return z.array(ListRow).parse(rows)
}

/** The newest attempts of one account (`attempt_by_account`). */
export async function findNewestOf(
  db: Database,
  accountId: AccountId,
  limit: number,
): Promise<readonly AdminListRow[]> {
  const { rows } = await db.pool.query(
    `select ${COLUMNS} from attempt a ${JOINS} where a.account_id = $1 order by a.id desc limit $2`,
    [accountId, limit],
  )
  return z.array(ListRow).parse(rows)
}
