import { z } from 'zod'
import { TaskId } from '@/lib/domain/ids'

// https://api.replicate.com/openapi.json. Unknown fields are ignored.

export const AcceptedBody = z.object({ id: TaskId })

/** Problem details (RFC 9457), as Replicate's clients read them: `title` says which problem. */
export const ErrorBody = z.object({
  detail: z.string().max(10_000),
  title: z.string().max(200).optional(),
})

const Output = z.union([z.string().max(4_000), z.array(z.string().max(4_000)), z.null()])

export const PredictionBody = z.object({
  id: TaskId,
  status: z.enum(['starting', 'processing', 'succeeded', 'failed', 'canceled', 'aborted']),
  // Any JSON: what is no address of ours is left for later to say so.
  output: Output.optional().catch(undefined),
  error: z.string().nullish().catch(undefined),
  /** Input and output are removed an hour after the end. */
  data_removed: z.boolean().optional(),
  metrics: z
    .object({ predict_time: z.number().min(0).optional() })
    .optional()
    .catch(undefined),
})
export type PredictionBody = z.infer<typeof PredictionBody>

export const PredictionList = z.object({
  next: z.string().max(4_000).nullish(),
  results: z.array(
    z.object({
      id: TaskId,
      /** In the typings of Replicate's own client; not in the published description. */
      webhook: z.string().optional().catch(undefined),
    }),
  ),
})
