import { z } from 'zod'
import type { Database } from './database'
import { NEWEST_MIGRATION } from './newest-migration'

// Fewer may be bad luck.
const UNANSWERED_POSTS_MIN = 3

// Whether a provider took or refused what it was sent, it answers. Those that refuse our key are out of
// offer, and so are no less down.
const STATEMENT = `
  select
    (select (extract(epoch from app_now() - max(beat_at)) * 1000)::float8 from worker_heartbeat)
      as beat_age_ms,
    exists (select from _prisma_migrations
            where migration_name = $1 and finished_at is not null and rolled_back_at is null) as has_ours,
    exists (select from _prisma_migrations
            where migration_name > $1 and finished_at is not null and rolled_back_at is null) as has_newer,
    exists (select from provider_block where blocked_until > app_now())
    or exists (select from usage_record
               where sent_at > app_now() - interval '5 minutes' and outcome is not null
               group by provider
               having count(*) >= $2 and bool_and(outcome in ('unknown', 'rejected-for-now')))
      as is_provider_down`

const Row = z
  .object({
    beat_age_ms: z.number().nullable(),
    has_ours: z.boolean(),
    has_newer: z.boolean(),
    is_provider_down: z.boolean(),
  })
  .transform((row) => ({
    beatAgeMs: row.beat_age_ms ?? undefined,
    hasOurMigration: row.has_ours,
    hasNewerMigration: row.has_newer,
    isProviderDown: row.is_provider_down,
  }))
export type DatabaseReadiness = Readonly<z.infer<typeof Row>>

/** What the database knows of whether this version can work with it, and of who works. */
export async function readReadiness(db: Database): Promise<DatabaseReadiness> {
  const { rows } = await db.pool.query({
    name: 'readiness',
    text: STATEMENT,
    values: [NEWEST_MIGRATION, UNANSWERED_POSTS_MIN],
  })
  return Row.parse(rows[0])
}
