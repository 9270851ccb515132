import { z } from 'zod'
import { TaskId } from '@/lib/domain/ids'

// https://ai.google.dev/api/generate-content, https://ai.google.dev/api/interactions-api and
// https://github.com/googleapis/js-genai. Unknown fields are ignored.

/** https://ai.google.dev/gemini-api/docs/troubleshooting: `status` names it; newer surfaces use `code`. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.union([z.number(), z.string().max(200)]),
    message: z.string().max(20_000),
    status: z.string().max(200).optional(),
    details: z
      .array(z.object({ reason: z.string().optional(), retryDelay: z.string().optional() }))
      .optional()
      .catch(undefined),
  }),
})
export type GeminiError = z.infer<typeof ErrorBody>['error']

const Part = z.object({
  /** What it drew while it was thinking: not the picture that was asked for. */
  thought: z.boolean().optional(),
  inlineData: z.object({ data: z.string().min(1) }).optional(),
})

export const GenerateContentBody = z.object({
  candidates: z
    .array(
      z.object({
        content: z.object({ parts: z.array(Part).optional() }).optional(),
        finishReason: z.string().min(1).optional(),
      }),
    )
    .optional(),
  promptFeedback: z.object({ blockReason: z.string().min(1).optional() }).optional(),
})
export type GenerateContentBody = z.infer<typeof GenerateContentBody>

export const GenerateContentUsage = z.object({
  usageMetadata: z.object({ totalTokenCount: z.number().min(0) }),
})

export const AcceptedBody = z.object({ id: TaskId })

const Content = z.object({
  type: z.string(),
  data: z.string().min(1).optional(),
})

export const InteractionBody = z.object({
  id: TaskId,
  status: z.string(),
  steps: z.array(z.object({ type: z.string(), content: z.array(Content).optional() })).optional(),
  errors: z
    .array(z.object({ code: z.string().optional(), message: z.string().optional() }))
    .optional(),
  usage: z.object({ total_tokens: z.number().min(0).optional() }).optional(),
})
export type InteractionBody = z.infer<typeof InteractionBody>

/** https://ai.google.dev/gemini-api/docs/webhooks#webhook_envelope */
export const WebhookBody = z.object({ type: z.string(), data: z.object({ id: TaskId }) })
