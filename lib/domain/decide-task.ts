import type { AttemptState, Failure } from './attempt'
import {
  failed,
  isUnresolved,
  NOTHING_NEW,
  stay,
  type Circumstances,
  type Decision,
} from './decision'
import { assertNever } from './invariant'
import type { Cancelling, Observation } from './observation'
import { lookAgainAfterMs, observeAgainAfterMs } from './pace'

const CANCELLED_THERE: Failure = {
  code: 'cancelled',
  message: 'You cancelled it, and the image service stopped.',
}

// A task may be unknown to a provider's status service for a moment after it was accepted.
const MISSING_TASK_GRACE_MS = 60_000

export function decideObservation(
  state: AttemptState,
  observation: Observation,
  circumstances: Circumstances,
): Decision {
  // Only a task can be observed; later states know more than any look at it.
  if (state.state !== 'pending' && state.state !== 'status_unknown') {
    return NOTHING_NEW
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

export function decideCancelling(
  state: AttemptState,
  outcome: Cancelling,
  circumstances: Circumstances,
): Decision {
  const isTask = state.state === 'pending' || state.state === 'status_unknown'
  if (!isTask || isUnresolved(state)) return NOTHING_NEW
  const dueInMs = observeAgainAfterMs(circumstances.ageMs)
  switch (outcome.kind) {
    case 'cancelled':
      return failed('cancelled_at_provider', CANCELLED_THERE, {})
    case 'asked':
      return stay(state.state, 'cancel_asked', 'The image service was asked to stop.', dueInMs)
    case 'too-late':
      return stay(state.state, 'cancel_too_late', 'It had ended before it was cancelled.', 0)
    case 'unavailable':
      return { kind: 'wait', dueInMs, progress: undefined }
    default:
      return assertNever(outcome)
  }
}
