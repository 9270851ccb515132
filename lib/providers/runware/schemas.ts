import { z } from 'zod'
import { TaskId } from '@/lib/domain/ids'

// https://runware.ai/docs/platform/introduction, /task-polling, /task-details, /webhooks, /errors.
// Unknown fields are ignored.

/** As we make them: other ids are not ours. */
export const TaskUuid = z.uuidv4().pipe(TaskId)

/** A task, in an acknowledgement, in a poll and, without a wrapper, in a callback. */
export const Item = z.object({
  taskUUID: z.string(),
  status: z.string().optional(),
  imageURL: z.string().min(1).max(4_000).optional(),
  cost: z.number().min(0).optional(),
  NSFWContent: z.boolean().optional(),
})
export type Item = z.infer<typeof Item>

export const RunwareError = z.object({
  code: z.string().max(100),
  message: z.string().max(4_000).default(''),
  taskUUID: z.string().optional(),
  taskType: z.string().optional(),
  status: z.string().optional(),
})
export type RunwareError = z.infer<typeof RunwareError>

/** Either list may be absent. Without both it is not an answer of theirs. */
export const Answer = z
  .object({ data: z.array(z.unknown()).optional(), errors: z.array(z.unknown()).optional() })
  .refine(({ data, errors }) => data !== undefined || errors !== undefined)
  .transform(({ data = [], errors = [] }) => ({
    items: data.flatMap((one) => Item.safeParse(one).data ?? []),
    errors: errors.flatMap((one) => RunwareError.safeParse(one).data ?? []),
    data,
  }))
export type Answer = z.infer<typeof Answer>

/** What the archive has of a task: what was asked, and what was answered in the end. */
export const ArchivedTask = z.object({
  taskType: z.literal('getTaskDetails'),
  taskUUID: z.string(),
  request: z.unknown().refine((request) => request !== undefined && request !== null),
  response: z.unknown().optional(),
})
