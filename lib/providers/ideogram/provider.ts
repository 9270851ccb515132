import { assertNever } from '@/lib/domain/invariant'
import type { Observation } from '@/lib/domain/observation'
import type { Capabilities, Provider, SubmitRequest } from '@/lib/domain/provider'
import { usableCallbackUrl } from '@/lib/providers/callback-url'
import { moderated, noImage, providerFailed, submitAndJudge } from '@/lib/providers/judge'
import { look } from '@/lib/providers/look'
import { multipart, type Part } from '@/lib/providers/multipart'
import { unknownModel } from '@/lib/providers/unknown-model'
import { judgeIdeogram } from './judge-answer'
import { IDEOGRAM_WIRE, type IdeogramWire } from './models'
import { GenerationBody } from './schemas'

/**
 * Ideogram says that every request is a new, billed generation
 * (https://developer.ideogram.ai/ideogram-api/idempotency), and offers no list: a lost answer is
 * resolved by the callback, whose address is the attempt's own, or not at all. Results last 24 hours
 * (https://developer.ideogram.ai/ideogram-api/responses-and-metadata). An image that its safety check
 * withholds is billed (https://developer.ideogram.ai/ideogram-api/errors).
 */
const CAPABILITIES: Capabilities = {
  answers: 'later',
  idempotentForMs: undefined,
  lookup: undefined,
  callback: 'attempt',
  cancel: undefined,
  resultForMs: 24 * 60 * 60 * 1_000,
  billing: { failed: 'not-charged', moderated: 'charged', cancelled: 'not-established' },
}

export function createIdeogramProvider(options: {
  readonly baseUrl: string
  readonly apiKey: string
  readonly now: () => Date
}): Provider {
  const { baseUrl, now } = options
  const headers = { 'api-key': options.apiKey }
  return {
    name: 'ideogram',
    capabilities: () => CAPABILITIES,
    trustedOrigins: [new URL(baseUrl).origin],
    submitTimeoutMs: () => undefined,

    submit(submission, signal) {
      const wire = IDEOGRAM_WIRE[submission.model]
      if (wire === undefined) return Promise.resolve(unknownModel(baseUrl, submission.model))
      return submitAndJudge(
        {
          url: `${baseUrl}${wire.path}`,
          headers: { ...headers, 'x-client-request-id': submission.reference },
          ...contentOf(submission, wire, baseUrl),
          signal,
        },
        now,
        judgeIdeogram,
      )
    },

    async observe(taskId, _model, signal) {
      const url = `${baseUrl}/v2/generations/${encodeURIComponent(taskId)}`
      const looked = await look({ url, headers, signal, now: now() })
      if (looked.kind === 'unavailable') return looked
      if (looked.status === 404) {
        return { kind: 'missing', reason: 'Ideogram knows no such generation.' }
      }
      const generation = GenerationBody.safeParse(looked.json)
      return looked.status === 200 && generation.success
        ? observationOf(generation.data)
        : looked.unavailable()
    },
  }
}

/** JSON, or a form as soon as there are images to go by: they travel as files only. */
function contentOf(submission: SubmitRequest, wire: IdeogramWire, base: string) {
  const webhook = usableCallbackUrl(submission.callbackUrl, base)
  const fields = {
    prompt: submission.prompt,
    ...wire.fieldsOf(submission.settings),
    num_images: 1,
    async: true,
    ...(webhook === undefined ? {} : { webhook_url: webhook }),
  }
  if (submission.referenceImages.length === 0) return { body: JSON.stringify(fields) }
  return multipart([
    ...Object.entries(fields).map(([name, value]): Part => ({ name, text: String(value) })),
    ...submission.referenceImages.map(({ contentType, bytes }, index): Part => ({
      name: 'images',
      fileName: `image-${index + 1}.${contentType.slice('image/'.length)}`,
      contentType,
      bytes,
    })),
  ])
}

function observationOf(generation: GenerationBody): Observation {
  const micros = generation.usage_cost_usd_micros ?? undefined
  const cost = micros === undefined ? {} : { cost: { amount: micros / 1_000_000, unit: 'USD' } }
  switch (generation.status) {
    case 'pending':
      return { kind: 'pending', progress: undefined }
    case 'failed':
      return { kind: 'failed', failure: providerFailed(generation.failure_reason ?? ''), ...cost }
    case 'completed': {
      if (!generation.data) {
        return { kind: 'unavailable', reason: 'What was completed could not be read.' }
      }
      const [image] = generation.data
      if (image === undefined) return { kind: 'failed', failure: noImage, ...cost }
      // An image that the safety check withholds has no address, and is done and billed all the same.
      if (image.is_image_safe === false) return { kind: 'failed', failure: moderated, ...cost }
      return image.url
        ? { kind: 'succeeded', result: { url: image.url }, ...cost }
        : { kind: 'failed', failure: noImage, ...cost }
    }
    default:
      return assertNever(generation.status)
  }
}
