import { findAlerts, type AlertRow } from '@/lib/db/watch-store'
import { newestBeatAgeMs } from '@/lib/db/worker-store'
import { mayReview } from '@/lib/domain/role'
import type { AlertsView, AlertView } from '@/lib/web/admin-views'
import { BEAT_AGE_MS_MAX } from './check-readiness'
import type { Deps } from './deps'
import type { Admin } from './perform-admin-act'

/**
 * The alerts that stand, and those that were. Workers raise them; that there is no worker is seen by
 * looking, for then nobody raises anything.
 */
export async function readAlerts(deps: Deps, admin: Admin, limit: number): Promise<AlertsView> {
  if (!mayReview(admin.role)) return { is_watched: true, alerts: [] }
  const [alerts, beatMs] = await Promise.all([findAlerts(deps.db, limit), newestBeatAgeMs(deps.db)])
  return {
    is_watched: beatMs !== undefined && beatMs <= BEAT_AGE_MS_MAX,
    alerts: alerts.map(alertView),
  }
}

function alertView({ raised_at: raisedAt, cleared_at: clearedAt, ...row }: AlertRow): AlertView {
  return {
    ...row,
    raised_at: raisedAt.toISOString(),
    cleared_at: clearedAt?.toISOString() ?? null,
  }
}
