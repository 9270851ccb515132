import type { AttemptState, AttemptStateName, Failure, ResultRef, SettlementKind } from './attempt'
import { UNUSABLE_FETCHES_MAX, type DeliveryOutcome, type StoredImage } from './delivery'
import type { TaskId } from './ids'
import { assertNever } from './invariant'
import type { Evidence, Observation, SubmitOutcome } from './observation'
import {
  AWAIT_EVIDENCE_MS,
  deliverAgainAfterMs,
  lookAgainAfterMs,
  observeAgainAfterMs,
  sendAgainAfterMs,
  SENDING_MS_MAX,
  SENDS_MAX,
} from './pace'

/** Something learned, by the worker, from a callback or from an operator. */
export type News =
  /** What became of the given send, counting from 1. */
  | { readonly kind: 'submission'; readonly outcome: SubmitOutcome; readonly send: number }
  /** The lease was lost between the intent and its outcome. */
  | { readonly kind: 'submission-lost' }
  | { readonly kind: 'observation'; readonly observation: Observation }
  | { readonly kind: 'delivery'; readonly outcome: DeliveryOutcome }
  /** A verified callback names the task that the attempt became. */
  | { readonly kind: 'task-reported'; readonly taskId: TaskId }
  /** Its owner does not want it any more. */
  | { readonly kind: 'cancel-requested' }

/** What the decision may depend on besides the state. Ages are of the database's clock. */
export type Circumstances = {
  readonly ageMs: number
  readonly stateAgeMs: number
  readonly tries: number
  readonly sends: number
  readonly sendingAgeMs: number
  /** The kind and evidence of the newest line of history. */
  readonly lastKind: string
  readonly lastEvidence: Readonly<Record<string, unknown>>
  /** Drawn by the caller, in [0, 1). */
  readonly random: number
  /** From which age an unresolved attempt is compensated by policy; undefined when none is. */
  readonly compensateAfterMs: number | undefined
}

export type Decision =
  /** Changes what is known, or adds a line of evidence where `to` is the state it was in. */
  | {
      readonly kind: 'record'
      readonly to: AttemptStateName
      readonly because: string
      readonly evidence: Readonly<Record<string, unknown>>
      readonly taskId?: TaskId
      readonly result?: ResultRef
      readonly failure?: Failure
      readonly image?: StoredImage
      readonly settlement?: SettlementKind
      /** Why it was settled so; a compensation has one always. */
      readonly reason?: string
      readonly policyVersion?: number
      readonly dueInMs: number
    }
  /** Nothing new: look again later. */
  | { readonly kind: 'wait'; readonly dueInMs: number; readonly progress: number | undefined }
  /** A contradiction: somebody paid for it, so a person looks at it. The user is never charged. */
  | {
      readonly kind: 'anomaly'
      readonly because: string
      readonly evidence: Readonly<Record<string, unknown>>
    }

const BUSY: Failure = {
  code: 'provider_unavailable',
  message: 'The image service is busy. Try again in a minute.',
}

const CANCELLED: Failure = { code: 'cancelled', message: 'You cancelled it before it was sent.' }

// A task may be unknown to a provider's status service for a moment after it was accepted.
const MISSING_TASK_GRACE_MS = 60_000

/**
 * The one place that decides what news means. Only proof ends an attempt: a failed look, a lost
 * answer and the passing of time never do.
 */
export function decide(state: AttemptState, news: News, circumstances: Circumstances): Decision {
  switch (news.kind) {
    case 'submission':
      return decideSubmission(state, news, circumstances)
    case 'submission-lost':
      return state.state === 'submitting'
        ? unknownSubmission(
            { reason: 'The worker stopped before it learned the answer.' },
            circumstances,
          )
        : { kind: 'wait', dueInMs: 0, progress: undefined }
    case 'observation':
      return decideObservation(state, news.observation, circumstances)
    case 'delivery':
      return decideDelivery(state, news.outcome, circumstances)
    case 'task-reported':
      return decideTask(state, news.taskId, 'task_reported')
    case 'cancel-requested':
      // Only while nothing was sent is cancelling a fact and not a wish.
      return state.state === 'initializing'
        ? failed('cancelled', CANCELLED, {})
        : { kind: 'wait', dueInMs: 0, progress: undefined }
    default:
      return assertNever(news)
  }
}

