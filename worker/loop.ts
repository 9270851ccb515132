import { setTimeout as sleep } from 'node:timers/promises'
import { claimAttempts, type ClaimedAttempt } from '@/lib/db/attempt-store'
import { forgetOldMail } from '@/lib/db/mail-store'
import { removeExpiredTries } from '@/lib/db/throttle'
import { findTraceparent } from '@/lib/db/trace-store'
import { beat } from '@/lib/db/worker-store'
import type { WorkerDeps } from '@/lib/use-cases/deps'
import { cancelStrayTasks } from '@/lib/use-cases/cancel-stray-tasks'
import { sweepErasures } from '@/lib/use-cases/erase-account'
import { sweepDeletedPictures } from '@/lib/use-cases/keep-pictures'
import { replayEvidence } from '@/lib/use-cases/replay-evidence'
import { sendDueMail } from '@/lib/use-cases/send-mail'
import { resolveProjectCallbacks } from '@/lib/use-cases/resolve-project-callbacks'
import { takeNextAction } from '@/lib/use-cases/take-next-action'
import { verifyForAdmins } from '@/lib/use-cases/verify-for-admins'
import { watch } from '@/lib/use-cases/watch'
import { watchPurchases } from '@/lib/use-cases/watch-purchases'

// Polling is what guarantees progress. A claim that finds nothing costs one look at one index.
const IDLE_PAUSE_MS = 250
// A database in trouble is not helped by being asked four times a second.
const TROUBLE_PAUSE_MS = 1_000
const BEAT_EVERY_MS = 4_000
const WATCH_EVERY_MS = 10_000
const MAIL_PAUSE_MS = 1_000
// What a buyer who does not come back waits for at most, after the minute that an event may take.
const PURCHASES_PAUSE_MS = 5_000

/**
 * Claims due attempts and acts on them, as many at a time as `concurrency`, until the signal. Then
 * it claims no more, and resolves when all that it had begun is done.
 */
export async function runLoop(
  deps: WorkerDeps,
  concurrency: number,
  stop: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const beating = Promise.all([
    keepBeating(deps, stop),
    keepMailing(deps, stop),
    keepAskingStripe(deps, stop),
  ])
  const watching = keepWatching(deps, stop)
  while (!stop.aborted) {
    const free = concurrency - running.size
    const askedAt = new Date()
    const claimed = free > 0 ? await claim(deps, free) : []
    for (const attempt of claimed ?? []) {
      const work = act(deps, attempt, askedAt).finally(() => running.delete(work))
      running.add(work)
    }
    // A full batch means that more may be due. With no free place, the first to end makes one.
    if (claimed === undefined) await pause(TROUBLE_PAUSE_MS, stop)
    else if (free === 0) await Promise.race(running)
    else if (claimed.length < free) await pause(IDLE_PAUSE_MS, stop)
  }
  await Promise.all(running)
  await beating
  await watching
}

async function claim(
  deps: WorkerDeps,
  limit: number,
): Promise<readonly ClaimedAttempt[] | undefined> {
  try {
    return await claimAttempts(deps.db, limit, deps.leaseMs)
  } catch (error) {
    // The database is away or restarting. Nothing is lost by asking again.
    deps.log.error({ err: error }, 'claim failed')
    return undefined
  }
}

/** One attempt's trouble is its own. Its lease runs out, and whoever claims it next knows that. */
async function act(deps: WorkerDeps, claimed: ClaimedAttempt, askedAt: Date): Promise<void> {
  const { key, provider } = claimed
  const { model } = claimed.generation
  const { state } = claimed.state
  const about = { attemptId: key.id, accountId: key.accountId, provider, model, state }
  try {
    await deps.trace.join(
      () => findTraceparent(deps.db, key),
      'attempt.act',
      about,
      () => {
        deps.trace.past('attempt.claim', askedAt, {})
        return takeNextAction(deps, claimed)
      },
    )
  } catch (error) {
    deps.log.error({ err: error, attemptId: key.id, accountId: key.accountId }, 'action failed')
  }
}

async function keepBeating(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    try {
      await beat(deps.db, deps.workerId)
      await replayEvidence(deps)
      await resolveProjectCallbacks(deps)
      await verifyForAdmins(deps)
      await sweepDeletedPictures(deps)
      await sweepErasures(deps)
      await cancelStrayTasks(deps)
      await removeExpiredTries(deps.db)
      await forgetOldMail(deps.db)
    } catch (error) {
      // A worker that cannot reach the database should not be heard of. It tries again soon.
      deps.log.warn({ err: error }, 'beat failed')
    }
    await pause(BEAT_EVERY_MS, stop)
  }
}

/** Apart from the beats: an audit of a large ledger takes minutes. */
async function keepWatching(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    try {
      await watch(deps)
    } catch (error) {
      deps.log.warn({ err: error }, 'watch failed')
    }
    await pause(WATCH_EVERY_MS, stop)
  }
}

/** Apart from everything else, as mail is: Stripe may be slow. */
async function keepAskingStripe(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  while (deps.payments && !stop.aborted) {
    try {
      await watchPurchases(deps)
    } catch (error) {
      deps.log.warn({ err: error }, 'purchases not looked for')
    }
    await pause(PURCHASES_PAUSE_MS, stop)
  }
}

/** Apart from everything else: a mail server that is slow keeps nobody's image waiting. */
async function keepMailing(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  const { mailer } = deps
  if (!mailer) return
  while (!stop.aborted) {
    try {
      if (await sendDueMail(deps, mailer)) continue
    } catch (error) {
      deps.log.warn({ err: error }, 'mail not looked for')
    }
    await pause(MAIL_PAUSE_MS, stop)
  }
  mailer.close()
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch((error: unknown) => {
    if (!stop.aborted) throw error
  })
}
