import { readReadiness, type DatabaseReadiness } from '@/lib/db/readiness-store'
import type { Deps } from './deps'

// Three missed beats: one may be late, two may be unlucky.
export const BEAT_AGE_MS_MAX = 15_000

// Anybody may ask: one word for each part, and nothing of its names, addresses or numbers.
export type Readiness = {
  /** `degraded`: it works, and something that people will notice does not. */
  readonly status: 'ready' | 'degraded' | 'not ready'
  readonly checks: {
    readonly database: 'ok' | 'down'
    /** Against the newest migration that this version is written for. */
    readonly schema: 'ok' | 'older' | 'newer' | 'unknown'
    readonly images: 'ok' | 'down'
    readonly worker: 'ok' | 'silent' | 'unknown'
    readonly providers: 'ok' | 'down' | 'unknown'
  }
}

/**
 * Whether a click made now would lead to an image: each part is really asked. With `of: 'web'`, whether
 * it would be recorded: a web server is of use also while there is no worker.
 */
export async function checkReadiness(
  deps: Pick<Deps, 'db' | 'images'>,
  of: 'all' | 'web' = 'all',
): Promise<Readiness> {
  const [known, images] = await Promise.allSettled([readReadiness(deps.db), deps.images.check()])
  const checks: Readiness['checks'] = {
    ...(known.status === 'fulfilled' ? databaseChecks(known.value) : NO_DATABASE),
    images: images.status === 'fulfilled' ? 'ok' : 'down',
  }
  const isReady =
    checks.database === 'ok' &&
    // An older version goes on beside a newer schema; a newer one lacks what it calls.
    checks.schema !== 'older' &&
    checks.images === 'ok' &&
    (of === 'web' || checks.worker === 'ok')
  const isWhole = Object.values(checks).every((word) => word === 'ok')
  return { status: isReady ? (isWhole ? 'ready' : 'degraded') : 'not ready', checks }
}

type DatabaseChecks = Omit<Readiness['checks'], 'images'>

const NO_DATABASE: DatabaseChecks = {
  database: 'down',
  schema: 'unknown',
  worker: 'unknown',
  providers: 'unknown',
}

function databaseChecks(known: DatabaseReadiness): DatabaseChecks {
  const { beatAgeMs, hasOurMigration, hasNewerMigration, isProviderDown } = known
  const isHeard = beatAgeMs !== undefined && beatAgeMs <= BEAT_AGE_MS_MAX
  return {
    database: 'ok',
    schema: hasOurMigration ? (hasNewerMigration ? 'newer' : 'ok') : 'older',
    worker: isHeard ? 'ok' : 'silent',
    providers: isProviderDown ? 'down' : 'ok',
  }
}
