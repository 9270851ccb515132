import { z } from 'zod'
import type { AccountId } from '@/lib/domain/ids'
import type { Database } from './database'

const LogRow = z.object({
  id: z.string(),
  seq: z.string(),
  actor: z.string(),
  act: z.string(),
  subject: z.string(),
  detail: z.record(z.string(), z.unknown()),
  reason: z.string(),
  asked_at: z.date().transform((date) => date.toISOString()),
  outcome: z.string().nullable(),
  ended_at: z
    .date()
    .nullable()
    .transform((date) => date?.toISOString() ?? null),
})
export type LogRow = Readonly<z.infer<typeof LogRow>>

/** Newest first, and one line more if there are more. Each filter has its index, in this order. */
export async function findLogPage(
  db: Database,
  page: {
    readonly actors: readonly string[] | undefined
    readonly subject: string | undefined
    readonly act: string | undefined
    readonly role: string | undefined
    /** From then on, and before then. */
    readonly from: Date | undefined
    readonly before: Date | undefined
    readonly olderThan: string | undefined
    readonly limit: number
  },
): Promise<readonly LogRow[]> {
  const { rows } = await db.pool.query(
    `select id, seq::text, actor, act, subject, detail, reason, asked_at, outcome, ended_at
     from admin_log
     where ($1::text[] is null or actor = any($1)) and ($2::text is null or subject = $2)
       and ($3::bigint is null or seq < $3)
       and ($5::text is null or act = $5) and ($6::text is null or actor_role = $6)
       and ($7::timestamptz is null or asked_at >= $7) and ($8::timestamptz is null or asked_at < $8)
     order by seq desc limit $4`,
    [
      page.actors ?? null,
      page.subject ?? null,
      page.olderThan ?? null,
      page.limit + 1,
      page.act ?? null,
      page.role ?? null,
      page.from ?? null,
      page.before ?? null,
    ],
  )
  return z.array(LogRow).parse(rows)
}

/** Whether this admin recorded within the hour why they read what this account wrote. */
export async function mayReadPrompts(
  db: Database,
  adminId: AccountId,
  accountId: AccountId,
): Promise<boolean> {
  const { rows } = await db.pool.query(
    `select from admin_log
     where subject = $2 and actor_id = $1 and act = 'read-prompts'
       and ended_at > app_now() - interval '1 hour'
     limit 1`,
    [adminId, `account:${accountId}`],
  )
  return rows.length > 0
}
