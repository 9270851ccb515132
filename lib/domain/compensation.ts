import type { AttemptState, SettlementKind } from './attempt'
import type { Decision } from './decision'
import { AWAIT_EVIDENCE_MS } from './pace'

/** The written policy in force: after how long an unresolved reservation is given back. */
export type CompensationPolicy = { readonly version: number; readonly afterMs: number }

/**
 * What the policy asks for now, or undefined. It decides about the reservation only: the outcome
 * stays as unknown as it was, and if the image arrives after all it is delivered and not debited.
 */
export function decideCompensation(
  attempt: {
    readonly state: AttemptState
    readonly settlement: SettlementKind | null
    readonly stateAgeMs: number
  },
  policy: CompensationPolicy | undefined,
): Extract<Decision, { kind: 'record' }> | undefined {
  if (policy === undefined || attempt.settlement !== null) return undefined
  if (attempt.state.state !== 'status_unknown' || attempt.stateAgeMs < policy.afterMs) {
    return undefined
  }
  return {
    kind: 'record',
    to: 'status_unknown',
    because: 'compensated_by_policy',
    evidence: { policyVersion: policy.version, unresolvedForMs: Math.round(attempt.stateAgeMs) },
    settlement: 'compensated',
    reason: `Unresolved for longer than policy ${policy.version} allows.`,
    policyVersion: policy.version,
    dueInMs: attempt.state.taskId === undefined ? AWAIT_EVIDENCE_MS : 0,
  }
}
