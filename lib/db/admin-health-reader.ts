import { z } from 'zod'
import type { Database } from './database'

// The last day, each by an index of ranges over time (`artwork_by_time`, `usage_record_by_time`,
// `attempt_event_by_time`): what is read does not grow with what was.

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
     where w.created_at > app_now() - interval '24 hours'
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
  const taken = `outcome in ('accepted', 'made', 'made-at')`
  const { rows } = await db.pool.query(
    `select provider, floor(extract(epoch from app_now() - sent_at) / 3600)::int as hours_ago,
            (count(*) filter (where ${taken}))::int as taken,
            (count(*) filter (where outcome in ('rejected', 'rejected-for-now', 'failed')))::int
              as refused,
            (count(*) filter (where coalesce(outcome, 'unknown') = 'unknown'))::int as unknown,
            max(answered_at) filter (where ${taken}) as last_taken_at
     from usage_record
     where sent_at > app_now() - interval '24 hours' and sent_at <= app_now()
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
     where e.created_at > app_now() - interval '24 hours' and e.kind in ('look_failed', 'lookup_failed')
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
