import { findModel } from '@/lib/domain/model'
import type { Capabilities, Provider } from '@/lib/domain/provider'
import { nothingToObserve, UNRECOVERABLE } from '@/lib/providers/at-once'
import { upstreamOf } from '@/lib/providers/background-model'
import { unknownModel } from '@/lib/providers/unknown-model'
import { submitToGenerateContent } from './generate-content'
import {
  cancelInteraction,
  fetchInteractionImage,
  observeInteraction,
  submitToInteractions,
} from './interactions'
import { geminiModelFacts } from './models'
import type { GeminiOptions } from './options'

// Only a 400 and a 500 are documented as free of charge. What a filtered, failed or stopped run
// costs is not.
const BILLING: Capabilities['billing'] = {
  failed: 'not-established',
  moderated: 'not-established',
  cancelled: 'not-established',
}

const DAY_MS = 24 * 60 * 60_000
// A lost answer cannot be found again, so it is waited for beyond what pictures ever take.
const AT_ONCE_TIMEOUT_MS = 6 * 60_000

export function createGeminiProvider(options: {
  readonly baseUrl: string
  readonly apiKey: string
  /** Whether callbacks can be checked when they come; otherwise none are asked for. */
  readonly hasWebhook: boolean
  readonly now: () => Date
}): Provider {
  const gemini: GeminiOptions = {
    base: options.baseUrl.replace(/(?<!\/)\/+$/, ''),
    headers: { 'x-goog-api-key': options.apiKey },
    hasWebhook: options.hasWebhook,
    now: options.now,
  }
  /**
   * There is no list to search and no key against repeats. A lost answer is found again by the
   * request's own webhook alone.
   */
  const inBackground: Capabilities = {
    answers: 'later',
    idempotentForMs: undefined,
    lookup: undefined,
    callback: options.hasWebhook ? 'attempt' : undefined,
    cancel: 'confirmed',
    // https://ai.google.dev/gemini-api/docs/interactions#data-storage-retention: a day in the free
    // tier, 55 days in the paid one; which one it is cannot be asked.
    resultForMs: DAY_MS,
    billing: BILLING,
  }
  const isInBackground = (model: string) => upstreamOf(model).inBackground

  return {
    name: 'gemini',
    capabilities: (model) =>
      isInBackground(model) ? inBackground : { ...UNRECOVERABLE, billing: BILLING },
    trustedOrigins: [],
    submitTimeoutMs: (model) => (isInBackground(model) ? undefined : AT_ONCE_TIMEOUT_MS),
    submit(request, signal) {
      const facts = findModel(geminiModelFacts(true), request.model)
      if (facts === undefined) return Promise.resolve(unknownModel(gemini.base, request.model))
      return isInBackground(request.model)
        ? submitToInteractions(gemini, request, signal)
        : submitToGenerateContent(gemini, request, signal)
    },
    observe: (taskId, model, signal) =>
      isInBackground(model)
        ? observeInteraction(gemini, taskId, signal)
        : Promise.resolve(nothingToObserve),
    cancel: (taskId, _model, signal) => cancelInteraction(gemini, taskId, signal),
    fetchOutput: (taskId, _model, signal) => fetchInteractionImage(gemini, taskId, signal),
  }
}
