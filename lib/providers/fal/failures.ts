import type { Failure } from '@/lib/domain/attempt'
import { cancelledThere, invalidInput, moderated, providerFailed } from '@/lib/providers/judge'
import type { ModelError } from './schemas'

/**
 * Request errors that can only be of the run: a look is not scheduled, has no runner and is not
 * cancelled. The others may be of the look itself, and then say nothing of the task.
 */
const OF_THE_RUN: readonly string[] = [
  'request_timeout',
  'startup_timeout',
  'runner_scheduling_failure',
  'runner_connection_timeout',
  'runner_disconnected',
  'runner_connection_refused',
  'runner_connection_error',
  'runner_incomplete_response',
  'runner_server_error',
  'client_disconnected',
  'client_cancelled',
]

export const isOfTheRun = (errorType: string | undefined) =>
  errorType !== undefined && OF_THE_RUN.includes(errorType)

export function failureOfModel(error: ModelError, status: number): Failure {
  if (error.some(({ type }) => type === 'content_policy_violation')) return moderated
  const words = error.map(({ msg }) => msg).join(' ')
  return status < 500 ? invalidInput(words) : providerFailed(words)
}

export function failureOfRequest(words: string, errorType: string | undefined): Failure {
  return errorType === 'client_cancelled' ? cancelledThere : providerFailed(words)
}
