import type { Observation } from '@/lib/domain/observation'
import type { Capabilities, Provider, SubmitRequest } from '@/lib/domain/provider'
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
import { findByWebhook } from './find-by-webhook'
import { findReplicateModel, type ReplicateModel } from './models'
import { cancellingOf, observationOf } from './observation'
import { AcceptedBody, ErrorBody, PredictionBody } from './schemas'

const HOUR_MS = 60 * 60_000
// Bounds what a prediction costs that nobody can find: far above any model here, queue and all.
const CANCEL_AFTER = '10m'

export function createReplicateProvider(options: {
  readonly token: string
  readonly baseUrl: string
  /** Whether callbacks can be verified here. */
  readonly verifiesCallbacks: boolean
  readonly now: () => Date
}): Provider {
  const { baseUrl: base, now } = options
  const headers = { authorization: `Bearer ${options.token}` }
  const predictionUrl = (taskId: string) => `${base}/v1/predictions/${encodeURIComponent(taskId)}`
  return {
    name: 'replicate',
    capabilities: () => capabilitiesOf(options.verifiesCallbacks),
    trustedOrigins: [new URL(base).origin],
    submitTimeoutMs: () => undefined,

    async submit(request, signal) {
      const model = findReplicateModel(request.model)
      if (!model) return unknownModel(base, request.model)
      return submitAndJudge(
        {
          url: `${base}/v1/models/${model.slug}/predictions`,
          headers: {
            ...headers,
            'cancel-after': CANCEL_AFTER,
            'x-client-request-id': request.reference,
          },
          body: JSON.stringify(bodyOf(model, request, base)),
          signal,
        },
        now,
        judge,
      )
    },

    async observe(taskId, _model, signal): Promise<Observation> {
      const looked = await look({ url: predictionUrl(taskId), headers, signal, now: now() })
      if (looked.kind === 'unavailable') return looked
      if (looked.status === 404 && ErrorBody.safeParse(looked.json).success) {
        return { kind: 'missing', reason: 'Replicate knows no such prediction.' }
      }
      if (looked.status !== 200) return looked.unavailable()
      const prediction = PredictionBody.safeParse(looked.json)
      return prediction.success
        ? observationOf(prediction.data)
        : looked.unavailable('The status could not be read.')
    },

    async lookUp({ callbackUrl }, submittedAt, signal) {
      const webhook = usableCallbackUrl(callbackUrl, base)
      return webhook === undefined
        ? { kind: 'absent', reason: 'Nothing of ours was sent that a search could find.' }
        : findByWebhook({ base, headers, webhook, submittedAt, signal, now })
    },

    async cancel(taskId, _model, signal) {
      const url = `${predictionUrl(taskId)}/cancel`
      const looked = await look({ url, method: 'POST', headers, signal, now: now() })
      if (looked.kind === 'unavailable') return looked
      const prediction = PredictionBody.safeParse(looked.json)
      return looked.status === 200 && prediction.success
        ? cancellingOf(prediction.data)
        : looked.unavailable()
    },
  }
}

function capabilitiesOf(verifiesCallbacks: boolean): Capabilities {
  return {
    answers: 'later',
    idempotentForMs: undefined,
    lookup: { by: 'list', forMs: HOUR_MS },
    callback: verifiesCallbacks ? 'attempt' : undefined,
    cancel: 'confirmed',
    resultForMs: HOUR_MS,
    // Time that was used is charged (https://replicate.com/changelog/2025-10-16-prediction-deadlines).
    billing: { failed: 'not-established', moderated: 'not-established', cancelled: 'charged' },
  }
}

function bodyOf(model: ReplicateModel, request: SubmitRequest, base: string) {
  const webhook = usableCallbackUrl(request.callbackUrl, base)
  return {
    input: model.inputOf(request),
    // `start` tells of the prediction early, which is what a lost answer needs.
    ...(webhook === undefined ? {} : { webhook, webhook_events_filter: ['start', 'completed'] }),
  }
}

const judge: Judge = (answer) => {
  const { status } = answer
  if (status >= 200 && status < 300) {
    const accepted = AcceptedBody.safeParse(answer.json)
    return accepted.success ? { kind: 'accepted', taskId: accepted.data.id } : undefined
  }
  const error = ErrorBody.safeParse(answer.json).data
  // Without the documented body it may be anybody's answer, given before or after acceptance.
  if (!error) return undefined
  switch (status) {
    case 400:
    case 413:
    case 422:
      return rejected(answer, invalidInput(error.detail), error.title)
    case 401:
    case 402:
    case 403:
    case 404:
      return oursToMend(answer, error.title ?? `http_${status}`)
    case 429:
      return askedToWait(answer, error.title)
    default:
      return undefined
  }
}
