import { findModel } from '@/lib/domain/model'
import type { Capabilities, Provider } from '@/lib/domain/provider'
import { nothingToObserve, UNRECOVERABLE } from '@/lib/providers/at-once'
import { upstreamOf } from '@/lib/providers/background-model'
import { unknownModel } from '@/lib/providers/unknown-model'
import { submitToImages } from './images'
import { openAiModelFacts } from './models'
import type { OpenAiOptions } from './options'
import {
  cancelResponse,
  fetchResponseImage,
  observeResponse,
  referenceOfResponse,
} from './response-tasks'
import { submitToResponses } from './responses'

// OpenAI publishes no rule on what a lost or failed request costs.
const BILLING: Capabilities['billing'] = {
  failed: 'not-established',
  moderated: 'not-established',
  cancelled: 'not-established',
}

// As long as OpenAI's own clients wait: giving up sooner would only make more answers lost, and a
// lost one cannot be found again. https://github.com/openai/openai-node#timeouts
const IMAGES_TIMEOUT_MS = 10 * 60_000

export function createOpenAiProvider(options: {
  readonly baseUrl: string
  readonly apiKey: string
  readonly responsesModel: string
  /** Whether the project's webhook is set up to call us. */
  readonly hasWebhook: boolean
  readonly now: () => Date
}): Provider {
  const base = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  const openAi: OpenAiOptions = {
    base,
    headers: { authorization: `Bearer ${options.apiKey}` },
    responsesModel: options.responsesModel,
    now: options.now,
  }
  /**
   * There is no list to search and no key against repeats. A lost answer is found again by the
   * project's webhook alone: it names the response, and the response carries our reference.
   */
  const inBackground: Capabilities = {
    answers: 'later',
    idempotentForMs: undefined,
    lookup: undefined,
    callback: options.hasWebhook ? 'project' : undefined,
    cancel: 'confirmed',
    resultForMs: undefined,
    billing: BILLING,
  }
  const isInBackground = (model: string) => upstreamOf(model).inBackground

  return {
    name: 'openai',
    capabilities: (model) =>
      isInBackground(model) ? inBackground : { ...UNRECOVERABLE, billing: BILLING },
    trustedOrigins: [],
    submitTimeoutMs: (model) => (isInBackground(model) ? undefined : IMAGES_TIMEOUT_MS),
    submit(request, signal) {
      const facts = findModel(openAiModelFacts, request.model)
      if (facts === undefined) return Promise.resolve(unknownModel(base, request.model))
      return isInBackground(request.model)
        ? submitToResponses(openAi, request, signal)
        : submitToImages(openAi, request, signal)
    },
    observe: (taskId, model, signal) =>
      isInBackground(model)
        ? observeResponse(openAi, taskId, signal)
        : Promise.resolve(nothingToObserve),
    cancel: (taskId, _model, signal) => cancelResponse(openAi, taskId, signal),
    fetchOutput: (taskId, _model, signal) => fetchResponseImage(openAi, taskId, signal),
    referenceOf: (taskId, signal) => referenceOfResponse(openAi, taskId, signal),
  }
}
