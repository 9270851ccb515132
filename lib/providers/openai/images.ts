import type { Cost, SubmitReport } from '@/lib/domain/observation'
import type { SubmitRequest } from '@/lib/domain/provider'
import { submitAndCount } from '@/lib/providers/at-once'
import { upstreamOf } from '@/lib/providers/background-model'
import { bytesFromBase64 } from '@/lib/providers/base64'
import type { Judge } from '@/lib/providers/judge'
import { multipart, type Part } from '@/lib/providers/multipart'
import { judgeError } from './judge-error'
import type { OpenAiOptions } from './options'
import { ImagesBody, Usage } from './schemas'

const EXTENSION = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const

/** The Images API: generations, or edits when there are images to go by. One POST either way. */
export function submitToImages(
  { base, headers, now }: OpenAiOptions,
  request: SubmitRequest,
  signal: AbortSignal,
): Promise<SubmitReport> {
  const common = {
    headers: { ...headers, 'x-client-request-id': request.reference },
    signal,
  }
  const isEdit = request.referenceImages.length > 0
  return submitAndCount(
    isEdit
      ? { ...common, url: `${base}/images/edits`, ...multipart(partsOf(request)) }
      : { ...common, url: `${base}/images/generations`, body: JSON.stringify(fieldsOf(request)) },
    now,
    judge,
    tokensOf,
  )
}

function fieldsOf({ model, prompt, settings }: SubmitRequest) {
  const { width, height, quality } = settings
  return {
    model: upstreamOf(model).model,
    prompt,
    n: 1,
    size: `${width}x${height}`,
    output_format: 'png',
    ...(quality === undefined ? {} : { quality }),
  }
}

function partsOf(request: SubmitRequest): readonly Part[] {
  return [
    ...Object.entries(fieldsOf(request)).map(([name, value]) => ({ name, text: String(value) })),
    ...request.referenceImages.map(({ contentType, bytes }, index) => ({
      name: 'image[]',
      fileName: `reference-${index + 1}.${EXTENSION[contentType]}`,
      contentType,
      bytes,
    })),
  ]
}

const judge: Judge = (answer) => {
  if (answer.status < 200 || answer.status >= 300) return judgeError(answer)
  const image = ImagesBody.safeParse(answer.json).data?.data[0]
  const bytes = image && bytesFromBase64(image.b64_json)
  // A success without an image was paid for all the same, and nobody knows what became of it.
  return bytes && { kind: 'made', image: bytes }
}

/** OpenAI counts in tokens. */
export function tokensOf(json: unknown): Cost | undefined {
  const usage = Usage.safeParse(json).data?.usage
  return usage && { amount: usage.total_tokens, unit: 'tokens' }
}