function decideSubmission(
  state: AttemptState,
  { outcome, send }: Extract<News, { kind: 'submission' }>,
  circumstances: Circumstances,
): Decision {
  if (outcome.kind === 'accepted') return decideTask(state, outcome.taskId, 'accepted')
  // That an earlier send made nothing, told once more, says nothing of the one after it.
  if (send !== circumstances.sends) return { kind: 'wait', dueInMs: 0, progress: undefined }
  if (state.state === 'status_unknown' && state.taskId === undefined) {
    return decideLateRejection(outcome)
  }
  // Another source was faster, for example a callback: what it told is stronger than no answer.
  if (state.state !== 'submitting') return { kind: 'wait', dueInMs: 0, progress: undefined }
  switch (outcome.kind) {
    case 'rejected':
      return failed('rejected', outcome.failure, { ...outcome.evidence })
    case 'rejected-for-now':
      return decideSendingAgain(outcome.retryAfterMs, outcome.evidence, circumstances)
    case 'unknown':
      return unknownSubmission(outcome.evidence, circumstances)
    default:
      return assertNever(outcome)
  }
}

/** The answer came after the lease was lost: a rejection still proves that nothing was created. */
function decideLateRejection(outcome: Exclude<SubmitOutcome, { kind: 'accepted' }>): Decision {
  switch (outcome.kind) {
    case 'rejected':
      return failed('rejected_late', outcome.failure, { ...outcome.evidence })
    case 'rejected-for-now':
      return failed('rejected_late', BUSY, { ...outcome.evidence })
    case 'unknown':
      return { kind: 'wait', dueInMs: AWAIT_EVIDENCE_MS, progress: undefined }
    default:
      return assertNever(outcome)
  }
}

function decideSendingAgain(
  retryAfterMs: number | undefined,
  evidence: Evidence,
  { sends, sendingAgeMs, random }: Circumstances,
): Decision {
  const pauseMs = sendAgainAfterMs(sends, random, retryAfterMs)
  if (sends < SENDS_MAX && sendingAgeMs + pauseMs <= SENDING_MS_MAX) {
    return {
      kind: 'record',
      to: 'initializing',
      because: 'not_accepted',
      evidence: { ...evidence },
      dueInMs: pauseMs,
    }
  }
  const failure: Failure =
    retryAfterMs === undefined
      ? BUSY
      : {
          code: 'provider_unavailable',
          message: `The image service is busy. Try again in ${Math.ceil(retryAfterMs / 1_000)} seconds.`,
        }
  return failed('not_accepted_finally', failure, { ...evidence, sends })
}

function decideTask(state: AttemptState, taskId: TaskId, because: string): Decision {
  switch (state.state) {
    case 'submitting':
      return pendingWith(taskId, because)
    case 'initializing':
      return { kind: 'anomaly', because: 'task_before_submission', evidence: { taskId } }
    case 'status_unknown':
    case 'pending':
    case 'delivering':
    case 'storage_failed':
    case 'completed':
    case 'failed':
      if (state.taskId === taskId) return { kind: 'wait', dueInMs: 0, progress: undefined }
      if (state.taskId !== undefined) {
        return { kind: 'anomaly', because: 'second_task', evidence: { taskId } }
      }
      if (state.state === 'status_unknown') return pendingWith(taskId, because)
      // What was refused, or answered at once with its image, should have no task.
      return { kind: 'anomaly', because: 'unexpected_task', evidence: { taskId } }
    default:
      return assertNever(state)
  }
}

