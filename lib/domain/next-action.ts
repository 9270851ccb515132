import type { AttemptState } from './attempt'
import { assertNever } from './invariant'

export type NextAction =
  'submit' | 'mark_unknown' | 'await_evidence' | 'observe' | 'deliver' | 'none'

/**
 * Asked only by the worker that holds the lease, so `submitting` here means that the last holder
 * died: what it sent, if anything, is not known. Time never turns that into a failure, and nothing
 * ever sends it again.
 */
export function nextAction(state: AttemptState): NextAction {
  switch (state.state) {
    case 'initializing':
      return 'submit'
    case 'submitting':
      return 'mark_unknown'
    case 'status_unknown':
      return state.taskId === undefined ? 'await_evidence' : 'observe'
    case 'pending':
      return 'observe'
    case 'delivering':
    case 'storage_failed':
      return 'deliver'
    case 'completed':
    case 'failed':
      return 'none'
    default:
      return assertNever(state)
  }
}
