import { z } from 'zod'

// https://platform.stability.ai/docs/api-reference. Unknown fields are ignored.

export const ImageBody = z.object({
  image: z.string().min(1),
  finish_reason: z.enum(['SUCCESS', 'CONTENT_FILTERED']),
})

export const ErrorBody = z.object({
  name: z.string().min(1).max(200),
  errors: z.array(z.string().max(4_000)).min(1),
})
