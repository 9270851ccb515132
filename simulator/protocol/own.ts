import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Clock } from '@/simulator/clock'
import type { Faults } from '@/simulator/faults'
import {
  errorReply,
  json,
  parseJson,
  type Reply,
  type Route,
  type RouteRequest,
} from '@/simulator/http'
import type { ImageFiles } from '@/simulator/image-files'
import { progressOf, type TaskRunner } from '@/simulator/task-runner'
import type { Task, TaskStore } from '@/simulator/task-store'
import { usualTotalMs } from '@/simulator/timeline'

const NAME = 'own'
const SIDE_PX = { min: 256, max: 2_048 }
const SEED_MAX = 2 ** 32 - 1
// Above what any of our models is offered with.
const PROMPT_LENGTH_MAX = 32_000
const RETRY_OUTAGE_SECONDS = '2'

// Printable text only, so that a reference can be looked up as it was sent.
const Reference = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'expected printable text')

const CreateBody = z.strictObject({
  reference: Reference,
  prompt: z.string().min(1).max(PROMPT_LENGTH_MAX),
  width: z.int().min(SIDE_PX.min).max(SIDE_PX.max),
  height: z.int().min(SIDE_PX.min).max(SIDE_PX.max),
  seed: z.int().min(0).max(SEED_MAX),
  style: z.string().max(100).optional(),
  callback_url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
})

// What a submission is listed under even when the rest of it is refused.
const Recorded = z.object({
  reference: Reference.optional().catch(undefined),
  prompt: z.string().optional().catch(undefined),
})

export type OwnProtocolDeps = {
  readonly store: TaskStore
  readonly images: ImageFiles
  readonly runner: TaskRunner
  readonly faults: Faults
  readonly clock: Clock
  readonly newTaskId: () => string
  readonly latencyMs: number
  readonly baseUrl: () => string
}

export type OwnTaskView = ReturnType<typeof viewOwnTask>

const iso = (time: number) => new Date(time).toISOString()

/** The task as its caller sees it, in answers and callbacks alike. */
export function viewOwnTask(task: Task, options: { now: number; baseUrl: string }) {
  return {
    id: task.id,
    reference: task.reference,
    status: task.status,
    progress: progressOf(task, options.now),
    result:
      task.result_bytes === null
        ? null
        : {
            url: `${options.baseUrl}/v1/generations/${task.id}/image`,
            content_type: 'image/png',
            width: task.request.width,
            height: task.request.height,
            bytes: task.result_bytes,
          },
    error:
      task.error_code === null
        ? null
        : { code: task.error_code, message: task.error_message ?? task.error_code },
    created_at: iso(task.accepted_at),
    updated_at: iso(task.updated_at),
  }
}

const notFound = () => errorReply(404, 'not_found', 'There is no such generation.')
const outage = (message: string) =>
  errorReply(503, 'unavailable', message, { 'retry-after': RETRY_OUTAGE_SECONDS })

/** The simulator's own protocol: submit, look, fetch, cancel. Submitting twice makes two tasks. */
export function createOwnProtocol(deps: OwnProtocolDeps): readonly Route[] {
  const view = (task: Task) => viewOwnTask(task, { now: deps.clock.now(), baseUrl: deps.baseUrl() })

  function show(id: string): Reply {
    const task = deps.store.findTask(id)
    if (!task) return notFound()
    const outageEnds = task.accepted_at + (task.plan.statusOutageMs ?? 0)
    if (deps.clock.now() < outageEnds) return outage('Status is down (drill).')
    return json(200, view(task))
  }

  async function image(id: string): Promise<Reply> {
    const task = deps.store.findTask(id)
    if (task?.status !== 'succeeded') return notFound()
    const outageEnds = (task.finished_at ?? 0) + (task.plan.resultOutageMs ?? 0)
    if (deps.clock.now() < outageEnds) return outage('The result is not available (drill).')
    return { kind: 'bytes', contentType: 'image/png', bytes: await deps.images.read(id) }
  }

  function cancel(id: string): Reply {
    const cancelled = deps.store.cancel(id)
    const task = deps.store.findTask(id)
    if (!task) return notFound()
    return json(cancelled ? 200 : 409, view(task))
  }

  const one = (suffix: string) => new RegExp(`^/v1/generations/([A-Za-z0-9_-]{1,100})${suffix}$`)
  return [
    {
      method: 'POST',
      path: /^\/v1\/generations$/,
      handle: (request) => createGeneration(deps, request),
    },
    { method: 'GET', path: one(''), handle: ({ id }) => show(id) },
    { method: 'GET', path: one('/image'), handle: ({ id }) => image(id) },
    { method: 'POST', path: one('/cancel'), handle: ({ id }) => cancel(id) },
  ]
}

/** Recorded first, judged second. From here on the caller's connection no longer matters. */
async function createGeneration(
  deps: OwnProtocolDeps,
  { body, isTooLarge }: RouteRequest,
): Promise<Reply> {
  const { store, faults, runner } = deps
  const parsedJson = parseJson(body)
  const recorded = Recorded.safeParse(parsedJson).data
  const sequence = store.recordSubmission({
    protocol: NAME,
    reference: recorded?.reference,
    prompt: recorded?.prompt,
    bodySha256: createHash('sha256').update(body).digest('hex'),
  })

  if (isTooLarge) {
    store.recordRefusal(sequence, 'too_large')
    return errorReply(413, 'too_large', 'The body is larger than a megabyte.')
  }
  const parsed = CreateBody.safeParse(parsedJson)
  if (!parsed.success) {
    store.recordRefusal(sequence, 'invalid_input')
    const fields = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'body'}: ${message}`,
    )
    return errorReply(400, 'invalid_input', fields.join('; '))
  }

  const { reference, callback_url, ...picture } = parsed.data
  const plan = faults.planFor({ reference, prompt: picture.prompt })
  if (plan.refusal) {
    const { status, code, message, retryAfterSeconds } = plan.refusal
    store.recordRefusal(sequence, code)
    const headers =
      retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    return errorReply(status, code, message, headers)
  }

  const id = deps.newTaskId()
  const task = store.accept(sequence, {
    id,
    protocol: NAME,
    reference,
    request: picture,
    plan,
    callback_url: callback_url ?? null,
    total_ms: plan.totalMs ?? usualTotalMs(id, deps.latencyMs),
  })
  runner.start(task)
  if (plan.answerDelayMs !== undefined) await sleep(plan.answerDelayMs)
  if (plan.loseAnswer === true) return { kind: 'cut' }
  return json(202, { id: task.id, status: task.status, created_at: iso(task.accepted_at) })
}
