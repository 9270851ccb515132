import { findModel } from '@/lib/domain/model'
import type { SubmitOutcome } from '@/lib/domain/observation'
import type { Capabilities, Provider, SubmitRequest } from '@/lib/domain/provider'
import { IMAGE_ANSWER_BYTES_MAX, nothingToObserve, UNRECOVERABLE } from '@/lib/providers/at-once'
import { bytesFromBase64 } from '@/lib/providers/base64'
import {
  askedToWait,
  invalidInput,
  moderated,
  oursToMend,
  rejected,
  submitAndJudge,
  type AnsweredSubmission,
  type Judge,
} from '@/lib/providers/judge'
import { multipart, type Part } from '@/lib/providers/multipart'
import { seedWithin } from '@/lib/providers/seed-within'
import { unknownModel } from '@/lib/providers/unknown-model'
import { ratioFor, serviceOf, stabilityModelFacts } from './models'
import { ErrorBody, ImageBody } from './schemas'

const CAPABILITIES: Capabilities = {
  ...UNRECOVERABLE,
  billing: {
    // "You will not be charged for failed generations."
    failed: 'not-charged',
    // A filtered image counts as "successful, however blurred": nothing says that it is free.
    moderated: 'not-established',
    cancelled: 'not-established',
  },
}

// Far above what pictures take: a lost answer cannot be found again.
const TIMEOUT_MS = 3 * 60_000
const SEED_MAX = 4_294_967_294
// "You have been timed out for 60 seconds": of Stability's rate limit.
const RATE_LIMIT_MS = 60_000

/** https://platform.stability.ai/docs/api-reference#tag/Generate */
export function createStabilityProvider(options: {
  readonly baseUrl: string
  readonly apiKey: string
  readonly now: () => Date
}): Provider {
  const base = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  return {
    name: 'stability',
    capabilities: () => CAPABILITIES,
    trustedOrigins: [],
    submitTimeoutMs: () => TIMEOUT_MS,

    submit(request, signal) {
      const facts = findModel(stabilityModelFacts, request.model)
      if (facts === undefined) return Promise.resolve(unknownModel(base, request.model))
      return submitAndJudge(
        {
          url: `${base}/v2beta/stable-image/generate/${serviceOf(request.model).path}`,
          headers: {
            authorization: `Bearer ${options.apiKey}`,
            // Half of a JSON text is no JSON text, while half of an image may pass for one.
            accept: 'application/json',
            'x-client-request-id': request.reference,
            'stability-client-id': 'darkroom',
          },
          ...multipart(partsOf(request)),
          signal,
          answerBytesMax: IMAGE_ANSWER_BYTES_MAX,
        },
        options.now,
        judge,
      )
    },

    observe: () => Promise.resolve(nothingToObserve),
  }
}

function partsOf({ model, prompt, settings }: SubmitRequest): readonly Part[] {
  const fields: Readonly<Record<string, string | undefined>> = {
    prompt,
    model: serviceOf(model).model,
    aspect_ratio: ratioFor(settings),
    output_format: 'png',
    negative_prompt: settings.negativePrompt,
    seed: settings.seed === undefined ? undefined : String(seedOf(settings.seed)),
  }
  return Object.entries(fields).flatMap(([name, text]) =>
    text === undefined ? [] : [{ name, text }],
  )
}

/** Stability takes 0 for "any": whoever asks for the seed 0 gets one seed, and always the same. */
function seedOf(seed: number): number {
  const within = seedWithin(seed, SEED_MAX)
  return within === 0 ? SEED_MAX : within
}

const judge: Judge = (answer) =>
  answer.status >= 200 && answer.status < 300 ? judgeImage(answer) : judgeError(answer)

/** JSON is asked for; bytes are what the service answers by default. */
function judgeImage(answer: AnsweredSubmission): SubmitOutcome | undefined {
  if (answer.header('content-type')?.startsWith('image/') === true) {
    if (answer.bytes.length === 0) return undefined
    return outcomeOf(answer, answer.header('finish-reason') ?? 'SUCCESS', answer.bytes)
  }
  const body = ImageBody.safeParse(answer.json).data
  const image = body && bytesFromBase64(body.image)
  return image && outcomeOf(answer, body.finish_reason, image)
}

function outcomeOf(answer: AnsweredSubmission, reason: string, image: Buffer): SubmitOutcome {
  return reason === 'CONTENT_FILTERED'
    ? // What comes is the picture blurred beyond use.
      { kind: 'failed', failure: moderated, evidence: answer.evidence('It was filtered.', reason) }
    : { kind: 'made', image }
}

/** Undefined for every 5xx and for any body that is not of Stability's shape. */
function judgeError(answer: AnsweredSubmission): SubmitOutcome | undefined {
  const error = ErrorBody.safeParse(answer.json).data
  if (error === undefined) return undefined
  switch (answer.status) {
    case 400:
    case 413:
    case 422:
      return rejected(answer, invalidInput(error.errors.join('; ')), error.name)
    case 401:
    case 402:
      return oursToMend(answer, error.name)
    case 403:
      return error.name === 'content_moderation'
        ? rejected(answer, moderated, error.name)
        : oursToMend(answer, error.name)
    case 429:
      return askedToWait(
        { ...answer, retryAfterMs: answer.retryAfterMs ?? RATE_LIMIT_MS },
        error.name,
      )
    default:
      return undefined
  }
}
