import { z } from 'zod'
import { TaskId } from '@/lib/domain/ids'

// https://developer.ideogram.ai/v2: responses-and-metadata, errors, webhooks. Unknown fields are
// ignored.

/** URL-safe base64 (https://developer.ideogram.ai/api-reference/generations/get-generation). */
export const GenerationId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}={0,2}$/)
  .pipe(TaskId)

export const AcceptedBody = z.object({ generation_id: GenerationId })

/** A refusal is a JSON object. What is in it besides the status is documented for some only. */
export const ErrorBody = z.object({
  error: z.string().max(4_000).optional().catch(undefined),
  reject_reason: z.string().max(100).optional().catch(undefined),
})

export const GeneratedImage = z.object({
  url: z.string().max(4_000).nullish(),
  is_image_safe: z.boolean().nullish(),
})
export type GeneratedImage = z.infer<typeof GeneratedImage>

export const GenerationBody = z.object({
  status: z.enum(['pending', 'completed', 'failed']),
  data: z.array(GeneratedImage).nullish(),
  failure_reason: z.string().max(4_000).nullish().catch(undefined),
  usage_cost_usd_micros: z.number().min(0).nullish().catch(undefined),
})
export type GenerationBody = z.infer<typeof GenerationBody>

/** As an answer that was waited for, and a status where it failed. */
export const CallbackBody = z.object({
  generation_id: z.string().optional(),
  status: z.string().optional().catch(undefined),
  data: z.array(GeneratedImage).nullish().catch(undefined),
})
