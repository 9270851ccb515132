import { z } from 'zod'
import { AttemptStateName } from '@/lib/domain/attempt'
import type { Database } from './database'

// Each of these reads what is open or what an index holds apart, never all attempts: `attempt_work` has
// a row exactly for each open one. An index over states would do too, and would make each change of
// an attempt a change of that index.

/** Beyond this many it is enough to know that there are more. */
export const COUNTED_MAX = 1_000

// Attempt ids carry their time, yet what rules is the clock by which the attempt was recorded.
const AGE_BAND = `case when a.created_at > app_now() - interval '10 minutes' then 'under-10m'
                       when a.created_at > app_now() - interval '1 hour' then '10m-to-1h'
                       when a.created_at > app_now() - interval '1 day' then '1h-to-1d'
                       else 'over-1d' end`

export const AgeBand = z.enum(['under-10m', '10m-to-1h', '1h-to-1d', 'over-1d'])

const OpenRow = z.object({
  state: AttemptStateName,
  provider: z.string(),
  age: AgeBand,
  attempts: z.int(),
  held: z.int(),
})
export type OpenCount = Readonly<z.infer<typeof OpenRow>>

/** By `attempt_work`'s primary key into `attempt`'s. */
export async function countOpenAttempts(db: Database): Promise<readonly OpenCount[]> {
  const { rows } = await db.pool.query(
    `select a.state, a.provider, ${AGE_BAND} as age, count(*)::int as attempts,
            coalesce(sum(a.reserved_credits) filter (where a.settlement is null), 0)::int as held
     from attempt_work w join attempt a on a.id = w.attempt_id and a.account_id = w.account_id
     group by 1, 2, 3`,
  )
  return z.array(OpenRow).parse(rows)
}

const CostRow = z.object({
  of: z.enum(['unresolved', 'compensated']),
  provider: z.string(),
  unit: z.string().nullable(),
  amount: z.number(),
  posts: z.int(),
})
export type CostRow = Readonly<z.infer<typeof CostRow>>

/** By `attempt_work`, by `settlement_compensated`, and from both by the primary key of `usage_record`. */
export async function sumUnchargedCosts(db: Database): Promise<readonly CostRow[]> {
  const { rows } = await db.pool.query(
    `with uncharged as (
       select 'unresolved' as of, a.id, a.account_id
       from attempt_work w join attempt a on a.id = w.attempt_id and a.account_id = w.account_id
       where a.state = 'status_unknown' and a.settlement is null
       union all
       select 'compensated', s.attempt_id, s.account_id from settlement s
       where s.kind = 'compensated' and s.created_at > app_now() - interval '90 days')
     select n.of, u.provider, u.cost_unit as unit, coalesce(sum(u.cost_amount), 0)::float8 as amount,
            count(*)::int as posts
     from uncharged n join usage_record u on u.attempt_id = n.id and u.account_id = n.account_id
     group by 1, 2, 3 order by 1 desc, 2, 3`,
  )
  return z.array(CostRow).parse(rows)
}

const Oddities = z.object({
  anomalies: z.int(),
  second_tasks: z.int(),
  second_tasks_untold: z.int(),
  payment_troubles: z.int(),
  spooled_images: z.int(),
  spooled_bytes: z.number(),
})
export type Oddities = Readonly<z.infer<typeof Oddities>>

/** Small tables: contradictions are counted to a bound, untold second tasks are `stray_task_open`. */
export async function countOddities(db: Database): Promise<Oddities> {
  const { rows } = await db.pool.query(
    `select (select count(*)::int from (select from anomaly limit $1) n) as anomalies,
            (select count(*)::int from (select from stray_task limit $1) n) as second_tasks,
            (select count(*)::int from (select from stray_task where told_at is null limit $1) n)
              as second_tasks_untold,
            (select count(*)::int from (
               select from payment_event where trouble is not null
               union all select from purchase where owed > 0 limit $1) n) as payment_troubles,
            count(*)::int as spooled_images,
            coalesce(sum(octet_length(bytes)), 0)::float8 as spooled_bytes
     from spool`,
    [COUNTED_MAX],
  )
  return Oddities.parse(rows[0])
}

const WorkerRow = z
  .object({ worker_id: z.string(), beat_at: z.date(), age_ms: z.number() })
  .transform((row) => ({ id: row.worker_id, beatAt: row.beat_at, ageMs: row.age_ms }))
export type WorkerBeat = z.infer<typeof WorkerRow>

/** Those that were heard of last. Workers that end in order take their line along. */
export async function findWorkers(db: Database, limit: number): Promise<readonly WorkerBeat[]> {
  const { rows } = await db.pool.query(
    `select worker_id, beat_at, (extract(epoch from app_now() - beat_at) * 1000)::float8 as age_ms
     from worker_heartbeat order by beat_at desc limit $1`,
    [limit],
  )
  return z.array(WorkerRow).parse(rows)
}
