import type { AttemptState, Failure, ResultRef } from './attempt'
import {
  failed,
  isUnresolved,
  NOTHING_NEW,
  stay,
  type Circumstances,
  type Decision,
  type KnownOutcome,
  type News,
} from './decision'
import type { TaskId } from './ids'
import { assertNever } from './invariant'
import type { Evidence, Lookup } from './observation'
import {
  AWAIT_EVIDENCE_MS,
  observeAgainAfterMs,
  RECOVER_FIRST_MS,
  recoverAgainAfterMs,
  sendAgainAfterMs,
  SENDING_MS_MAX,
  SENDS_MAX,
} from './pace'

const BUSY: Failure = {
  code: 'provider_unavailable',
  message: 'The image service is busy. Try again in a minute.',
}

export function decideSubmission(
  state: AttemptState,
  { outcome, send }: Extract<News, { kind: 'submission' }>,
  circumstances: Circumstances,
): Decision {
  if (outcome.kind === 'accepted') return decideTask(state, outcome.taskId, 'accepted')
  if (outcome.kind === 'made-at') return decideMade(state, outcome.result)
  // That an earlier send made nothing, told once more, says nothing of the one after it.
  if (send !== circumstances.sends) return NOTHING_NEW
  if (isUnresolved(state)) return decideLateRefusal(outcome)
  // Another source was faster, for example a callback: what it told is stronger than no answer.
  if (state.state !== 'submitting') return NOTHING_NEW
  switch (outcome.kind) {
    case 'rejected':
      return failed('rejected', outcome.failure, { ...outcome.evidence })
    case 'failed':
      return failed('provider_failed', outcome.failure, { ...outcome.evidence })
    case 'rejected-for-now':
      return decideSendingAgain(outcome.retryAfterMs, outcome.evidence, circumstances)
    case 'unknown':
      return unknownSubmission(outcome.evidence, circumstances)
    default:
      return assertNever(outcome)
  }
}

type Refusal = Exclude<KnownOutcome, { readonly kind: 'accepted' | 'made-at' }>

/** The answer came after the lease was lost: a rejection still proves that nothing was created. */
function decideLateRefusal(outcome: Refusal): Decision {
  switch (outcome.kind) {
    case 'rejected':
      return failed('rejected_late', outcome.failure, { ...outcome.evidence })
    case 'failed':
      return failed('provider_failed', outcome.failure, { ...outcome.evidence })
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

/**
 * The same POST under the same key answers for the first one when it tells of a task. That it was
 * refused proves nothing: the refusal may have come before anybody looked whether the key is known.
 */
export function decideRepeat(
  state: AttemptState,
  outcome: KnownOutcome,
  circumstances: Circumstances,
): Decision {
  switch (outcome.kind) {
    case 'accepted':
      return decideTask(state, outcome.taskId, 'accepted_on_repeat')
    case 'made-at':
      return decideMade(state, outcome.result)
    case 'failed':
      return isUnresolved(state)
        ? failed('provider_failed', outcome.failure, { ...outcome.evidence })
        : NOTHING_NEW
    case 'rejected':
    case 'rejected-for-now':
    case 'unknown': {
      if (!isUnresolved(state)) return NOTHING_NEW
      const retryAfterMs = outcome.kind === 'rejected-for-now' ? outcome.retryAfterMs : undefined
      const dueInMs = recoverAgainAfterMs(circumstances.stateAgeMs, retryAfterMs)
      return stay('status_unknown', 'repeat_unanswered', outcome.evidence.reason, dueInMs)
    }
    default:
      return assertNever(outcome)
  }
}

export function decideLookup(
  state: AttemptState,
  lookup: Lookup,
  circumstances: Circumstances,
): Decision {
  if (lookup.kind === 'found') return decideTask(state, lookup.taskId, 'found_by_lookup')
  if (!isUnresolved(state)) return NOTHING_NEW
  const retryAfterMs = lookup.kind === 'unavailable' ? lookup.retryAfterMs : undefined
  const dueInMs = recoverAgainAfterMs(circumstances.stateAgeMs, retryAfterMs)
  const because = lookup.kind === 'absent' ? 'not_found_by_lookup' : 'lookup_failed'
  // The first of a kind in a row is evidence; the thousandth is not.
  return circumstances.lastKind === because
    ? { kind: 'wait', dueInMs, progress: undefined }
    : stay('status_unknown', because, lookup.reason, dueInMs)
}

export function decideTask(state: AttemptState, taskId: TaskId, because: string): Decision {
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
      if (state.taskId === taskId) return NOTHING_NEW
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

/** The image exists: what was not known before is known now. */
function decideMade(state: AttemptState, result: ResultRef): Decision {
  switch (state.state) {
    case 'submitting':
    case 'status_unknown':
      return {
        kind: 'record',
        to: 'delivering',
        because: 'made_at_once',
        evidence: {},
        result,
        dueInMs: 0,
      }
    case 'failed':
      return { kind: 'anomaly', because: 'success_after_failure', evidence: {} }
    case 'initializing':
      return { kind: 'anomaly', because: 'task_before_submission', evidence: {} }
    case 'pending':
    case 'delivering':
    case 'storage_failed':
    case 'completed':
      return NOTHING_NEW
    default:
      return assertNever(state)
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

export function unknownSubmission(
  evidence: Evidence,
  { compensateAfterMs }: Pick<Circumstances, 'compensateAfterMs'>,
): Decision {
  return {
    kind: 'record',
    to: 'status_unknown',
    because: 'submission_unknown',
    evidence: { code: 'SUBMISSION_UNKNOWN', ...evidence },
    dueInMs: Math.min(RECOVER_FIRST_MS, compensateAfterMs ?? RECOVER_FIRST_MS),
  }
}
