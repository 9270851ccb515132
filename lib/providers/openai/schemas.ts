import { z } from 'zod'
import { TaskId } from '@/lib/domain/ids'

// https://github.com/openai/openai-openapi (openapi.yaml). Unknown fields are ignored.

/** https://developers.openai.com/api/docs/guides/error-codes */
export const ErrorBody = z.object({
  error: z.object({
    message: z.string().max(20_000),
    type: z.string().max(200).nullish(),
    code: z.string().max(200).nullish(),
    moderation_details: z
      .object({ moderation_stage: z.string().max(100) })
      .nullish()
      .catch(null),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>

export const Usage = z.object({ usage: z.object({ total_tokens: z.number().min(0) }) })

/** GPT image models always answer in base64. */
export const ImagesBody = z.object({
  data: z.array(z.object({ b64_json: z.string().min(1) })).min(1),
})

const OutputItem = z.object({
  type: z.string(),
  status: z.string().nullish(),
  result: z.string().nullish(),
  content: z
    .array(z.object({ type: z.string() }))
    .nullish()
    .catch(null),
})

export const ResponseBody = z.object({
  id: TaskId,
  status: z.string(),
  output: z.array(OutputItem),
  error: z.object({ code: z.string(), message: z.string() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})
export type ResponseBody = z.infer<typeof ResponseBody>

export const AcceptedBody = z.object({ id: TaskId })

export const WebhookBody = z.object({ type: z.string(), data: z.object({ id: TaskId }) })
