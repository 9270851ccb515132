import { z } from 'zod'
import { AttemptStateName } from '@/lib/domain/attempt'
import { AccountId, AttemptId } from '@/lib/domain/ids'
import { DAY_SOURCES } from './admin-health-reader'
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
  ...DAY_SOURCES,
} as const

export type AdminListFilter = {
  readonly of: keyof typeof SOURCES
  readonly state: AttemptStateName | undefined
  readonly provider: string | undefined
  readonly model: string | undefined
  /** What its newest line of history is, or what it failed with. */
  readonly code: string | undefined
  readonly accountId: AccountId | undefined
  readonly age: keyof typeof BANDS | undefined
  readonly sort: 'age' | 'amount'
  readonly after: AdminListPlace | undefined
  readonly limit: number
}

/** The last line of a page: where the next one goes on. */
export type AdminListPlace = { readonly id: AttemptId; readonly credits: number }

/**
 * By age: oldest first, which is the order of ids. By amount: what reserves most first. One more than
 * asked for if there are more.
 */
export async function findAdminList(
  db: Database,
  filter: AdminListFilter,
): Promise<readonly AdminListRow[]> {
  const values: unknown[] = []
  const bound = (value: unknown) => `$${values.push(value)}`
  const wheres = [
    ...(filter.state ? [`a.state = ${bound(filter.state)}`] : []),
    ...(filter.provider ? [`a.provider = ${bound(filter.provider)}`] : []),
    ...(filter.model ? [`a.model = ${bound(filter.model)}`] : []),
    ...(filter.accountId ? [`a.account_id = ${bound(filter.accountId)}`] : []),
    ...(filter.age ? [BANDS[filter.age]] : []),
    ...(filter.code ? [codeIs(bound(filter.code))] : []),
    ...(filter.after ? [isAfter(filter.sort, filter.after, bound)] : []),
  ]
  const shown = filter.sort === 'age' ? 'a.id' : 'a.reserved_credits desc, a.id'
  const order = filter.sort === 'age' ? 's.attempt_id' : shown
  const { rows } = await db.pool.query(
    `with found as (
       select a.id, a.account_id from ${SOURCES[filter.of]} s
       join attempt a on a.id = s.attempt_id and a.account_id = s.account_id
       ${wheres.length > 0 ? `where ${wheres.join(' and ')}` : ''}
       order by ${order} limit ${bound(filter.limit + 1)})
     select ${COLUMNS} from found join attempt a using (id, account_id) ${JOINS} order by ${shown}`,
    values,
  )
  return z.array(ListRow).parse(rows)
}

const codeIs = (code: string) =>
  `(a.failure_code = ${code} or exists (
      select from attempt_event k
      where k.attempt_id = a.id and k.account_id = a.account_id and k.seq = a.version
        and k.kind = ${code}))`

function isAfter(
  sort: AdminListFilter['sort'],
  { id, credits }: AdminListPlace,
  bound: (value: unknown) => string,
): string {
  if (sort === 'age') return `s.attempt_id > ${bound(id)}`
  const amount = bound(credits)
  return `(a.reserved_credits < ${amount} or (a.reserved_credits = ${amount} and a.id > ${bound(id)}))`
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
