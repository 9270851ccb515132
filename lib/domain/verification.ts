import type { AttemptId, TaskId } from './ids'
import type { Lookup, Observation } from './observation'

/** What an admin says that a worker makes sure of before it is believed. */
export const verifiedActs = ['attach-task', 'look-up', 'record-delivery'] as const
export type VerifiedAct = (typeof verifiedActs)[number]

/** How it ended. Only with `applied` anything changed. */
export const verificationOutcomes = [
  'applied',
  'missing',
  'other_attempt',
  'task_taken',
  'absent',
  'unusable',
  'unreachable',
  'changed',
] as const
export type VerificationOutcome = (typeof verificationOutcomes)[number]

export type Verdict =
  /** `found`: what was seen, for the evidence. */
  | { readonly kind: 'believed'; readonly found: string }
  | {
      readonly kind: 'refused'
      readonly outcome: 'missing' | 'other_attempt'
      readonly found: string
    }
  /** We failed to look: that says nothing. */
  | { readonly kind: 'again'; readonly reason: string }

/** What the provider told when it was asked about a task that somebody wants to attach. */
export type TaskSeen = {
  readonly observation: Observation
  /** Our reference in the task, where the provider can be asked for it. */
  readonly reference?: (Lookup & { readonly reference?: string }) | undefined
  /** The task that a search for this attempt finds, where the provider can search. */
  readonly lookup?: Lookup | undefined
}

/** Whether this task is believed to be the attempt's: it is there, and nothing says that it is another's. */
export function judgeTask(attemptId: AttemptId, taskId: TaskId, seen: TaskSeen): Verdict {
  const { reference, lookup } = seen
  if (reference?.kind === 'found' && reference.reference !== attemptId) {
    const found = `Its reference at the provider is ${reference.reference ?? 'none of ours'}.`
    return { kind: 'refused', outcome: 'other_attempt', found }
  }
  if (lookup?.kind === 'found' && lookup.taskId !== taskId) {
    const found = `The provider has task ${lookup.taskId} under the reference of this attempt.`
    return { kind: 'refused', outcome: 'other_attempt', found }
  }
  if (reference?.kind === 'unavailable') return { kind: 'again', reason: reference.reason }
  const proof =
    reference?.kind === 'found' || lookup?.kind === 'found'
      ? 'and it has the reference of this attempt'
      : 'and cannot be asked whose it is'
  return judgeObservation(seen.observation, proof)
}

function judgeObservation(observation: Observation, proof: string): Verdict {
  switch (observation.kind) {
    case 'pending':
      return { kind: 'believed', found: `The provider has this task, works on it, ${proof}.` }
    case 'succeeded':
      return { kind: 'believed', found: `The provider has finished this task, ${proof}.` }
    case 'failed':
      return { kind: 'believed', found: `The provider says that this task failed, ${proof}.` }
    case 'missing':
      return { kind: 'refused', outcome: 'missing', found: observation.reason }
    case 'unavailable':
      return { kind: 'again', reason: observation.reason }
  }
}

// Each try waits longer than the one before: together about three minutes.
const TRIES_MAX = 7

/** Whether it is told now that nobody could be reached, so that whoever asked can go on. */
export const givesUp = (tries: number) => tries >= TRIES_MAX
