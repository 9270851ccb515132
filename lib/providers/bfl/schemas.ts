import { z } from 'zod'

// https://api.bfl.ai/openapi.json. Unknown fields are ignored.

/** Short enough to be kept with the name of a host. */
const Id = z
  .string()
  .min(1)
  .max(120)
  .regex(/^[\x21-\x7e]+$/)

export const AcceptedBody = z.object({
  id: Id,
  /** Only told when no callback was asked for. */
  polling_url: z.string().max(2_000).optional().catch(undefined),
  cost: z.number().min(0).optional().catch(undefined),
})
export type AcceptedBody = z.infer<typeof AcceptedBody>

/** The documented form (https://docs.bfl.ai/api_integration/errors), and that of its framework. */
export const ErrorBody = z.union([
  z
    .object({
      error: z.string().max(200),
      message: z.string().max(10_000).default(''),
      retry_after: z.number().min(0).max(86_400).optional().catch(undefined),
    })
    .transform(({ error, message, retry_after }) => ({
      code: error,
      words: message,
      retryAfterSeconds: retry_after,
    })),
  z
    .object({ detail: z.union([z.string(), z.array(z.object({ msg: z.string() })).min(1)]) })
    .transform(({ detail }) => ({
      code: undefined,
      words: typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join(' '),
      retryAfterSeconds: undefined,
    })),
])

const words = z.string().nullish().catch(undefined)

export const ResultBody = z.object({
  status: z.enum([
    'Task not found',
    'Pending',
    'Request Moderated',
    'Content Moderated',
    'Ready',
    'Error',
  ]),
  result: z
    .object({ sample: z.string().min(1).max(4_000) })
    .nullish()
    .catch(undefined),
  progress: z.number().min(0).max(1).nullish().catch(undefined),
  error: words,
  message: words,
})
export type ResultBody = z.infer<typeof ResultBody>

/** Two forms are about: that of the documentation, and one that receivers have seen. */
export const CallbackBody = z
  .object({ id: Id.optional(), task_id: Id.optional(), status: z.string().max(100).optional() })
  .transform(({ id, task_id, status }) => ({ id: id ?? task_id, status }))
