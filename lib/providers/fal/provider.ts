import type { Capabilities, Provider } from '@/lib/domain/provider'
import { usableCallbackUrl } from '@/lib/providers/callback-url'
import {
  askedToWait,
  invalidInput,
  oursToMend,
  rejected,
  submitAndJudge,
  type Judge,
} from '@/lib/providers/judge'
import { look } from '@/lib/providers/look'
import { unknownModel } from '@/lib/providers/unknown-model'
import { failureOfModel } from './failures'
import { findFalModel } from './models'
import { cancellingOf, endOf, statusOf } from './observation'
import { AcceptedBody, ModelErrorBody, RequestErrorBody } from './schemas'

/**
 * The request history tells neither our address nor our tag, so there is no lookup: a request that
 * is merely alike is no proof.
 */
const CAPABILITIES: Capabilities = {
  answers: 'later',
  idempotentForMs: undefined,
  lookup: undefined,
  callback: 'attempt',
  cancel: 'asked',
  // An hour, or six minutes when the result is 10 KB or more, as one with a long prompt may be.
  resultForMs: 6 * 60_000,
  // "Server errors are never charged", what a model refuses may be (https://fal.ai/docs/model-apis/faq).
  billing: { failed: 'not-charged', moderated: 'charged', cancelled: 'not-established' },
}

export function createFalProvider(options: {
  readonly key: string
  readonly baseUrl: string
  readonly now: () => Date
}): Provider {
  const { baseUrl: base, now } = options
  const headers = { authorization: `Key ${options.key}` }

  /**
   * Addresses are made from the app and the request's id, as fal documents them and its own clients
   * do: the id is all that a callback tells. Undefined: the model is not known any more.
   */
  function requestUrl(taskId: string, model: string): string | undefined {
    const app = findFalModel(model)?.app
    return app && `${base}/${app}/requests/${encodeURIComponent(taskId)}`
  }

  return {
    name: 'fal',
    capabilities: () => CAPABILITIES,
    trustedOrigins: [new URL(base).origin],
    submitTimeoutMs: () => undefined,

    async submit(request, signal) {
      const model = findFalModel(request.model)
      if (!model) return unknownModel(base, request.model)
      const callbackUrl = usableCallbackUrl(request.callbackUrl, base)
      const query = callbackUrl ? `?fal_webhook=${encodeURIComponent(callbackUrl)}` : ''
      return submitAndJudge(
        {
          url: `${base}/${model.app}${model.pathOf(request)}${query}`,
          headers: {
            ...headers,
            // One click is one run: by itself fal runs a request up to ten times.
            'x-fal-no-retry': '1',
            'x-fal-tags': `attempt=${request.reference}`,
            'x-client-request-id': request.reference,
          },
          body: JSON.stringify(model.inputOf(request)),
          signal,
        },
        now,
        judge,
      )
    },

    async observe(taskId, model, signal) {
      const url = requestUrl(taskId, model)
      if (url === undefined) return { kind: 'unavailable', reason: `There is no model ${model}.` }
      const seen = statusOf(await look({ url: `${url}/status`, headers, signal, now: now() }))
      return seen.kind === 'ended'
        ? endOf(seen.failure, await look({ url, headers, signal, now: now() }))
        : seen
    },

    async cancel(taskId, model, signal) {
      const url = requestUrl(taskId, model)
      if (url === undefined) return { kind: 'unavailable', reason: `There is no model ${model}.` }
      return cancellingOf(
        await look({ url: `${url}/cancel`, method: 'PUT', headers, signal, now: now() }),
      )
    },
  }
}

const judge: Judge = (answer) => {
  const { status } = answer
  if (status >= 200 && status < 300) {
    const accepted = AcceptedBody.safeParse(answer.json)
    return accepted.success ? { kind: 'accepted', taskId: accepted.data.request_id } : undefined
  }
  const refused = ModelErrorBody.safeParse(answer.json).data
  if (refused && (status === 400 || status === 422)) {
    return rejected(answer, failureOfModel(refused, status), refused[0]?.type)
  }
  const error = RequestErrorBody.safeParse(answer.json).data
  // Without a documented body it may be anybody's answer, given before or after acceptance.
  if (!error) return undefined
  switch (status) {
    case 400:
    case 413:
    case 422:
      return rejected(answer, invalidInput(error.detail), error.error_type)
    case 401:
    case 402:
    case 403:
    case 404:
      return oursToMend(answer, error.error_type ?? `http_${status}`)
    case 429:
      return askedToWait(answer, error.error_type)
    default:
      return undefined
  }
}
