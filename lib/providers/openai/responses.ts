import type { SubmitReport } from '@/lib/domain/observation'
import type { SubmitRequest } from '@/lib/domain/provider'
import { upstreamOf } from '@/lib/providers/background-model'
import { dataUrlOf } from '@/lib/providers/data-url'
import { submitAndJudge, type Judge } from '@/lib/providers/judge'
import { judgeError } from './judge-error'
import type { OpenAiOptions } from './options'
import { AcceptedBody } from './schemas'

// https://developers.openai.com/api/docs/guides/background

const INSTRUCTIONS =
  'Call the image generation tool exactly once, with the text of the user as its prompt, unchanged.'

export function submitToResponses(
  { base, headers, now, responsesModel }: OpenAiOptions,
  request: SubmitRequest,
  signal: AbortSignal,
): Promise<SubmitReport> {
  return submitAndJudge(
    {
      url: `${base}/responses`,
      headers: { ...headers, 'x-client-request-id': request.reference },
      body: JSON.stringify(bodyOf(request, responsesModel)),
      signal,
    },
    now,
    judge,
  )
}

function bodyOf(
  { reference, model, prompt, settings, referenceImages }: SubmitRequest,
  by: string,
) {
  const { width, height, quality } = settings
  return {
    model: by,
    instructions: INSTRUCTIONS,
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: prompt },
          ...referenceImages.map((image) => ({
            type: 'input_image',
            detail: 'auto',
            image_url: dataUrlOf(image),
          })),
        ],
      },
    ],
    background: true,
    // Without it the response would be kept for minutes only.
    store: true,
    metadata: { attempt_id: reference },
    tools: [
      {
        type: 'image_generation',
        model: upstreamOf(model).model,
        size: `${width}x${height}`,
        output_format: 'png',
        ...(quality === undefined ? {} : { quality }),
      },
    ],
    tool_choice: 'required',
    // A text model that is not held back may draw twice, and each image is billed.
    max_tool_calls: 1,
    parallel_tool_calls: false,
  }
}

const judge: Judge = (answer) => {
  if (answer.status < 200 || answer.status >= 300) return judgeError(answer)
  const accepted = AcceptedBody.safeParse(answer.json).data
  return accepted && { kind: 'accepted', taskId: accepted.id }
}
