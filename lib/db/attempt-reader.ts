import { z } from 'zod'
import { AttemptStateName } from '@/lib/domain/attempt'
import type { AccountId, AttemptId, RequestId } from '@/lib/domain/ids'
import { ATTEMPT_COLUMNS, ATTEMPT_JOINS, attemptRows, type AttemptRow } from './attempt-row'
import type { Database } from './database'
import type { Prisma } from './generated/client'

const newestFirst = { id: 'desc' } as const

/** What its owner deleted is in no list of pictures. Its attempt is still found by its id. */
const isKept = {
  NOT: { artwork: { is: { deleted: { isNot: null } } } },
} as const satisfies Prisma.AttemptWhereInput

/** Those of the ids that are the account's, newest first. One round trip. */
export async function findAttempts(
  db: Database,
  accountId: AccountId,
  ids: readonly AttemptId[],
): Promise<readonly AttemptRow[]> {
  const { rows } = await db.pool.query({
    name: 'find_attempts',
    text: `select ${ATTEMPT_COLUMNS} from attempt a ${ATTEMPT_JOINS}
           where a.account_id = $1 and a.id = any($2) order by a.id desc`,
    values: [accountId, ids],
  })
  return attemptRows(rows)
}

/** How many attempts a list of recent ones has at most. */
export type RecentLimits = { readonly newest: number; readonly open: number }

// $1 is the account, $2 and $3 the limits. Whatever is open has its row of work, and nothing else
// has: triggers keep it so.
const RECENT = `
  with newest as (
    select a.id from attempt a
    where a.account_id = $1
      and not exists (select from deleted_artwork d
                      where d.attempt_id = a.id and d.account_id = a.account_id)
    order by a.id desc limit $2
  ), unfinished as (
    select attempt_id as id from attempt_work where account_id = $1 order by attempt_id desc limit $3
  ), listed as (
    select id, 0 as place from newest
    union all
    select id, 1 from unfinished where id not in (select id from newest)
  )`

/** The newest attempts, and besides them every one whose outcome is open, up to a bound. One round trip. */
export async function findRecentAttempts(
  db: Database,
  accountId: AccountId,
  limits: RecentLimits,
): Promise<readonly AttemptRow[]> {
  const { rows } = await db.pool.query({
    name: 'find_recent_attempts',
    text: `${RECENT} select ${ATTEMPT_COLUMNS}
           from listed join attempt a on a.id = listed.id and a.account_id = $1 ${ATTEMPT_JOINS}
           order by listed.place, a.id desc`,
    values: [accountId, limits.newest, limits.open],
  })
  return attemptRows(rows)
}

const MarkRow = z.object({ mark: z.string(), changed_at: z.date().nullable() })

/**
 * A digest of everything by which two answers about the recent attempts and the balance can differ,
 * and when the last of the open ones changed. It fetches none of what they show.
 */
export async function findRecentMark(
  db: Database,
  accountId: AccountId,
  limits: RecentLimits,
): Promise<{ readonly mark: string; readonly openChangedAt: Date | null }> {
  const { rows } = await db.pool.query({
    name: 'find_recent_mark',
    text: `${RECENT} select
             md5(concat_ws('/', string_agg(concat_ws('.', a.id, a.version, d.deleted_at, k.due_at,
                                 k.looked_at, k.progress, k.cancel), ' ' order by listed.place, a.id),
               (select concat_ws('.', b.available, b.held, b.spent) from account b where b.id = $1),
               (select concat_ws('.', u.held, u.delivered) from allowance_day u
                where u.account_id = $1 and u.day = (app_now() at time zone 'utc')::date),
               (app_now() at time zone 'utc')::date)) as mark,
             max(a.updated_at) filter (where k.attempt_id is not null) as changed_at
           from listed join attempt a on a.id = listed.id and a.account_id = $1
           left join deleted_artwork d on d.attempt_id = a.id and d.account_id = a.account_id
           left join attempt_work k on k.attempt_id = a.id and k.account_id = a.account_id`,
    values: [accountId, limits.newest, limits.open],
  })
  const { mark, changed_at } = MarkRow.parse(rows[0])
  return { mark, openChangedAt: changed_at }
}

