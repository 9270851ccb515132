import {
  applyDecision,
  beginSubmission,
  deferAttempt,
  type ClaimedAttempt,
} from '@/lib/db/attempt-store'
import { decideCompensation } from '@/lib/domain/compensation'
import type { Circumstances, Decision, News } from '@/lib/domain/decide'
import type { TaskId } from '@/lib/domain/ids'
import { assertNever, invariant } from '@/lib/domain/invariant'
import { nextAction } from '@/lib/domain/next-action'
import type { SubmitOutcome } from '@/lib/domain/observation'
import { AWAIT_EVIDENCE_MS } from '@/lib/domain/pace'
import type { Provider } from '@/lib/domain/provider'
import { callbackTokenOf } from './callback-token'
import { deliverResult } from './deliver-result'
import type { WorkerDeps } from './deps'
import { keepEvidence } from './replay-evidence'
import { recordNews } from './record-news'

const OBSERVE_TIMEOUT_MS = 10_000
// A provider that is not configured here may be on another worker.
const NO_PROVIDER_PAUSE_MS = 30_000

/** Does the one thing that the state asks for, under the lease, and ends the lease. */
export async function takeNextAction(deps: WorkerDeps, claimed: ClaimedAttempt): Promise<void> {
  if (await compensate(deps, claimed)) return
  const action = nextAction(claimed.state)
  const provider = deps.providers.get(claimed.provider)
  switch (action) {
    case 'mark_unknown':
      await learn(deps, claimed, { kind: 'submission-lost' })
      return
    case 'await_evidence':
      await deferAttempt(deps.db, claimed, {
        dueInMs: evidencePauseMs(deps, claimed),
        looked: false,
        progress: undefined,
      })
      return
    case 'submit':
    case 'observe':
    case 'deliver':
      if (!provider) {
        deps.log.warn({ attemptId: claimed.key.id, provider: claimed.provider }, 'provider missing')
        await deferAttempt(deps.db, claimed, {
          dueInMs: NO_PROVIDER_PAUSE_MS,
          looked: false,
          progress: undefined,
        })
        return
      }
      await act(deps, claimed, provider, action)
      return
    case 'none':
      return
    default:
      assertNever(action)
  }
}

/** Applies the written policy, if it asks for it now. The outcome stays open. */
async function compensate(deps: WorkerDeps, claimed: ClaimedAttempt): Promise<boolean> {
  const decision = decideCompensation(claimed, deps.compensationPolicy)
  if (!decision) return false
  const { key, version, epoch } = claimed
  const actor = `policy:${decision.policyVersion ?? 0}`
  const outcome = await applyDecision(deps.db, { key, version, epoch, actor }, decision)
  deps.log.info({ attemptId: key.id, accountId: key.accountId, outcome }, 'attempt compensated')
  return true
}

async function act(
  deps: WorkerDeps,
  claimed: ClaimedAttempt,
  provider: Provider,
  action: 'submit' | 'observe' | 'deliver',
): Promise<void> {
  switch (action) {
    case 'submit':
      await submit(deps, claimed, provider)
      return
    case 'observe': {
      const observation = await provider.observe(
        taskOf(claimed),
        AbortSignal.timeout(OBSERVE_TIMEOUT_MS),
      )
      await learn(deps, claimed, { kind: 'observation', observation })
      return
    }
    case 'deliver': {
      const { state } = claimed
      invariant(
        state.state === 'delivering' || state.state === 'storage_failed',
        'only a made image is delivered',
      )
      const storeFailed = claimed.lastKind === 'store_failed'
      const outcome = await deliverResult(deps, claimed.key, state.result, provider, storeFailed)
      await learn(deps, claimed, { kind: 'delivery', outcome })
      return
    }
    default:
      assertNever(action)
  }
}

/** Nothing to look at: the next thing that can happen by itself is the policy's hour. */
function evidencePauseMs(deps: WorkerDeps, { settlement, stateAgeMs }: ClaimedAttempt): number {
  const afterMs = settlement === null ? deps.compensationPolicy?.afterMs : undefined
  return Math.min(AWAIT_EVIDENCE_MS, Math.max(0, (afterMs ?? Infinity) - stateAgeMs))
}

/** Commits the intent, POSTs once, records what was learned. A crash between any two is unknown. */
async function submit(
  deps: WorkerDeps,
  claimed: ClaimedAttempt,
  provider: Provider,
): Promise<void> {
  const startedMs = deps.monotonicMs()
  const begun = await beginSubmission(deps.db, claimed, deps.leaseMs, deps.workerId)
  if (begun !== 'applied') {
    deps.log.warn({ attemptId: claimed.key.id, outcome: begun }, 'submission not begun')
    return
  }
  const outcome = await postOnce(deps, claimed, provider, startedMs)
  const submitting: ClaimedAttempt = {
    ...claimed,
    version: claimed.version + 1,
    sends: claimed.sends + 1,
    state: { state: 'submitting' },
  }
  deps.log.info({ attemptId: claimed.key.id, outcome: outcome.kind }, 'submission answered')
  const news = { kind: 'submission', outcome, send: submitting.sends } as const
  try {
    await learn(deps, submitting, news)
  } catch (error) {
    // The answer is worth an image and the database cannot be told now: it waits on the disk.
    deps.log.error({ err: error, attemptId: claimed.key.id }, 'answer not recorded')
    await keepEvidence(deps, claimed.key, news)
  }
}

async function postOnce(
  deps: WorkerDeps,
  { key, generation }: ClaimedAttempt,
  provider: Provider,
  startedMs: number,
): Promise<SubmitOutcome> {
  // The lease must outlive the request, or another worker would act while ours is on the wire. The
  // clock was started before the lease was asked for, so this errs on the safe side.
  if (deps.monotonicMs() - startedMs > deps.leaseMs - deps.submitTimeoutMs) {
    const reason = 'Nothing was sent: too little of the lease was left.'
    return { kind: 'rejected-for-now', retryAfterMs: undefined, evidence: { reason } }
  }
  const token = callbackTokenOf(deps.callbackSecret, key.id)
  return provider.submit(
    {
      reference: key.id,
      ...generation,
      callbackUrl: `${deps.appUrl}/api/callbacks/${provider.name}/${token}`,
    },
    AbortSignal.timeout(deps.submitTimeoutMs),
  )
}

async function learn(deps: WorkerDeps, claimed: ClaimedAttempt, news: News): Promise<Decision> {
  const { decision, outcome } = await recordNews(deps, claimed.key, news, deps.workerId, {
    version: claimed.version,
    state: claimed.state,
    epoch: claimed.epoch,
    circumstances: circumstancesOf(deps, claimed),
  })
  if (decision.kind === 'wait') {
    await deferAttempt(deps.db, claimed, {
      dueInMs: decision.dueInMs,
      looked: news.kind === 'observation' && news.observation.kind === 'pending',
      progress: decision.progress,
    })
  }
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

function taskOf({ state }: ClaimedAttempt): TaskId {
  invariant(
    (state.state === 'pending' || state.state === 'status_unknown') && state.taskId !== undefined,
    'only an attempt with a task is observed',
  )
  return state.taskId
}
