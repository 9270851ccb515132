import {
  countOddities,
  countOpenAttempts,
  findWorkers,
  sumUnchargedCosts,
} from '@/lib/db/admin-overview-reader'
import { findOpenRequests } from '@/lib/db/credit-request-store'
import { readProviderBlocks } from '@/lib/db/provider-store'
import { mayReview } from '@/lib/domain/role'
import { ageBands, type OverviewView } from '@/lib/web/admin-views'
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
  const [counts, costs, oddities, workers, blocks, requests] = await Promise.all([
    countOpenAttempts(db),
    sumUnchargedCosts(db),
    countOddities(db),
    findWorkers(db, WORKERS_SHOWN_MAX),
    readProviderBlocks(db),
    findOpenRequests(db, REQUESTS_SHOWN_MAX),
  ])
  return {
    viewer: admin.role,
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
    spool: { images: oddities.spooled_images, bytes: oddities.spooled_bytes },
    workers: workers.map(({ id, beatAt, ageMs }) => ({
      id,
      beat_at: beatAt.toISOString(),
      is_silent: ageMs > BEAT_AGE_MS_MAX,
    })),
    costs,
  }
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
