import { z } from 'zod'
import type { Database } from './database'

// The last day, each by an index of ranges over time (`artwork_by_time`, `usage_record_by_time`,
// `attempt_event_by_time`): what is read does not grow with what was.

const TAKEN = `outcome in ('accepted', 'made', 'made-at')`
const REFUSED = `outcome in ('rejected', 'rejected-for-now', 'failed')`
const UNKNOWN = `coalesce(outcome, 'unknown') = 'unknown'`
const LOOK_FAILED = `kind in ('look_failed', 'lookup_failed')`
const A_DAY_AGO = `app_now() - interval '24 hours'`

const sent = (where: string) => `(select distinct attempt_id, account_id from usage_record
  where sent_at > ${A_DAY_AGO} and sent_at <= app_now() and ${where})`

/** The attempts behind each of these figures. */
export const DAY_SOURCES = {
  delivered: `(select attempt_id, account_id from artwork where created_at > ${A_DAY_AGO})`,
  taken: sent(TAKEN),
  refused: sent(REFUSED),
  unknown: sent(UNKNOWN),
  'look-failed': `(select distinct attempt_id, account_id from attempt_event
    where created_at > ${A_DAY_AGO} and ${LOOK_FAILED})`,
} as const

const ModelRow = z.object({
  model: z.string(),
  delivered: z.int(),
  median_ms: z.number(),
  p95_ms: z.number(),
})
export type ModelPace = Readonly<z.infer<typeof ModelRow>>

/** What was delivered of each model, and how long it took from the click. */
export async function measureModels(db: Database): Promise<readonly ModelPace[]> {
  const { rows } = await db.pool.query(
    `select a.model, count(*)::int as delivered,
            percentile_cont(0.5) within group (order by t.ms) as median_ms,
            percentile_cont(0.95) within group (order by t.ms) as p95_ms
     from artwork w join attempt a on a.id = w.attempt_id and a.account_id = w.account_id
     cross join lateral (
       select (extract(epoch from w.created_at - a.created_at) * 1000)::float8 as ms) t
     where w.created_at > ${A_DAY_AGO}
     group by a.model order by delivered desc, a.model`,
  )
  return z.array(ModelRow).parse(rows)
}

const HourRow = z.object({
  provider: z.string(),
  hours_ago: z.int(),
  taken: z.int(),
  refused: z.int(),
  unknown: z.int(),
  last_taken_at: z.date().nullable(),
})
export type ProviderHour = Readonly<z.infer<typeof HourRow>>

/** What came of the submissions of each hour. `unknown`: nobody knows yet, or ever. */
export async function measureProviders(db: Database): Promise<readonly ProviderHour[]> {
  const { rows } = await db.pool.query(
    `select provider, floor(extract(epoch from app_now() - sent_at) / 3600)::int as hours_ago,
            (count(*) filter (where ${TAKEN}))::int as taken,
            (count(*) filter (where ${REFUSED}))::int as refused,
            (count(*) filter (where ${UNKNOWN}))::int as unknown,
            max(answered_at) filter (where ${TAKEN}) as last_taken_at
     from usage_record
     where sent_at > ${A_DAY_AGO} and sent_at <= app_now()
     group by 1, 2 order by 1, 2 desc`,
  )
  return z.array(HourRow).parse(rows)
}

const LooksRow = z.object({ provider: z.string(), failed: z.int() })

/** How often a provider could not be asked about its tasks, counted once for each row of failures. */
export async function countFailedLooks(db: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.pool.query(
    `select a.provider, count(*)::int as failed
     from attempt_event e join attempt a on a.id = e.attempt_id and a.account_id = e.account_id
     where e.created_at > ${A_DAY_AGO} and e.${LOOK_FAILED}
     group by 1`,
  )
  return new Map(
    z
      .array(LooksRow)
      .parse(rows)
      .map(({ provider, failed }) => [provider, failed]),
  )
}

/** For how long the work that has waited longest has been due; undefined when none waits. */
export async function measureLag(db: Database): Promise<number | undefined> {
  const { rows } = await db.pool.query(
    `select (extract(epoch from app_now() - min(due_at)) * 1000)::float8 as lag_ms
     from attempt_work where due_at <= app_now()`,
  )
  return z.object({ lag_ms: z.number().nullable() }).parse(rows[0]).lag_ms ?? undefined
}
