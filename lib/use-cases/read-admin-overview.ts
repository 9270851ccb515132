import {
  countOddities,
  countOpenAttempts,
  findWorkers,
  sumUnchargedCosts,
} from '@/lib/db/admin-overview-reader'
import {
  countFailedLooks,
  measureLag,
  measureModels,
  measureProviders,
  type ProviderHour,
} from '@/lib/db/admin-health-reader'
import { findAudits, type AuditRow } from '@/lib/db/watch-store'
import { findOpenRequests } from '@/lib/db/credit-request-store'
import { readProviderBlocks } from '@/lib/db/provider-store'
import { mayReview } from '@/lib/domain/role'
import { ageBands, type AuditView, type OverviewView } from '@/lib/web/admin-views'
import { BEAT_AGE_MS_MAX } from './check-readiness'
import { requestView } from './credit-request-view'
import type { Deps } from './deps'
import type { Admin } from './perform-admin-act'

const WORKERS_SHOWN_MAX = 50
const REQUESTS_SHOWN_MAX = 50

/** What is stuck, what it holds and costs, and who is at work. Undefined for who is no admin. */
export async function readAdminOverview(
  deps: Deps,
  admin: Admin,
): Promise<OverviewView | undefined> {
  if (!mayReview(admin.role)) return undefined
  const { db } = deps
  const [counts, costs, oddities, workers, blocks, requests, models, hours, looks, lag, audits] =
    await Promise.all([
      countOpenAttempts(db),
      sumUnchargedCosts(db),
      countOddities(db),
      findWorkers(db, WORKERS_SHOWN_MAX),
      readProviderBlocks(db),
      findOpenRequests(db, REQUESTS_SHOWN_MAX),
      measureModels(db),
      measureProviders(db),
      countFailedLooks(db),
      measureLag(db),
      findAudits(db, 1),
    ])
  return {
    viewer: admin.role,
    models,
    health: healthOf(hours, looks),
    lag_ms: lag ?? null,
    audit: auditView(audits[0]),
    requests: requests.map((request) => requestView(request, admin)),
    open: summedBy(counts, ({ state }) => state).map(([state, sums]) => ({ state, ...sums })),
    unresolved: summedBy(
      counts.filter(({ state }) => state === 'status_unknown'),
      ({ provider }) => provider,
    ).map(([provider, sums]) => ({ provider, ...sums })),
    blocks: blocks.map(({ provider, reason, blockedUntil }) => ({
      provider,
      reason,
      until: blockedUntil.toISOString(),
    })),
    anomalies: oddities.anomalies,
    second_tasks: oddities.second_tasks,
    second_tasks_untold: oddities.second_tasks_untold,
    payment_troubles: oddities.payment_troubles,
    spool: { images: oddities.spooled_images, bytes: oddities.spooled_bytes },
    workers: workers.map(({ id, beatAt, ageMs }) => ({
      id,
      beat_at: beatAt.toISOString(),
      is_silent: ageMs > BEAT_AGE_MS_MAX,
    })),
    costs,
  }
}

function healthOf(
  hours: readonly ProviderHour[],
  looks: ReadonlyMap<string, number>,
): OverviewView['health'] {
  const names = [...new Set([...hours.map(({ provider }) => provider), ...looks.keys()])].sort()
  return names.map((provider) => {
    const those = hours.filter((hour) => hour.provider === provider)
    const sum = (part: 'taken' | 'refused' | 'unknown') =>
      those.reduce((total, hour) => total + hour[part], 0)
    const newest = Math.max(...those.map((hour) => hour.last_taken_at?.getTime() ?? -Infinity))
    return {
      provider,
      taken: sum('taken'),
      refused: sum('refused'),
      unknown: sum('unknown'),
      failed_looks: looks.get(provider) ?? 0,
      last_taken_at: Number.isFinite(newest) ? new Date(newest).toISOString() : null,
      hours: those.map(({ hours_ago, taken, refused, unknown }) => ({
        hours_ago,
        taken,
        refused,
        unknown,
      })),
    }
  })
}

function auditView(audit: AuditRow | undefined): AuditView | null {
  return audit ? { ...audit, ran_at: audit.ran_at.toISOString() } : null
}

type Count = Awaited<ReturnType<typeof countOpenAttempts>>[number]

/** One sum for each name and age. */
function summedBy<Name extends string>(
  counts: readonly Count[],
  nameOf: (count: Count) => Name,
): readonly (readonly [Name, Pick<Count, 'age' | 'attempts' | 'held'>])[] {
  return [...new Set(counts.map(nameOf))].flatMap((name) =>
    ageBands.flatMap((age) => {
      const those = counts.filter((count) => nameOf(count) === name && count.age === age)
      if (those.length === 0) return []
      const total = (part: 'attempts' | 'held') => those.reduce((sum, one) => sum + one[part], 0)
      return [[name, { age, attempts: total('attempts'), held: total('held') }] as const]
    }),
  )
}