/** One page, newest first, of those older than the cursor. One row more than asked tells of a next page. */
export async function findAttemptPage(
  db: Database,
  accountId: AccountId,
  page: {
    readonly olderThan: AttemptId | undefined
    readonly limit: number
    readonly state?: AttemptStateName | undefined
    readonly requestId?: RequestId | undefined
  },
): Promise<readonly AttemptRow[]> {
  const values: unknown[] = [accountId, page.limit + 1]
  const bound = (value: unknown) => `$${values.push(value)}`
  const conditions = [
    ...(page.olderThan ? [`a.id < ${bound(page.olderThan)}`] : []),
    ...(page.state ? [`a.state = ${bound(page.state)}`] : []),
    ...(page.requestId ? [`a.request_id = ${bound(page.requestId)}`] : []),
  ]
  const { rows } = await db.pool.query(
    `select ${ATTEMPT_COLUMNS} from attempt a ${ATTEMPT_JOINS}
     where a.account_id = $1 ${conditions.map((condition) => `and ${condition}`).join(' ')}
     order by a.id desc limit $2`,
    values,
  )
  return attemptRows(rows)
}

/** The ids of the account's attempts next to this one in time. */
export async function findNeighbours(
  db: Database,
  accountId: AccountId,
  id: AttemptId,
): Promise<{ readonly newer: string | null; readonly older: string | null }> {
  const [newer, older] = await Promise.all([
    db.prisma.attempt.findFirst({
      where: { accountId, id: { gt: id }, ...isKept },
      orderBy: { id: 'asc' },
      select: { id: true },
    }),
    db.prisma.attempt.findFirst({
      where: { accountId, id: { lt: id }, ...isKept },
      orderBy: newestFirst,
      select: { id: true },
    }),
  ])
  return { newer: newer?.id ?? null, older: older?.id ?? null }
}

export type EventRow = {
  readonly seq: number
  readonly fromState: AttemptStateName | null
  readonly toState: AttemptStateName
  readonly kind: string
  readonly actor: string
  readonly evidence: unknown
  readonly createdAt: Date
}

export async function findEvents(db: Database, id: AttemptId): Promise<readonly EventRow[]> {
  const rows = await db.prisma.attemptEvent.findMany({
    where: { attemptId: id },
    orderBy: { seq: 'asc' },
    select: {
      seq: true,
      fromState: true,
      toState: true,
      kind: true,
      actor: true,
      evidence: true,
      createdAt: true,
    },
  })
  return rows.map((row) => ({
    ...row,
    fromState: AttemptStateName.nullable().parse(row.fromState),
    toState: AttemptStateName.parse(row.toState),
  }))
}

const ReviewColumns = z.object({
  sends: z.int().nullable(),
  first_sent_at: z.date().nullable(),
  last_sent_at: z.date().nullable(),
  email: z.string().nullable(),
})

/** Any account's attempt, for a review. */
export async function findAttemptForReview(db: Database, id: AttemptId) {
  const { rows } = await db.pool.query({
    name: 'find_attempt_for_review',
    text: `select ${ATTEMPT_COLUMNS}, s.sends, s.first_sent_at, s.last_sent_at, i.email
           from attempt a ${ATTEMPT_JOINS}
           left join submission s on s.attempt_id = a.id and s.account_id = a.account_id
           left join user_identity i on i.account_id = a.account_id
           where a.id = $1`,
    values: [id],
  })
  const [attempt] = attemptRows(rows)
  if (!attempt) return undefined
  const { sends, first_sent_at, last_sent_at, email } = ReviewColumns.parse(rows[0])
  return {
    attempt,
    submission:
      sends === null || first_sent_at === null || last_sent_at === null
        ? null
        : { sends, firstSentAt: first_sent_at, lastSentAt: last_sent_at },
    email,
  }
}

/** Every POST of an attempt, in order, with what is known of its answer. */
export async function findUsage(db: Database, attemptId: AttemptId) {
  const rows = await db.prisma.usageRecord.findMany({
    where: { attemptId },
    orderBy: { number: 'asc' },
    select: {
      number: true,
      kind: true,
      sentAt: true,
      outcome: true,
      answeredAt: true,
      address: true,
      requestSha256: true,
      requestBytes: true,
      httpStatus: true,
      providerRequestId: true,
      costAmount: true,
      costUnit: true,
    },
  })
  return rows.map(({ requestSha256, costAmount, ...row }) => ({
    ...row,
    requestSha256: requestSha256 && Buffer.from(requestSha256).toString('hex'),
    costAmount: costAmount?.toNumber() ?? null,
  }))
}
export type UsageRow = Awaited<ReturnType<typeof findUsage>>[number]
