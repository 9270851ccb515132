import { createHmac } from 'node:crypto'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import {
  retryAfterSeconds,
  throttleRules,
  type ThrottleRule,
  type Try,
} from '@/lib/domain/throttle'
import type { Database } from './database'

export type Throttle = {
  /** Counts these tries. Answers after how many seconds to come back when one is too many. */
  readonly take: (tries: readonly Try[]) => Promise<number | undefined>
  /** They were rightful: what `take` counted does not count. */
  readonly giveBack: (tries: readonly Try[]) => Promise<void>
}

/** Counts nothing: `RATE_LIMIT=off`. */
export const noThrottle: Throttle = {
  take: () => Promise.resolve(undefined),
  giveBack: () => Promise.resolve(),
}

/**
 * Counts in PostgreSQL, so that it is one count for all web servers. What is stored is a digest keyed by
 * the installation's secret: no address and no e-mail can be read or tried out of it.
 */
export function createThrottle(db: Database, secret: string): Throttle {
  const limiters = new Map<ThrottleRule, RateLimiterPostgres>()
  const limiterOf = (rule: ThrottleRule) => {
    const known = limiters.get(rule)
    if (known) return known
    const { tries, seconds } = throttleRules[rule]
    const made = new RateLimiterPostgres({
      storeClient: db.pool,
      storeType: 'pool',
      tableName: 'rate_limit',
      // A migration made it; the app's role could not.
      tableCreated: true,
      // A worker does it, once for all.
      clearExpiredByTimeout: false,
      keyPrefix: rule,
      points: tries,
      duration: seconds,
    })
    limiters.set(rule, made)
    return made
  }
  const keyOf = ({ rule, of }: Try) =>
    createHmac('sha256', secret).update(`throttle:${rule}:${of}`).digest('base64url')

  return {
    take: async (tries) => {
      const waits = await Promise.all(
        tries.map(async (one) => waitOf(limiterOf(one.rule).consume(keyOf(one)))),
      )
      const longest = Math.max(0, ...waits)
      return longest > 0 ? retryAfterSeconds(longest) : undefined
    },
    giveBack: async (tries) => {
      await Promise.all(tries.map((one) => limiterOf(one.rule).reward(keyOf(one))))
    },
  }
}

/** In milliseconds; 0 when it may be tried. */
async function waitOf(consumed: Promise<unknown>): Promise<number> {
  try {
    await consumed
    return 0
  } catch (error) {
    // The library throws its answer when there is nothing left. Everything else is an error.
    if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext)
    throw error
  }
}

/** Forgets what does not count any more. */
export async function removeExpiredTries(db: Database): Promise<void> {
  await db.pool.query({
    name: 'remove_expired_tries',
    text: 'delete from rate_limit where expire < extract(epoch from now()) * 1000',
  })
}
