import { isFinal, type AttemptState, type SettlementKind } from './attempt'
import type { Decision } from './decision'
import type { TaskId } from './ids'
import { assertNever } from './invariant'
import { AWAIT_EVIDENCE_MS } from './pace'
import { ok, refuse, type Result } from './result'

/** What a person decides about an attempt. The reason goes into the history and the ledger. */
export type OperatorAct = { readonly reason: string } & (
  | { readonly kind: 'compensate' | 'fail' }
  /** The operator found at the provider which task the attempt became. */
  | { readonly kind: 'attach-task'; readonly taskId: TaskId }
)

export type ActRefusal = { readonly code: 'not-possible'; readonly message: string }

// The least that says something; the database demands it too.
export const REASON_LENGTH_MIN = 8
export const REASON_LENGTH_MAX = 1_000

type Known = { readonly state: AttemptState; readonly settlement: SettlementKind | null }
type Act = Result<Extract<Decision, { kind: 'record' }>, ActRefusal>

/**
 * What an operator's act changes, or why it may not. To compensate decides about the reservation
 * and leaves the outcome open; to fail states as proved what the operator made sure of.
 */
export function decideOperatorAct(known: Known, act: OperatorAct): Act {
  const { state } = known.state
  if (isFinal(state)) return no(`The outcome is final: ${state}.`)
  if (state === 'submitting') {
    return no('A worker is sending it at this moment. Look again when its lease has ended.')
  }
  switch (act.kind) {
    case 'compensate':
      return compensate(known, act.reason)
    case 'fail':
      return fail(act.reason)
    case 'attach-task':
      return attachTask(known.state, act.taskId, act.reason)
    default:
      return assertNever(act)
  }
}

function compensate({ state, settlement }: Known, reason: string): Act {
  if (settlement !== null) return no(`Its reservation has ended already: ${settlement}.`)
  if (state.state === 'initializing') {
    return no('Nothing was sent yet, so nothing is unknown. It can be failed.')
  }
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

function fail(reason: string): Act {
  return ok({
    kind: 'record',
    to: 'failed',
    because: 'failed_by_operator',
    evidence: { reason },
    failure: { code: 'provider_failed', message: 'We made sure that no image was made.' },
    settlement: 'released',
    reason,
    dueInMs: 0,
  })
}

function attachTask(state: AttemptState, taskId: TaskId, reason: string): Act {
  if (state.state !== 'status_unknown' || state.taskId !== undefined) {
    return no('Only an unresolved attempt without a task can be given one.')
  }
  return ok({
    kind: 'record',
    to: 'pending',
    because: 'task_attached',
    evidence: { taskId, reason },
    taskId,
    dueInMs: 0,
  })
}

function no(message: string): Result<never, ActRefusal> {
  return refuse({ code: 'not-possible', message })
}
