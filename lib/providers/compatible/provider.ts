import type { SubmitOutcome } from '@/lib/domain/observation'
import type { Capabilities, Provider } from '@/lib/domain/provider'
import { nothingToObserve, submitAndCount, UNRECOVERABLE } from '@/lib/providers/at-once'
import { bytesFromBase64 } from '@/lib/providers/base64'
import type { AnsweredSubmission } from '@/lib/providers/judge'
import { tokensOf } from '@/lib/providers/openai/images'
import { judgeError } from '@/lib/providers/openai/judge-error'
import { unknownModel } from '@/lib/providers/unknown-model'
import { compatibleModelId } from './models'
import { ImagesBody } from './schemas'

const CAPABILITIES: Capabilities = {
  ...UNRECOVERABLE,
  billing: {
    failed: 'not-established',
    moderated: 'not-established',
    cancelled: 'not-established',
  },
}

// A machine of one's own may draw for minutes, and a lost answer cannot be found again.
const TIMEOUT_MS = 10 * 60_000
const RESULT_URL_MAX = 4_000
const DATA_URL = /^data:image\/[a-z+]+;base64,/i

/** Any server that speaks OpenAI's Images API: one POST, answered with the image or its address. */
export function createCompatibleProvider(options: {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  /** As the server calls them. */
  readonly models: readonly string[]
  readonly now: () => Date
}): Provider {
  const base = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  const upstreamById = new Map(options.models.map((model) => [compatibleModelId(model), model]))
  return {
    name: 'compatible',
    capabilities: () => CAPABILITIES,
    // Often on the operator's own network, and the operator has named it.
    trustedOrigins: [new URL(base).origin],
    submitTimeoutMs: () => TIMEOUT_MS,

    submit({ reference, model, prompt, settings }, signal) {
      const upstream = upstreamById.get(model)
      if (upstream === undefined) return Promise.resolve(unknownModel(base, model))
      return submitAndCount(
        {
          url: `${base}/images/generations`,
          headers: {
            ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
            'x-client-request-id': reference,
          },
          // No more than every such server knows: some refuse response_format, some need none.
          body: JSON.stringify({
            model: upstream,
            prompt,
            n: 1,
            size: `${settings.width}x${settings.height}`,
          }),
          signal,
        },
        options.now,
        (answer) =>
          answer.status >= 200 && answer.status < 300
            ? judgeImages(answer, base)
            : judgeError(answer),
        tokensOf,
      )
    },

    observe: () => Promise.resolve(nothingToObserve),
  }
}

/** A success without an image that can be had is unknown: it may have been paid for. */
function judgeImages({ json }: AnsweredSubmission, base: string): SubmitOutcome | undefined {
  const one = ImagesBody.safeParse(json).data?.data[0]
  const inline = one?.b64_json ?? (DATA_URL.test(one?.url ?? '') ? one?.url : undefined)
  if (inline) {
    const image = bytesFromBase64(inline.replace(DATA_URL, ''))
    return image && { kind: 'made', image }
  }
  if (!one?.url || !URL.canParse(one.url, `${base}/`)) return undefined
  const url = new URL(one.url, `${base}/`).href
  return url.length > RESULT_URL_MAX ? undefined : { kind: 'made-at', result: { url } }
}
