import { z } from 'zod'
import type { Database } from './database'

/** Says that this worker lives. */
export async function beat(db: Database, workerId: string): Promise<void> {
  await db.pool.query({
    name: 'worker_beat',
    text: `insert into worker_heartbeat (worker_id) values ($1)
           on conflict (worker_id) do update set beat_at = app_now()`,
    values: [workerId],
  })
}

/** A worker that ended in order is not missed. */
export async function removeHeartbeat(db: Database, workerId: string): Promise<void> {
  await db.prisma.workerHeartbeat.deleteMany({ where: { workerId } })
}

const AgeRow = z.object({ age_ms: z.number().nullable() })

/** Milliseconds since any worker was last heard of, or undefined when none ever was. */
export async function newestBeatAgeMs(db: Database): Promise<number | undefined> {
  const { rows } = await db.pool.query({
    name: 'newest_beat',
    text: `select (extract(epoch from app_now() - max(beat_at)) * 1000)::float8 as age_ms
           from worker_heartbeat`,
  })
  return AgeRow.parse(rows[0]).age_ms ?? undefined
}
