import {
  deferAttempt,
  recordUsage,
  type ClaimedAttempt,
  type UsageNews,
} from '@/lib/db/attempt-store'
import type { Circumstances, Decision, News } from '@/lib/domain/decision'
import type { WorkerDeps } from './deps'
import { recordNews } from './record-news'

/** Records what was learned under the lease, and ends the lease. */
export async function learn(
  deps: WorkerDeps,
  claimed: ClaimedAttempt,
  news: News,
  usage?: UsageNews,
): Promise<Decision> {
  const start = {
    version: claimed.version,
    state: claimed.state,
    epoch: claimed.epoch,
    circumstances: circumstancesOf(deps, claimed),
  }
  const { decision, outcome } = await recordNews(deps, claimed.key, news, deps.workerId, {
    start,
    usage,
  })
  if (decision.kind === 'wait') {
    await deferAttempt(deps.db, claimed, {
      dueInMs: decision.dueInMs,
      looked: news.kind === 'observation' && news.observation.kind === 'pending',
      progress: decision.progress,
    })
  }
  if (decision.kind !== 'record' && usage) await recordUsage(deps.db, claimed.key, usage)
  if (outcome !== 'applied') {
    deps.log.warn({ attemptId: claimed.key.id, outcome, news: news.kind }, 'news not recorded')
  }
  return decision
}

function circumstancesOf(deps: WorkerDeps, claimed: ClaimedAttempt): Circumstances {
  const { ageMs, stateAgeMs, tries, sends, sendingAgeMs, lastKind, lastEvidence } = claimed
  return {
    ageMs,
    stateAgeMs,
    tries,
    sends,
    sendingAgeMs,
    lastKind,
    lastEvidence,
    random: deps.random(),
    compensateAfterMs: deps.compensationPolicy?.afterMs,
  }
}
