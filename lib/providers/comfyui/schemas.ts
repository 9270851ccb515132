import { z } from 'zod'
import { TaskId } from '@/lib/domain/ids'

// https://docs.comfy.org/development/comfyui-server/comms_routes and ComfyUI's server.py and
// execution.py (https://github.com/comfyanonymous/ComfyUI). Unknown fields are ignored.

export const QueuedBody = z.object({ prompt_id: TaskId })

/** What is wrong with a graph. */
export const ErrorBody = z.object({
  error: z.object({ type: z.string().max(100), message: z.string().max(4_000).default('') }),
})

/** A job is a tuple of its place, its id, its graph and more. */
const Job = z.tuple([z.unknown(), z.string()], z.unknown())
const JobIds = z
  .array(z.unknown())
  .transform((jobs) => jobs.flatMap((job) => Job.safeParse(job).data?.[1] ?? []))

export const QueueBody = z.object({ queue_running: JobIds, queue_pending: JobIds })
export type Queue = z.infer<typeof QueueBody>

const SavedImage = z.object({
  filename: z.string().min(1).max(1_000),
  subfolder: z.string().max(1_000).default(''),
  type: z.string().max(20),
})
export type SavedImage = z.infer<typeof SavedImage>

/** Nodes put out what they like; only images are looked for. */
const NodeOutput = z
  .object({ images: z.array(SavedImage) })
  .optional()
  .catch(undefined)

export const HistoryEntry = z.object({
  status: z
    .object({
      status_str: z.string(),
      messages: z
        .array(z.tuple([z.string()], z.unknown()))
        .optional()
        .catch(undefined),
    })
    .nullish(),
  outputs: z.record(z.string(), NodeOutput),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

export const HistoryBody = z.record(z.string(), z.unknown())

export const ExecutionError = z.object({
  exception_message: z.string().max(4_000).default(''),
  node_type: z.string().max(200).optional(),
})
