import { z } from 'zod'
import { TaskId } from '@/lib/domain/ids'

// The simulator's own protocol (simulator/README.md). Unknown fields are ignored.

export const AcceptedBody = z.object({ id: TaskId })

export const ErrorBody = z.object({
  error: z.object({ code: z.string().max(100), message: z.string().max(2_000) }),
})

export const TaskBody = z.object({
  id: TaskId,
  reference: z.string(),
  status: z.enum(['queued', 'rendering', 'succeeded', 'failed', 'cancelled']),
  progress: z.number().min(0).max(1),
  result: z.object({ url: z.string().min(1).max(4_000) }).nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
})
export type TaskBody = z.infer<typeof TaskBody>
