import type { Failure } from '@/lib/domain/attempt'
import { assertNever } from '@/lib/domain/invariant'
import type { Observation } from '@/lib/domain/observation'
import type { Capabilities, Provider, SubmitRequest } from '@/lib/domain/provider'
import { usableCallbackUrl } from '@/lib/providers/callback-url'
import {
  askedToWait,
  cancelledThere,
  invalidInput,
  moderated,
  noImage,
  oursToMend,
  providerFailed,
  rejected,
  submitAndJudge,
  type Judge,
} from '@/lib/providers/judge'
import { look } from '@/lib/providers/look'
import { AcceptedBody, ErrorBody, TaskBody } from './schemas'

const NAME = 'simulator'

/**
 * The simulator's own protocol keeps no idempotency keys and offers no lookup by our reference. A
 * lost answer is resolved by its callback, which carries our token in its address, or not at all.
 */
const CAPABILITIES: Capabilities = {
  answers: 'later',
  idempotentForMs: undefined,
  lookup: undefined,
  callback: 'attempt',
  cancel: 'confirmed',
  resultForMs: undefined,
  billing: { failed: 'not-charged', moderated: 'not-charged', cancelled: 'not-charged' },
}

export function createSimulatorProvider(options: {
  readonly baseUrl: string
  readonly now: () => Date
}): Provider {
  const base = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  const taskUrl = (taskId: string) => `${base}/v1/generations/${encodeURIComponent(taskId)}`
  return {
    name: NAME,
    capabilities: () => CAPABILITIES,
    trustedOrigins: [new URL(base).origin],
    submitTimeoutMs: () => undefined,

    submit(submission, signal) {
      const body = JSON.stringify(bodyOf(submission, base))
      return submitAndJudge(
        { url: `${base}/v1/generations`, headers: {}, body, signal },
        options.now,
        judge,
      )
    },

    async observe(taskId, _model, signal) {
      const looked = await look({ url: taskUrl(taskId), signal, now: options.now() })
      if (looked.kind === 'unavailable') return looked
      if (looked.status === 404) {
        return { kind: 'missing', reason: 'The simulator knows no such task.' }
      }
      if (looked.status !== 200) return looked.unavailable()
      const task = TaskBody.safeParse(looked.json)
      return task.success
        ? observationOf(task.data)
        : looked.unavailable('The status could not be read.')
    },

    async referenceOf(taskId, signal) {
      const looked = await look({ url: taskUrl(taskId), signal, now: options.now() })
      if (looked.kind === 'unavailable') return looked
      if (looked.status === 404) {
        return { kind: 'absent', reason: 'The simulator knows no such task.' }
      }
      const task = looked.status === 200 ? TaskBody.safeParse(looked.json) : undefined
      if (!task?.success) return looked.unavailable('The task could not be read.')
      return { kind: 'found', taskId, reference: task.data.reference }
    },

    async cancel(taskId, _model, signal) {
      const url = `${taskUrl(taskId)}/cancel`
      const looked = await look({ url, method: 'POST', signal, now: options.now() })
      if (looked.kind === 'unavailable') return looked
      const task = TaskBody.safeParse(looked.json)
      if (!task.success) return looked.unavailable('The answer could not be read.')
      return { kind: task.data.status === 'cancelled' ? 'cancelled' : 'too-late' }
    },
  }
}

function bodyOf(submission: SubmitRequest, base: string) {
  const callbackUrl = usableCallbackUrl(submission.callbackUrl, base)
  const { width, height, seed } = submission.settings
  return {
    reference: submission.reference,
    prompt: submission.prompt,
    width,
    height,
    seed: seed ?? 0,
    ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl }),
  }
}

const judge: Judge = (answer) => {
  if (answer.status >= 200 && answer.status < 300) {
    const accepted = AcceptedBody.safeParse(answer.json)
    return accepted.success ? { kind: 'accepted', taskId: accepted.data.id } : undefined
  }
  if (answer.status === 429) return askedToWait(answer)
  const error = ErrorBody.safeParse(answer.json)
  if ((answer.status === 401 || answer.status === 402) && error.success) {
    return oursToMend(answer, error.data.error.code)
  }
  // Only a documented rejection with its documented body proves that nothing was created.
  return (answer.status === 400 || answer.status === 422) && error.success
    ? rejected(answer, failureOf(error.data.error), error.data.error.code)
    : undefined
}

function observationOf(task: TaskBody): Observation {
  switch (task.status) {
    case 'queued':
      return { kind: 'pending', progress: undefined }
    case 'rendering':
      return { kind: 'pending', progress: task.progress }
    case 'succeeded':
      return task.result
        ? { kind: 'succeeded', result: { url: task.result.url } }
        : { kind: 'failed', failure: noImage }
    case 'failed':
      return { kind: 'failed', failure: failureOf(task.error ?? { code: 'failed', message: '' }) }
    case 'cancelled':
      return { kind: 'failed', failure: cancelledThere }
    default:
      return assertNever(task.status)
  }
}

function failureOf(error: { readonly code: string; readonly message: string }): Failure {
  switch (error.code) {
    case 'content_policy':
      return moderated
    case 'invalid_input':
      return invalidInput(error.message)
    default:
      return providerFailed(error.message)
  }
}
