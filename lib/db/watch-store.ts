import { z } from 'zod'
import { alertKinds, type Figures, type Firing } from '@/lib/domain/alert'
import type { Database } from './database'
import { keepableJson, keepableText } from './keepable'

// A worker that ended in order takes its line along. One that was killed and came back on the same
// machine has another line; after a day it is history.
const FIGURES = `
  with open as (
    select a.state, a.settlement, a.reserved_credits, a.created_at
    from attempt_work w join attempt a on a.id = w.attempt_id and a.account_id = w.account_id)
  select
    (select (extract(epoch from app_now() - min(created_at)) * 1000)::float8 from open
     where state = 'status_unknown' and settlement is null) as oldest_unresolved_ms,
    (select coalesce(sum(reserved_credits), 0)::float8 from open where settlement is null)
      as held_credits,
    (select count(*)::int from spool) as spooled_images,
    (select coalesce(sum(octet_length(bytes)), 0)::float8 from spool) as spooled_bytes,
    (select coalesce(jsonb_agg(jsonb_build_object('state', state, 'attempts', n)), '[]')
     from (select state, count(*) as n from open group by state) s) as open,
    (select coalesce(jsonb_agg(jsonb_build_object('id', h.worker_id, 'ageMs',
              extract(epoch from app_now() - h.beat_at) * 1000)), '[]')
     from worker_heartbeat h
     where h.beat_at < app_now() - interval '1 minute' and h.beat_at > app_now() - interval '1 day'
       and not exists (
         select from worker_heartbeat n
         where n.started_at >= h.beat_at
           and split_part(n.worker_id, ':', 2) = split_part(h.worker_id, ':', 2))) as silent_workers,
    (select (extract(epoch from app_now() - max(beat_at)) * 1000)::float8 from worker_heartbeat)
      as newest_beat_ms,
    (select coalesce(jsonb_agg(jsonb_build_object('provider', provider, 'reason', reason)), '[]')
     from provider_block where blocked_until > app_now()) as refusals,
    (select coalesce(jsonb_agg(jsonb_build_object(
              'provider', provider, 'outcome', coalesce(outcome, 'open'), 'posts', n)), '[]')
     from (select provider, outcome, count(*) as n from usage_record
           where sent_at > app_now() - interval '1 hour' group by 1, 2) u) as outcomes,
    (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'subject', subject)), '[]')
     from alert where cleared_at is null) as firing,
    n.violations, (extract(epoch from app_now() - n.ran_at) * 1000)::float8 as audit_age_ms
  from (select 1) x
  left join lateral (select violations, ran_at from ledger_audit order by ran_at desc limit 1) n on true`

const Measured = z
  .object({
    oldest_unresolved_ms: z.number().nullable(),
    held_credits: z.number(),
    spooled_images: z.int(),
    spooled_bytes: z.number(),
    open: z.array(z.object({ state: z.string(), attempts: z.int() })),
    silent_workers: z.array(z.object({ id: z.string(), ageMs: z.number() })),
    newest_beat_ms: z.number().nullable(),
    refusals: z.array(z.object({ provider: z.string(), reason: z.string() })),
    outcomes: z.array(z.object({ provider: z.string(), outcome: z.string(), posts: z.int() })),
    firing: z.array(z.object({ kind: z.string(), subject: z.string() })),
    violations: z.int().nullable(),
    audit_age_ms: z.number().nullable(),
  })
  .transform((row) => ({
    oldestUnresolvedMs: row.oldest_unresolved_ms ?? undefined,
    heldCredits: row.held_credits,
    spooledImages: row.spooled_images,
    spooledBytes: row.spooled_bytes,
    open: row.open,
    silentWorkers: row.silent_workers,
    newestBeatMs: row.newest_beat_ms ?? undefined,
    refusals: row.refusals,
    outcomes: row.outcomes,
    firing: row.firing,
    violations: row.violations ?? undefined,
    auditAgeMs: row.audit_age_ms ?? undefined,
  }))
