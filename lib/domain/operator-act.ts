import { isFinal, type AttemptState, type ResultRef, type SettlementKind } from './attempt'
import type { Decision } from './decision'
import type { TaskId } from './ids'
import { assertNever } from './invariant'
import { AWAIT_EVIDENCE_MS } from './pace'
import { ok, refuse, type Result } from './result'

/** What a person decides about an attempt. The reason goes into the history. */
export type OperatorAct = { readonly reason: string } & (
  | { readonly kind: 'compensate' }
  /** `proof`: what shows that it failed, such as the provider's own words. */
  | { readonly kind: 'fail'; readonly proof?: string | undefined }
  /** The operator found at the provider which task the attempt became. */
  | {
      readonly kind: 'attach-task'
      readonly taskId: TaskId
      /** What the provider said of it. */
      readonly proof?: string | undefined
    }
  /** The image came another way; its bytes are kept and are an image. */
  | { readonly kind: 'record-delivery'; readonly result: ResultRef; readonly proof: string }
)

/** What can be done about an open attempt. The first two decide nothing: a worker acts now, not later. */
export const reviewActs = [
  'look-again',
  'look-up',
  'retry-delivery',
  'attach-task',
  'record-delivery',
  'fail',
  'compensate',
] as const
export type ReviewAct = (typeof reviewActs)[number]

export type ActRefusal = { readonly code: 'not-possible'; readonly message: string }

// The least that says something; the database demands it too.
export const REASON_LENGTH_MIN = 8
export const REASON_LENGTH_MAX = 1_000

type Known = {
  readonly state: AttemptState
  readonly settlement: SettlementKind | null
  /** Whether the provider can be searched for it; undefined when nobody has said. */
  readonly canLookUp?: boolean | undefined
}
type Act = Result<Extract<Decision, { kind: 'record' }>, ActRefusal>

/** Why an act makes no sense now; undefined when it does. */
export function whyNot(
  { state, settlement, canLookUp }: Known,
  act: ReviewAct,
): string | undefined {
  if (isFinal(state.state)) return `The outcome is final: ${state.state}.`
  if (state.state === 'submitting') {
    return 'A worker is sending it at this moment. Look again when its lease has ended.'
  }
  const isMade = state.state === 'delivering' || state.state === 'storage_failed'
  switch (act) {
    case 'look-again':
      if (state.state === 'initializing')
        return 'Nothing was sent yet: there is nothing to look at.'
      return isMade ? 'The image was made. What is left is its delivery.' : undefined
    case 'look-up':
      if (state.state !== 'status_unknown' || state.taskId !== undefined) {
        return 'Only an unresolved attempt without a task is searched for.'
      }
      if (canLookUp === undefined) return 'No worker has said yet what this provider can prove.'
      return canLookUp ? undefined : 'This provider offers no search by our reference.'
    case 'record-delivery':
      return state.state === 'initializing'
        ? 'Nothing was sent yet, so there is no image.'
        : undefined
    case 'retry-delivery':
      return isMade ? undefined : 'There is no image to deliver yet.'
    case 'attach-task':
      return state.state === 'status_unknown' && state.taskId === undefined
        ? undefined
        : 'Only an unresolved attempt without a task can be given one.'
    case 'fail':
      return undefined
    case 'compensate':
      if (settlement !== null) return `Its reservation has ended already: ${settlement}.`
      return state.state === 'initializing'
        ? 'Nothing was sent yet, so nothing is unknown. It can be failed.'
        : undefined
    default:
      return assertNever(act)
  }
}

/**
 * What an operator's act changes, or why it may not. To compensate decides about the reservation
 * and leaves the outcome open; to fail states as proved what the operator made sure of.
 */
export function decideOperatorAct(known: Known, act: OperatorAct): Act {
  const message = whyNot(known, act.kind)
  if (message !== undefined) return refuse({ code: 'not-possible', message })
  switch (act.kind) {
    case 'compensate':
      return compensate(known.state, act.reason)
    case 'fail':
      return fail(act)
    case 'attach-task':
      return attachTask(act)
    case 'record-delivery':
      return recordDelivery(act)
  }
}

function compensate(state: AttemptState, reason: string): Act {
  const awaitsEvidence = state.state === 'status_unknown' && state.taskId === undefined
  return ok({
    kind: 'record',
    to: state.state,
    because: 'compensated_by_operator',
    evidence: { reason },
    settlement: 'compensated',
    reason,
    dueInMs: awaitsEvidence ? AWAIT_EVIDENCE_MS : 0,
  })
}

function fail({ reason, proof }: Extract<OperatorAct, { kind: 'fail' }>): Act {
  return ok({
    kind: 'record',
    to: 'failed',
    because: 'failed_by_operator',
    evidence: { reason, ...(proof !== undefined && { proof }) },
    failure: { code: 'provider_failed', message: 'We made sure that no image was made.' },
    settlement: 'released',
    reason,
    dueInMs: 0,
  })
}

function attachTask({ taskId, reason, proof }: Extract<OperatorAct, { kind: 'attach-task' }>): Act {
  return ok({
    kind: 'record',
    to: 'pending',
    because: 'task_attached',
    evidence: { taskId, reason, ...(proof !== undefined && { proof }) },
    taskId,
    dueInMs: 0,
  })
}

/** From here on it is delivered as every other image: decoded, stored, read back, settled. */
function recordDelivery({
  result,
  reason,
  proof,
}: Extract<OperatorAct, { kind: 'record-delivery' }>): Act {
  return ok({
    kind: 'record',
    to: 'delivering',
    because: 'image_brought',
    evidence: { result, reason, proof },
    result,
    dueInMs: 0,
  })
}
