import type { SubmitOutcome } from '@/lib/domain/observation'
import {
  askedToWait,
  invalidInput,
  moderated,
  oursToMend,
  rejected,
  type AnsweredSubmission,
} from '@/lib/providers/judge'
import { CONFLICT, isAboutRun, isAccountRefused, isContentRefused } from './error-codes'
import { Answer, TaskUuid, type RunwareError } from './schemas'

// Where a refusal speaks of our key, our balance, our rights or the model itself.
const ACCOUNT_STATUSES: readonly number[] = [401, 402, 403, 404]

/**
 * https://runware.ai/docs/platform/errors. A task in `data` was accepted; an error that is ours was
 * not, unless it says that the UUID is taken: then an earlier POST of ours was accepted.
 */
export function judgeRunware(
  answer: AnsweredSubmission,
  taskUuid: string,
): SubmitOutcome | undefined {
  const body = Answer.safeParse(answer.json).data
  if (body === undefined) return undefined
  const isOk = answer.status >= 200 && answer.status < 300
  if (isOk && body.items.some(({ taskUUID }) => taskUUID === taskUuid)) return accepted(taskUuid)
  const error = body.errors.find(({ taskUUID }) => taskUUID === undefined || taskUUID === taskUuid)
  return error && judgeError(answer, error, taskUuid)
}

function judgeError(
  answer: AnsweredSubmission,
  { code, message }: RunwareError,
  taskUuid: string,
): SubmitOutcome | undefined {
  // A conflict is an answer about this UUID, whatever its status.
  if (code === CONFLICT && answer.status < 500) return accepted(taskUuid)
  if (answer.status < 400 || answer.status >= 500) return undefined
  if (isAccountRefused(code) || ACCOUNT_STATUSES.includes(answer.status)) {
    return oursToMend(answer, code)
  }
  if (answer.status === 429) return askedToWait(answer, code)
  if (answer.status !== 400) return undefined
  if (isContentRefused(code)) return rejected(answer, moderated, code)
  return isAboutRun(code) ? undefined : rejected(answer, invalidInput(message), code)
}

function accepted(taskUuid: string): SubmitOutcome | undefined {
  const taskId = TaskUuid.safeParse(taskUuid).data
  return taskId && { kind: 'accepted', taskId }
}
