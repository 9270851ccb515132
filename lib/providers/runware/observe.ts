import type { Observation } from '@/lib/domain/observation'
import { moderated, noImage, providerFailed } from '@/lib/providers/judge'
import { isContentRefused } from './error-codes'
import type { Answer, Item, RunwareError } from './schemas'

/**
 * What an answer tells of a task: https://runware.ai/docs/platform/task-polling. Undefined when it
 * tells nothing. An error counts as the task's own only where it says so: a poll can fail too.
 */
export function observationOf(answer: Answer, taskUuid: string): Observation | undefined {
  const item = answer.items.find(({ taskUUID }) => taskUUID === taskUuid)
  if (item) return observationOfItem(item)
  const error = answer.errors.find(
    ({ taskUUID, taskType, status }) =>
      taskUUID === taskUuid && (status === 'error' || taskType === 'imageInference'),
  )
  return error && { kind: 'failed', failure: failureOf(error) }
}

function observationOfItem(item: Item): Observation {
  const cost = item.cost === undefined ? {} : { cost: { amount: item.cost, unit: 'USD' } }
  // Archived answers carry no status: there the image's address says that it was made.
  switch (item.status ?? (item.imageURL === undefined ? '' : 'success')) {
    case 'processing':
      return { kind: 'pending', progress: undefined }
    case 'success':
      return item.imageURL === undefined
        ? { kind: 'failed', failure: item.NSFWContent === true ? moderated : noImage, ...cost }
        : { kind: 'succeeded', result: { url: item.imageURL }, ...cost }
    case 'error':
      return { kind: 'failed', failure: providerFailed(''), ...cost }
    default:
      return { kind: 'unavailable', reason: 'The status is not one that Runware documents.' }
  }
}

const failureOf = ({ code, message }: RunwareError) =>
  isContentRefused(code) ? moderated : providerFailed(message || code)
