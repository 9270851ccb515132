import { z } from 'zod'
import { json, type Reply } from '@/simulator/http'
import type { Task } from '@/simulator/task-store'
import type { ProtocolDeps } from './protocol'
import { resultUrl } from './results'

const side = z.int().min(256).max(2_048)

/** What the image models take; they pass over what they do not know. */
export const FalInput = z.object({
  prompt: z.string().min(1),
  image_size: z.object({ width: side, height: side }).default({ width: 1_024, height: 768 }),
  num_images: z.literal(1).optional(),
  output_format: z.enum(['jpeg', 'png']).optional(),
  seed: z.int().optional(),
  image_urls: z
    .array(z.string().regex(/^(https?:\/\/|data:image\/)/))
    .min(1)
    .optional(),
})

type Refusal = NonNullable<Task['plan']['refusal']>

/** Undefined when it is let in: input and content are judged by running. */
export function refusalReply(refusal: Refusal): Reply | undefined {
  switch (refusal.code) {
    case 'invalid_input':
    case 'content_policy':
      return undefined
    case 'rate_limited':
      return json(
        429,
        { detail: refusal.message, error_type: 'concurrent_requests_limit' },
        { 'retry-after': String(refusal.retryAfterSeconds ?? 1) },
      )
    case 'bad_key':
      return json(401, { detail: 'Invalid key.' })
    case 'no_credit':
      return json(403, { detail: 'User is locked. Reason: Exhausted balance.' })
    default:
      return json(refusal.status, { detail: refusal.message, error_type: 'internal_error' })
  }
}

export const CANCELLED = {
  detail: 'Request was cancelled by the client',
  error_type: 'client_cancelled',
} as const

const Invalid = z.object({ invalid: z.string() })

/** What a result's address answers when the run failed. */
export function failureOf(task: Task) {
  const modelError = (status: number, type: string, msg: string) => ({
    status,
    body: { detail: [{ loc: ['body', 'prompt'], msg, type }] },
  })
  const invalid = Invalid.safeParse(task.request.extra).data?.invalid
  if (invalid !== undefined) return modelError(422, 'value_error', invalid)
  if (task.status === 'cancelled') return { status: 499, body: CANCELLED }
  const { refusal } = task.plan
  switch (refusal?.code ?? task.error_code) {
    case null:
      return undefined
    case 'content_policy':
      return modelError(
        422,
        'content_policy_violation',
        'The content could not be processed because it contained material flagged by a content checker.',
      )
    case 'invalid_input':
      return modelError(422, 'value_error', refusal?.message ?? '')
    default:
      return {
        status: 500,
        body: { detail: task.error_message ?? 'It failed.', error_type: 'runner_server_error' },
      }
  }
}

export function resultBody(deps: Pick<ProtocolDeps, 'baseUrl'>, task: Task) {
  const { prompt, seed, width, height } = task.request
  return {
    images: [{ url: resultUrl(deps, task), content_type: 'image/png', width, height }],
    timings: { inference: 1 },
    seed,
    has_nsfw_concepts: [false],
    prompt,
  }
}
