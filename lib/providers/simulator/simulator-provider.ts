import { request } from 'undici'
import type { Failure } from '@/lib/domain/attempt'
import { assertNever } from '@/lib/domain/invariant'
import type { Evidence, Observation, SubmitOutcome } from '@/lib/domain/observation'
import type { Provider, SubmitRequest } from '@/lib/domain/provider'
import {
  describeError,
  retryAfterMs,
  submitOnce,
  type SubmitAnswer,
} from '@/lib/providers/submit-once'
import { AcceptedBody, ErrorBody, TaskBody } from './simulator-schemas'

const EVIDENCE_BODY_MAX = 500

/**
 * The simulator keeps no idempotency keys and offers no lookup by our reference. A lost answer is
 * resolved by its callback, which carries our token in its address, or not at all.
 */
export function createSimulatorProvider(options: {
  readonly baseUrl: string
  readonly now: () => Date
}): Provider {
  const base = options.baseUrl.replace(/\/+$/, '')
  return {
    name: 'simulator',
    resultOrigins: [new URL(base).origin],

    async submit(submission, signal) {
      const answer = await submitOnce({
        url: `${base}/v1/generations`,
        headers: {},
        body: JSON.stringify(bodyOf(submission)),
        signal,
      })
      return outcomeOf(answer, options.now())
    },

    async observe(taskId, signal) {
      try {
        const response = await request(`${base}/v1/generations/${encodeURIComponent(taskId)}`, {
          signal,
        })
        const text = await response.body.text()
        if (response.statusCode === 404) {
          return { kind: 'missing', reason: 'The simulator knows no such task.' }
        }
        if (response.statusCode !== 200) {
          const after = response.headers['retry-after']
          const pauseMs = retryAfterMs(typeof after === 'string' ? after : undefined, options.now())
          return {
            kind: 'unavailable',
            reason: `The status answered ${response.statusCode}.`,
            ...(pauseMs === undefined ? {} : { retryAfterMs: pauseMs }),
          }
        }
        return observationOf(parseJson(text))
      } catch (error) {
        // A failed look says nothing about the task.
        return { kind: 'unavailable', reason: describeError(error) }
      }
    },
  }
}

function bodyOf(submission: SubmitRequest) {
  return {
    reference: submission.reference,
    prompt: submission.prompt,
    ...submission.settings,
    ...(submission.callbackUrl === undefined ? {} : { callback_url: submission.callbackUrl }),
  }
}

function outcomeOf(answer: SubmitAnswer, now: Date): SubmitOutcome {
  switch (answer.kind) {
    case 'not-sent':
      return {
        kind: 'rejected-for-now',
        retryAfterMs: undefined,
        evidence: { reason: `Nothing was sent: ${answer.reason}` },
      }
    case 'no-answer':
      return { kind: 'unknown', evidence: { reason: answer.reason } }
    case 'answered':
      return outcomeOfAnswer(answer, now)
    default:
      return assertNever(answer)
  }
}

function outcomeOfAnswer(
  answer: Extract<SubmitAnswer, { kind: 'answered' }>,
  now: Date,
): SubmitOutcome {
  const body = parseJson(answer.body)
  if (answer.status >= 200 && answer.status < 300) {
    const accepted = AcceptedBody.safeParse(body)
    return accepted.success
      ? { kind: 'accepted', taskId: accepted.data.id }
      : { kind: 'unknown', evidence: evidenceOf(answer, 'The answer names no task.') }
  }
  if (answer.status === 429) {
    return {
      kind: 'rejected-for-now',
      retryAfterMs: retryAfterMs(answer.header('retry-after'), now),
      evidence: evidenceOf(answer, 'The provider asked to wait.'),
    }
  }
  const error = ErrorBody.safeParse(body)
  // Only a documented rejection with its documented body proves that nothing was created.
  if ((answer.status === 400 || answer.status === 422) && error.success) {
    return {
      kind: 'rejected',
      failure: failureOf(error.data.error),
      evidence: evidenceOf(answer, 'The provider refused it.'),
    }
  }
  return { kind: 'unknown', evidence: evidenceOf(answer, 'The answer proves nothing.') }
}

function observationOf(body: unknown): Observation {
  const parsed = TaskBody.safeParse(body)
  if (!parsed.success) return { kind: 'unavailable', reason: 'The status could not be read.' }
  const task = parsed.data
  switch (task.status) {
    case 'queued':
      return { kind: 'pending', progress: undefined }
    case 'rendering':
      return { kind: 'pending', progress: task.progress }
    case 'succeeded':
      return task.result
        ? { kind: 'succeeded', result: { url: task.result.url } }
        : {
            kind: 'failed',
            failure: { code: 'unusable_result', message: 'The image service made no image.' },
          }
    case 'failed':
      return {
        kind: 'failed',
        failure: failureOf(task.error ?? { code: 'failed', message: 'No reason was given.' }),
      }
    case 'cancelled':
      return {
        kind: 'failed',
        failure: { code: 'cancelled', message: 'It was cancelled at the image service.' },
      }
    default:
      return assertNever(task.status)
  }
}

/** Words for the user: what it was and what to do, never raw provider text alone. */
function failureOf(error: { readonly code: string; readonly message: string }): Failure {
  switch (error.code) {
    case 'content_policy':
      return {
        code: 'moderated',
        message:
          'The image service refused this prompt under its content rules. Change the prompt.',
      }
    case 'invalid_input':
      return {
        code: 'invalid_input',
        message: `The image service did not accept the input: ${error.message.slice(0, 300)}`,
      }
    default:
      return {
        code: 'provider_failed',
        message: `The image service could not make this image: ${error.message.slice(0, 300)}`,
      }
  }
}

function evidenceOf(answer: Extract<SubmitAnswer, { kind: 'answered' }>, reason: string): Evidence {
  return { reason, httpStatus: answer.status, body: answer.body.slice(0, EVIDENCE_BODY_MAX) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the schemas refuse undefined like any other wrong shape.
    return undefined
  }
}