function decideObservation(
  state: AttemptState,
  observation: Observation,
  circumstances: Circumstances,
): Decision {
  // Only a task can be observed; later states know more than any look at it.
  if (state.state !== 'pending' && state.state !== 'status_unknown') {
    return { kind: 'wait', dueInMs: 0, progress: undefined }
  }
  const dueInMs = observeAgainAfterMs(circumstances.ageMs)
  switch (observation.kind) {
    case 'pending':
      return state.state === 'pending'
        ? { kind: 'wait', dueInMs, progress: observation.progress }
        : { kind: 'record', to: 'pending', because: 'seen_pending', evidence: {}, dueInMs }
    case 'succeeded':
      return {
        kind: 'record',
        to: 'delivering',
        because: 'succeeded',
        evidence: {},
        result: observation.result,
        dueInMs: 0,
      }
    case 'failed':
      return failed('provider_failed', observation.failure, {})
    case 'unavailable': {
      const pauseMs = lookAgainAfterMs(circumstances.ageMs, observation.retryAfterMs)
      // The first failed look in a row is evidence; the thousandth is not.
      return circumstances.lastKind === 'look_failed'
        ? { kind: 'wait', dueInMs: pauseMs, progress: undefined }
        : stay(state.state, 'look_failed', observation.reason, pauseMs)
    }
    case 'missing':
      if (state.state === 'status_unknown' || circumstances.stateAgeMs < MISSING_TASK_GRACE_MS) {
        return { kind: 'wait', dueInMs, progress: undefined }
      }
      return stay('status_unknown', 'task_missing', observation.reason, dueInMs)
    default:
      return assertNever(observation)
  }
}

function decideDelivery(
  state: AttemptState,
  outcome: DeliveryOutcome,
  circumstances: Circumstances,
): Decision {
  if (state.state !== 'delivering' && state.state !== 'storage_failed') {
    return { kind: 'wait', dueInMs: 0, progress: undefined }
  }
  switch (outcome.kind) {
    case 'stored':
      return {
        kind: 'record',
        to: 'completed',
        because: 'delivered',
        evidence: { sha256: outcome.image.sha256, sizeBytes: outcome.image.sizeBytes },
        image: outcome.image,
        settlement: 'settled',
        dueInMs: 0,
      }
    case 'not-yet': {
      const dueInMs = deliverAgainAfterMs(circumstances.tries)
      const because = outcome.stage === 'fetch' ? 'fetch_failed' : 'store_failed'
      return state.state === 'storage_failed' && circumstances.lastKind === because
        ? { kind: 'wait', dueInMs, progress: undefined }
        : stay('storage_failed', because, outcome.reason, dueInMs)
    }
    case 'unusable':
      return decideUnusable(outcome, circumstances)
    default:
      return assertNever(outcome)
  }
}

function decideUnusable(
  outcome: Extract<DeliveryOutcome, { kind: 'unusable' }>,
  { lastKind, lastEvidence, tries }: Circumstances,
): Decision {
  const sameAsLast = lastKind === 'unusable_result' && lastEvidence['sha256'] === outcome.sha256
  const times = (sameAsLast ? Number(lastEvidence['times']) : 0) + 1
  const evidence = { reason: outcome.reason, sha256: outcome.sha256, times }
  if (times >= UNUSABLE_FETCHES_MAX) {
    return failed(
      'unusable_result_finally',
      { code: 'unusable_result', message: 'The image service delivered a file that is no image.' },
      evidence,
    )
  }
  return {
    kind: 'record',
    to: 'storage_failed',
    because: 'unusable_result',
    evidence,
    dueInMs: deliverAgainAfterMs(tries),
  }
}

function pendingWith(taskId: TaskId, because: string): Decision {
  return {
    kind: 'record',
    to: 'pending',
    because,
    evidence: { taskId },
    taskId,
    dueInMs: because === 'accepted' ? observeAgainAfterMs(0) : 0,
  }
}

function unknownSubmission(
  evidence: Evidence,
  { compensateAfterMs }: Pick<Circumstances, 'compensateAfterMs'>,
): Decision {
  return {
    kind: 'record',
    to: 'status_unknown',
    because: 'submission_unknown',
    evidence: { code: 'SUBMISSION_UNKNOWN', ...evidence },
    dueInMs: Math.min(AWAIT_EVIDENCE_MS, compensateAfterMs ?? AWAIT_EVIDENCE_MS),
  }
}

function failed(
  because: string,
  failure: Failure,
  evidence: Readonly<Record<string, unknown>>,
): Decision {
  return {
    kind: 'record',
    to: 'failed',
    because,
    evidence: { ...evidence, failure },
    failure,
    settlement: 'released',
    dueInMs: 0,
  }
}

function stay(to: AttemptStateName, because: string, reason: string, dueInMs: number): Decision {
  return { kind: 'record', to, because, evidence: { reason }, dueInMs }
}
