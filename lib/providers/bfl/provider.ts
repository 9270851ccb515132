import type { Failure } from '@/lib/domain/attempt'
import { assertNever } from '@/lib/domain/invariant'
import type { Cost, Observation } from '@/lib/domain/observation'
import type { Capabilities, Provider, SubmitRequest } from '@/lib/domain/provider'
import { usableCallbackUrl } from '@/lib/providers/callback-url'
import {
  askedToWait,
  invalidInput,
  moderated,
  oursToMend,
  providerFailed,
  rejected,
  submitAndJudge,
  type AnsweredSubmission,
  type Judge,
} from '@/lib/providers/judge'
import { look } from '@/lib/providers/look'
import { unknownModel } from '@/lib/providers/unknown-model'
import { findBflModel } from './models'
import { AcceptedBody, ErrorBody, ResultBody } from './schemas'
import { placesOf, taskIdOf } from './task-address'

// There is no list of tasks, no field of ours and no way to cancel.
const CAPABILITIES: Capabilities = {
  answers: 'later',
  idempotentForMs: undefined,
  lookup: undefined,
  callback: 'attempt',
  cancel: undefined,
  resultForMs: 10 * 60_000,
  // https://help.bfl.ai/articles/2916279050
  billing: { failed: 'not-established', moderated: 'not-charged', cancelled: 'not-established' },
}

export function createBflProvider(options: {
  readonly key: string
  readonly baseUrl: string
  /** Where else tasks may be that were submitted there. */
  readonly regions: readonly string[]
  readonly now: () => Date
}): Provider {
  const { baseUrl: base, now } = options
  const headers = { 'x-key': options.key }

  async function observeAt(url: string, signal: AbortSignal): Promise<Observation> {
    const looked = await look({ url, headers, signal, now: now() })
    if (looked.kind === 'unavailable') return looked
    const body = ResultBody.safeParse(looked.json)
    const isDocumented =
      looked.status === 200 || (looked.status === 404 && body.data?.status === 'Task not found')
    return isDocumented && body.success ? observationOf(body.data) : looked.unavailable()
  }

  return {
    name: 'bfl',
    capabilities: () => CAPABILITIES,
    trustedOrigins: [new URL(base).origin],
    submitTimeoutMs: () => undefined,

    async submit(request, signal) {
      const model = findBflModel(request.model)
      if (!model) return unknownModel(base, request.model)
      let cost: Cost | undefined
      const callbackUrl = usableCallbackUrl(request.callbackUrl, base)
      const report = await submitAndJudge(
        {
          url: `${base}/v1/${model.path}`,
          headers: { ...headers, 'x-client-request-id': request.reference },
          body: JSON.stringify(bodyOf(request, callbackUrl)),
          signal,
        },
        now,
        (answer) => {
          const accepted = acceptedIn(answer)
          if (!accepted) return judgeRefusal(answer)
          if (accepted.cost !== undefined) cost = { amount: accepted.cost, unit: 'credits' }
          const isCalledBack = callbackUrl !== undefined
          const taskId = taskIdOf(isCalledBack ? { id: accepted.id } : accepted, base)
          return taskId && { kind: 'accepted', taskId }
        },
      )
      return { ...report, usage: { ...report.usage, cost } }
    },

    /** A region answers that it knows no such task also of the tasks of another one. */
    async observe(taskId, _model, signal) {
      const { first, others } = placesOf(taskId, base, options.regions)
      const seen = await observeAt(first, signal)
      if (seen.kind !== 'missing' || others.length === 0) return seen
      const elsewhere = await Promise.all(others.map((url) => observeAt(url, signal)))
      const found = elsewhere.filter(({ kind }) => kind !== 'missing')
      return found.find(({ kind }) => kind !== 'unavailable') ?? found[0] ?? seen
    },
  }
}

function bodyOf(request: SubmitRequest, callbackUrl: string | undefined) {
  const { prompt, settings, referenceImages } = request
  const images = referenceImages.map(({ bytes }, index): readonly [string, string] => [
    index === 0 ? 'input_image' : `input_image_${index + 1}`,
    bytes.toString('base64'),
  ])
  return {
    prompt,
    width: settings.width,
    height: settings.height,
    output_format: 'png',
    ...(settings.seed === undefined ? {} : { seed: settings.seed }),
    ...Object.fromEntries(images),
    ...(callbackUrl === undefined
      ? {}
      : { webhook_url: callbackUrl, webhook_secret: request.callbackSecret }),
  }
}

function acceptedIn({ status, json }: AnsweredSubmission): AcceptedBody | undefined {
  return status >= 200 && status < 300 ? AcceptedBody.safeParse(json).data : undefined
}

const judgeRefusal: Judge = (answer) => {
  const error = ErrorBody.safeParse(answer.json).data
  // Without a documented body it may be anybody's answer, given before or after acceptance.
  if (!error) return undefined
  switch (answer.status) {
    case 400:
    case 413:
    case 422:
      return rejected(answer, failureOf(error.code, error.words, invalidInput), error.code)
    case 401:
    case 402:
    case 403:
    case 404:
      return oursToMend(answer, error.code ?? `http_${answer.status}`)
    case 429: {
      const { retryAfterSeconds } = error
      const inBody = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000
      return askedToWait({ ...answer, retryAfterMs: answer.retryAfterMs ?? inBody }, error.code)
    }
    default:
      return undefined
  }
}

function observationOf(body: ResultBody): Observation {
  switch (body.status) {
    case 'Pending':
      return { kind: 'pending', progress: body.progress ?? undefined }
    case 'Ready':
      return body.result
        ? { kind: 'succeeded', result: { url: body.result.sample } }
        : { kind: 'unavailable', reason: 'It is ready, and it is not said where.' }
    case 'Request Moderated':
    case 'Content Moderated':
      return { kind: 'failed', failure: moderated }
    case 'Error':
      return {
        kind: 'failed',
        failure: failureOf(body.error, body.message ?? body.error ?? '', providerFailed),
      }
    case 'Task not found':
      return { kind: 'missing', reason: 'Black Forest Labs knows no such task, or none any more.' }
    default:
      return assertNever(body.status)
  }
}

function failureOf(
  code: string | null | undefined,
  words: string,
  otherwise: (words: string) => Failure,
): Failure {
  return code === 'content_policy_violation' ? moderated : otherwise(words)
}
