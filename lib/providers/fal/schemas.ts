import { z } from 'zod'
import { TaskId } from '@/lib/domain/ids'

// https://fal.ai/docs/api-reference/inference-api. Unknown fields are ignored.

export const AcceptedBody = z.object({ request_id: TaskId })

export const StatusBody = z.object({
  status: z.enum(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']),
  /** A run that failed is COMPLETED too: only these tell. */
  error: z.string().nullish(),
  error_type: z.string().nullish(),
})

export const NotFoundBody = z.object({ status: z.literal('NOT_FOUND') })

export const CancelBody = z.object({
  status: z.enum(['OK', 'CANCELLATION_REQUESTED', 'ALREADY_COMPLETED']),
})

/** Of models that make images, of any kind. */
export const ResultBody = z.object({
  images: z.array(z.object({ url: z.string().max(4_000) })).max(16),
  has_nsfw_concepts: z.array(z.boolean()).nullish(),
})

const Issue = z.object({ type: z.string().max(200), msg: z.string().max(10_000) })

/** What a model refused in its input (https://fal.ai/docs/documentation/model-apis/errors). */
export const ModelErrorBody = z
  .union([z.object({ detail: z.array(Issue).min(1) }), z.array(Issue).min(1)])
  .transform((body) => (Array.isArray(body) ? body : body.detail))
export type ModelError = z.infer<typeof ModelErrorBody>

/** What fal itself says (https://fal.ai/docs/documentation/model-apis/request-errors). */
export const RequestErrorBody = z.object({
  detail: z.string().max(10_000),
  error_type: z.string().max(200).optional(),
})

export const CallbackBody = z.object({
  request_id: TaskId,
  status: z.string(),
})
