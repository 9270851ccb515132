import type { Failure } from '@/lib/domain/attempt'
import type { Cost, SubmitReport } from '@/lib/domain/observation'
import type { SubmitRequest } from '@/lib/domain/provider'
import { submitAndCount } from '@/lib/providers/at-once'
import { upstreamOf } from '@/lib/providers/background-model'
import { bytesFromBase64 } from '@/lib/providers/base64'
import { moderated, noImage, providerFailed, type Judge } from '@/lib/providers/judge'
import { errorIn, judgeError } from './judge-error'
import { IMAGE_SIZE, ratioFor } from './models'
import type { GeminiOptions } from './options'
import { GenerateContentBody, GenerateContentUsage } from './schemas'

/** https://ai.google.dev/gemini-api/docs/image-generation: one POST that is answered with the image. */
export function submitToGenerateContent(
  { base, headers, now }: GeminiOptions,
  request: SubmitRequest,
  signal: AbortSignal,
): Promise<SubmitReport> {
  return submitAndCount(
    {
      url: `${base}/v1beta/models/${upstreamOf(request.model).model}:generateContent`,
      headers: { ...headers, 'x-client-request-id': request.reference },
      body: JSON.stringify(bodyOf(request)),
      signal,
    },
    now,
    judge,
    costOf,
  )
}

function bodyOf({ prompt, settings, referenceImages }: SubmitRequest) {
  return {
    contents: [
      {
        role: 'user',
        parts: [
          { text: prompt },
          ...referenceImages.map(({ contentType, bytes }) => ({
            inlineData: { mimeType: contentType, data: bytes.toString('base64') },
          })),
        ],
      },
    ],
    generationConfig: {
      responseModalities: ['IMAGE'],
      imageConfig: { aspectRatio: ratioFor(settings), imageSize: IMAGE_SIZE },
    },
  }
}

const judge: Judge = (answer) => {
  if (answer.status >= 200 && answer.status < 300) {
    const body = GenerateContentBody.safeParse(answer.json).data
    const image = body && imageIn(body)
    if (image !== undefined) return { kind: 'made', image }
    const failure = body && failureIn(body)
    return failure && { kind: 'failed', failure, evidence: answer.evidence('It made no image.') }
  }
  const error = errorIn(answer)
  if (answer.status === 500 && error?.status === 'INTERNAL') {
    // Google documents that a 500 is not charged (https://ai.google.dev/gemini-api/docs/billing), so
    // to send again would cost nothing. It would still be a second task for one click while nobody
    // says that the first has stopped. But this answer was the only way for an image to reach us:
    // none will, and the attempt has failed without a charge.
    return {
      kind: 'failed',
      failure: providerFailed(error.message),
      evidence: answer.evidence(
        'The service failed, and documents that this is not charged.',
        'INTERNAL',
      ),
    }
  }
  return judgeError(answer)
}

/** The last one, and none of those that it drew while it was thinking. */
function imageIn({ candidates }: GenerateContentBody): Buffer | undefined {
  const data = (candidates?.[0]?.content?.parts ?? [])
    .filter(({ thought }) => thought !== true)
    .flatMap(({ inlineData }) => inlineData?.data ?? [])
    .at(-1)
  return data === undefined ? undefined : bytesFromBase64(data)
}

// https://ai.google.dev/api/generate-content#FinishReason
const MODERATED = new Set([
  'SAFETY',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'RECITATION',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
])

/**
 * Why a whole answer carries no image. A finish reason of any name says that the model has stopped;
 * without one, and without a block, nothing is known.
 */
function failureIn({ candidates, promptFeedback }: GenerateContentBody): Failure | undefined {
  if (promptFeedback?.blockReason !== undefined) return moderated
  const reason = candidates?.[0]?.finishReason
  if (reason === undefined) return undefined
  return MODERATED.has(reason) ? moderated : noImage
}

/** Google counts in tokens. */
function costOf(json: unknown): Cost | undefined {
  const usage = GenerateContentUsage.safeParse(json).data?.usageMetadata
  return usage && { amount: usage.totalTokenCount, unit: 'tokens' }
}