export type Measured = z.infer<typeof Measured> & Figures

/** Everything that alerts and metrics are made of, in one statement over what is open or small. */
export async function readFigures(db: Database): Promise<Measured> {
  const { rows } = await db.pool.query(FIGURES)
  return Measured.parse(rows[0])
}

export type Channel = 'webhook' | 'email'

/** `busy`: another worker is at it. */
export async function applyAlerts(
  db: Database,
  firing: readonly (Firing & { readonly id: string })[],
  channels: readonly Channel[],
): Promise<'applied' | 'busy'> {
  const { rows } = await db.pool.query('select apply_alerts($1, $2) as outcome', [
    keepableJson(firing),
    channels,
  ])
  return z.object({ outcome: z.enum(['applied', 'busy']) }).parse(rows[0]).outcome
}

const Notice = z.object({
  alert_id: z.uuid(),
  event: z.enum(['raised', 'cleared']),
  channel: z.enum(['webhook', 'email']),
  kind: z.enum(alertKinds),
  subject: z.string(),
  words: z.string(),
  raised_at: z.date(),
  cleared_at: z.date().nullable(),
})
export type Notice = Readonly<z.infer<typeof Notice>>

/** Those that are due, each to one caller. What is not noted as delivered comes again later. */
export async function claimNotices(
  db: Database,
  channels: readonly Channel[],
  limit: number,
): Promise<readonly Notice[]> {
  const { rows } = await db.pool.query('select * from claim_notices($1, $2)', [channels, limit])
  return z.array(Notice).parse(rows)
}

export async function noteNotice(
  db: Database,
  { alert_id: id, event, channel }: Notice,
  trouble: string | undefined,
): Promise<void> {
  await db.pool.query('select note_notice($1, $2, $3, $4)', [
    id,
    event,
    channel,
    trouble === undefined ? null : keepableText(trouble) || 'no reason was given',
  ])
}

const AlertRow = z.object({
  id: z.uuid(),
  kind: z.enum(alertKinds),
  subject: z.string(),
  words: z.string(),
  raised_at: z.date(),
  cleared_at: z.date().nullable(),
  untold: z.int(),
})
export type AlertRow = Readonly<z.infer<typeof AlertRow>>

/** Those that stand, and then those that were, newest first. `untold`: notices that nobody took yet. */
export async function findAlerts(db: Database, limit: number): Promise<readonly AlertRow[]> {
  const { rows } = await db.pool.query(
    `select a.id, a.kind, a.subject, a.words, a.raised_at, a.cleared_at,
            (select count(*)::int from alert_notice n
             where n.alert_id = a.id and n.delivered_at is null) as untold
     from alert a order by a.cleared_at is not null, a.raised_at desc limit $1`,
    [limit],
  )
  return z.array(AlertRow).parse(rows)
}

const AuditRow = z.object({
  id: z.uuid(),
  ran_at: z.date(),
  actor: z.string(),
  violations: z.int(),
  truncated: z.boolean(),
  duration_ms: z.int(),
})
export type AuditRow = Readonly<z.infer<typeof AuditRow>>

export async function insertAudit(db: Database, audit: Omit<AuditRow, 'ran_at'>): Promise<void> {
  await db.pool.query(
    `insert into ledger_audit (id, actor, violations, truncated, duration_ms)
     values ($1, $2, $3, $4, $5)`,
    [audit.id, audit.actor, audit.violations, audit.truncated, audit.duration_ms],
  )
}

export async function findAudits(db: Database, limit: number): Promise<readonly AuditRow[]> {
  const { rows } = await db.pool.query(
    `select id, ran_at, actor, violations, truncated, duration_ms from ledger_audit
     order by ran_at desc limit $1`,
    [limit],
  )
  return z.array(AuditRow).parse(rows)
}
