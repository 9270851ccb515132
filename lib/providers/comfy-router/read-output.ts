import type { SubmitOutcome } from '@/lib/domain/observation'
import { bytesFromBase64 } from '@/lib/providers/base64'
import { moderated, noImage, providerFailed, type AnsweredSubmission } from '@/lib/providers/judge'
import { BflBody, GeminiBody, IdeogramBody, OpenAiBody } from './schemas'

/** What a 200 says became of the run. Undefined: it cannot be read, and was paid for. */
export type ReadOutput = (answer: AnsweredSubmission) => SubmitOutcome | undefined

// Router hands each model's own answer on as it is: there is no shape that they share.

const withheld = (answer: AnsweredSubmission, reason: string): SubmitOutcome => ({
  kind: 'failed',
  failure: moderated,
  evidence: answer.evidence('It ran, and the image was withheld.', reason),
})
const without = (answer: AnsweredSubmission): SubmitOutcome => ({
  kind: 'failed',
  failure: noImage,
  evidence: answer.evidence('It ran and made no image.'),
})
const inBase64 = (text: string): SubmitOutcome | undefined => {
  const image = bytesFromBase64(text)
  return image && { kind: 'made', image }
}
const at = (url: string): SubmitOutcome => ({ kind: 'made-at', result: { url } })

/** https://docs.comfy.org/development/comfy-router/models/black-forest-labs/flux-2-pro/code */
export const readBfl: ReadOutput = (answer) => {
  const body = BflBody.safeParse(answer.json).data
  switch (body?.status ?? '') {
    case 'Ready':
      return body?.result ? at(body.result.sample) : undefined
    case 'Request Moderated':
    case 'Content Moderated':
      return withheld(answer, body?.status ?? '')
    case 'Error':
      return {
        kind: 'failed',
        failure: providerFailed(''),
        evidence: answer.evidence('It ran and failed.', 'Error'),
      }
    default:
      return undefined
  }
}

/** https://docs.comfy.org/development/comfy-router/models/openai/gpt-image-2/code */
export const readOpenAi: ReadOutput = (answer) => {
  const body = OpenAiBody.safeParse(answer.json).data
  const image = body?.data[0]
  if (image?.b64_json) return inBase64(image.b64_json)
  if (image?.url) return at(image.url)
  return body && without(answer)
}

/** https://docs.comfy.org/development/comfy-router/models/ideogram/ideogram-4-5/code */
export const readIdeogram: ReadOutput = (answer) => {
  const body = IdeogramBody.safeParse(answer.json).data
  const image = body?.data[0]
  if (image?.is_image_safe === false) return withheld(answer, 'is_image_safe')
  if (image?.url) return at(image.url)
  return body && without(answer)
}

/** https://docs.comfy.org/development/comfy-router/models/google/nano-banana-2/code */
export const readGemini: ReadOutput = (answer) => {
  const body = GeminiBody.safeParse(answer.json).data
  if (body === undefined) return undefined
  const [candidate] = body.candidates ?? []
  const parts = candidate?.content?.parts?.filter(({ thought }) => thought !== true) ?? []
  const inline = parts.find(({ inlineData }) => inlineData)?.inlineData
  if (inline) return inBase64(inline.data)
  const file = parts.find(({ fileData }) => fileData)?.fileData
  if (file) return at(file.fileUri)
  const reason = body.promptFeedback?.blockReason ?? candidate?.finishReason ?? ''
  // It would have said so if it had not come to its end.
  if (reason === '') return undefined
  return body.promptFeedback?.blockReason !== undefined ||
    /SAFETY|PROHIBITED|BLOCKLIST|RECITATION|SPII/.test(reason)
    ? withheld(answer, reason)
    : without(answer)
}
