import type { TaskId } from '@/lib/domain/ids'
import type { Lookup, Observation } from '@/lib/domain/observation'
import type { Capabilities, Provider, SubmitRequest } from '@/lib/domain/provider'
import { usableCallbackUrl } from '@/lib/providers/callback-url'
import { dataUrlOf } from '@/lib/providers/data-url'
import { submitAndJudge } from '@/lib/providers/judge'
import { unknownModel } from '@/lib/providers/unknown-model'
import { createAsk, type Ask } from './ask'
import { judgeRunware } from './judge-answer'
import { AIR_OF } from './models'
import { observationOf } from './observe'
import { Answer, TaskUuid } from './schemas'
import { taskUuidOf } from './task-uuid'

const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * A second POST with the same `taskUUID` is refused (`conflictTaskUUID`), as the maker's own library
 * relies on, but its documentation says neither that nor for how long, so it is no promise to send
 * again on. Finding the task by its UUID is documented
 * (https://runware.ai/docs/platform/task-details); not finding it proves nothing. How long tasks and
 * results are kept, and what failures cost, is not documented.
 */
const CAPABILITIES: Capabilities = {
  answers: 'later',
  idempotentForMs: undefined,
  // A look costs nothing, and the archive's end is not documented.
  lookup: { by: 'reference', forMs: 7 * DAY_MS },
  callback: 'attempt',
  cancel: undefined,
  resultForMs: undefined,
  billing: {
    failed: 'not-established',
    moderated: 'not-established',
    cancelled: 'not-established',
  },
}

export function createRunwareProvider(options: {
  readonly baseUrl: string
  readonly apiKey: string
  readonly now: () => Date
}): Provider {
  const { baseUrl, now } = options
  const headers = { authorization: `Bearer ${options.apiKey}` }
  const ask = createAsk({ baseUrl, headers, now })
  return {
    name: 'runware',
    capabilities: () => CAPABILITIES,
    trustedOrigins: [new URL(baseUrl).origin],
    submitTimeoutMs: () => undefined,

    submit(submission, signal) {
      const air = AIR_OF[submission.model]
      if (air === undefined) return Promise.resolve(unknownModel(baseUrl, submission.model))
      const taskUuid = taskUuidOf(submission.reference)
      return submitAndJudge(
        {
          url: baseUrl,
          headers: { ...headers, 'x-client-request-id': submission.reference },
          body: JSON.stringify([
            { ...bodyOf(submission, baseUrl), taskUUID: taskUuid, model: air },
          ]),
          signal,
        },
        now,
        (answer) => judgeRunware(answer, taskUuid),
      )
    },

    observe: (taskId, _model, signal) => observe(ask, taskId, signal),

    lookUp: ({ reference }, _submittedAt, signal) =>
      lookUp(ask, TaskUuid.parse(taskUuidOf(reference)), signal),
  }
}

async function observe(ask: Ask, taskId: TaskId, signal: AbortSignal): Promise<Observation> {
  const read = await ask.poll(taskId, signal)
  if (read.kind === 'unavailable') return read
  const seen = read.kind === 'answered' ? observationOf(read.answer, taskId) : undefined
  if (seen !== undefined) return seen
  // Polling knows active tasks only; what has ended is in the archive.
  const task = await ask.archive(taskId, signal)
  if (task.kind === 'unavailable') return task
  if (task.kind === 'not-archived') {
    return { kind: 'missing', reason: 'Runware knows no such task.' }
  }
  const ended = Answer.safeParse(task.response).data
  return (
    (ended && observationOf(ended, taskId)) ?? {
      kind: 'unavailable',
      reason: 'The archived answer could not be read.',
    }
  )
}

async function lookUp(ask: Ask, taskId: TaskId, signal: AbortSignal): Promise<Lookup> {
  const task = await ask.archive(taskId, signal)
  if (task.kind === 'unavailable') return task
  if (task.kind === 'archived') return { kind: 'found', taskId }
  const read = await ask.poll(taskId, signal)
  if (read.kind === 'unavailable') return read
  // A poll for a task that was never sent may say `processing`, so only an end tells of one.
  const seen = read.kind === 'answered' ? observationOf(read.answer, taskId) : undefined
  return seen?.kind === 'succeeded' || seen?.kind === 'failed'
    ? { kind: 'found', taskId }
    : { kind: 'absent', reason: 'Runware has no ended task of our UUID; it may be under way.' }
}

/** https://runware.ai/docs/en/image-inference/api-reference */
function bodyOf(submission: SubmitRequest, base: string) {
  const { prompt, settings, referenceImages } = submission
  const webhookURL = usableCallbackUrl(submission.callbackUrl, base)
  return {
    taskType: 'imageInference',
    deliveryMethod: 'async',
    positivePrompt: prompt,
    width: settings.width,
    height: settings.height,
    numberResults: 1,
    outputType: 'URL',
    outputFormat: 'PNG',
    includeCost: true,
    ...(settings.seed === undefined ? {} : { seed: settings.seed }),
    ...(referenceImages.length === 0
      ? {}
      : { inputs: { referenceImages: referenceImages.map(dataUrlOf) } }),
    ...(webhookURL === undefined ? {} : { webhookURL }),
  }
}
