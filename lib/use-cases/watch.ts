import { mailAlert } from '@/lib/db/mail-store'
import {
  applyAlerts,
  claimNotices,
  findAudits,
  insertAudit,
  noteNotice,
  readFigures,
  type Channel,
  type Notice,
} from '@/lib/db/watch-store'
import { judgeFigures, type Thresholds } from '@/lib/domain/alert'
import { postWebhook, type Webhook } from '@/lib/watch/post-webhook'
import { auditLedger, type LedgerAudit } from './audit-ledger'
import type { Deps, WorkerDeps } from './deps'

/** What is watched, and who is told. */
export type WatchSettings = {
  readonly thresholds: Thresholds
  readonly webhook: Webhook | undefined
  /** Whom the outbox of mail tells. */
  readonly email: string | undefined
  /** How old the newest audit may become; undefined: no worker audits by itself. */
  readonly auditEveryMs: number | undefined
}

const NOTICES_AT_ONCE = 20

/** Sees what is so, raises and clears alerts, and tells what was not told yet. One worker at a time does it. */
export async function watch(deps: WorkerDeps): Promise<void> {
  const figures = await readFigures(deps.db)
  const { auditEveryMs, thresholds, webhook, email } = deps.watch
  const isAuditDue =
    auditEveryMs !== undefined &&
    (figures.auditAgeMs === undefined || figures.auditAgeMs > auditEveryMs)
  const violations = isAuditDue
    ? (await recordAudit(deps, deps.workerId)).violations.length
    : undefined
  const seen = { ...figures, violations: violations ?? figures.violations }
  const channels: readonly Channel[] = [
    ...(webhook ? (['webhook'] as const) : []),
    ...(email === undefined ? [] : (['email'] as const)),
  ]
  const firing = judgeFigures(seen, thresholds).map((alert) => ({ ...alert, id: deps.newId() }))
  await applyAlerts(deps.db, firing, channels)
  for (const notice of await claimNotices(deps.db, channels, NOTICES_AT_ONCE)) {
    await tell(deps, notice)
  }
}

async function tell(deps: WorkerDeps, notice: Notice): Promise<void> {
  const { webhook, email } = deps.watch
  const { alert_id: id, event, kind, subject, words, raised_at: raisedAt, cleared_at } = notice
  if (notice.channel === 'email') {
    // Told when it was sent, which whoever sends it notes.
    if (email !== undefined) await mailAlert(deps.db, { alertId: id, event }, email)
    return
  }
  if (!webhook) return
  const alert = { id, kind, subject, words, raised_at: raisedAt.toISOString() }
  const payload = {
    event,
    alert: {
      ...alert,
      cleared_at: event === 'cleared' ? (cleared_at?.toISOString() ?? null) : null,
    },
    installation: deps.appUrl,
  }
  const trouble = await postWebhook(webhook, payload, new Date())
  await noteNotice(deps.db, notice, trouble)
  if (trouble !== undefined) deps.log.warn({ alertId: id, kind, event, trouble }, 'alert not told')
}

/** Audits the ledger and keeps what it found. */
export async function recordAudit(
  deps: Pick<Deps, 'db' | 'log' | 'newId'>,
  actor: string,
): Promise<LedgerAudit> {
  const audit = await auditLedger(deps)
  await insertAudit(deps.db, {
    id: deps.newId(),
    actor,
    violations: audit.violations.length,
    truncated: audit.truncated,
    duration_ms: audit.duration_ms,
  })
  return audit
}

/** The newest audits, newest first. */
export const readAudits = (deps: Pick<Deps, 'db'>, limit: number) => findAudits(deps.db, limit)
