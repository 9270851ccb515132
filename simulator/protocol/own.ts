import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { standardWebhookHeaders } from '@/simulator/callback'
import { errorReply, json, parseJson, type Reply, type RouteRequest } from '@/simulator/http'
import { progressOf } from '@/simulator/task-runner'
import type { Task } from '@/simulator/task-store'
import { isStatusDown, receive, taskOf, type Protocol, type ProtocolDeps } from './protocol'
import { resultBytes } from './results'

const NAME = 'own'
// Far above any prompt; this protocol carries no images.
const BODY_BYTES_MAX = 1_048_576
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
export function createOwnProtocol(deps: ProtocolDeps): Protocol {
  const view = (task: Task) => viewOwnTask(task, { now: deps.clock.now(), baseUrl: deps.baseUrl() })

  function show(id: string): Reply {
    const task = taskOf(deps, NAME, id)
    if (!task) return notFound()
    return isStatusDown(deps, task) ? outage('Status is down (drill).') : json(200, view(task))
  }

  async function image(id: string): Promise<Reply> {
    const task = taskOf(deps, NAME, id)
    if (task?.status !== 'succeeded') return notFound()
    const ageMs = deps.clock.now() - (task.finished_at ?? 0)
    if (ageMs < (task.plan.resultOutageMs ?? 0)) {
      return outage('The result is not available (drill).')
    }
    if (ageMs >= (task.plan.resultExpiresMs ?? Infinity)) {
      return errorReply(410, 'expired', 'The result is gone (drill).')
    }
    return { kind: 'bytes', contentType: 'image/png', bytes: await resultBytes(deps, task) }
  }

  function cancel(id: string): Reply {
    if (!taskOf(deps, NAME, id)) return notFound()
    const cancelled = deps.store.cancel(id)
    const task = deps.store.findTask(id)
    return task ? json(cancelled ? 200 : 409, view(task)) : notFound()
  }

  const one = (suffix: string) => new RegExp(`^/v1/generations/([A-Za-z0-9_-]{1,100})${suffix}$`)
  return {
    name: NAME,
    routes: [
      {
        method: 'POST',
        path: /^\/v1\/generations$/,
        handle: (request) => createGeneration(deps, request),
      },
      { method: 'GET', path: one(''), handle: ({ id }) => show(id) },
      { method: 'GET', path: one('/image'), handle: ({ id }) => image(id) },
      { method: 'POST', path: one('/cancel'), handle: ({ id }) => cancel(id) },
    ],
    callbackOf: (task, nowMs) => {
      if (deps.webhookSecret === undefined || task.callback_url === null) return undefined
      const body = JSON.stringify(view(task))
      const signed = { id: `msg_${task.id}`, body }
      return {
        url: task.callback_url,
        headers: standardWebhookHeaders(deps.webhookSecret, signed, Math.floor(nowMs / 1_000)),
        body,
      }
    },
  }
}

async function createGeneration(deps: ProtocolDeps, request: RouteRequest): Promise<Reply> {
  const parsedJson = parseJson(request.body)
  const recorded = Recorded.safeParse(parsedJson).data
  const received = receive(deps, NAME, request, {
    reference: recorded?.reference,
    prompt: recorded?.prompt,
  })

  if (request.isTooLarge || request.body.length > BODY_BYTES_MAX) {
    received.refuse('too_large')
    return errorReply(413, 'too_large', 'The body is larger than a megabyte.')
  }
  const parsed = CreateBody.safeParse(parsedJson)
  if (!parsed.success) {
    received.refuse('invalid_input')
    const fields = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'body'}: ${message}`,
    )
    return errorReply(400, 'invalid_input', fields.join('; '))
  }

  const { refusal } = received.plan
  if (refusal) {
    const { status, code, message, retryAfterSeconds } = refusal
    received.refuse(code)
    const headers =
      retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    return errorReply(status, code, message, headers)
  }

  const { prompt, width, height, seed, style, callback_url } = parsed.data
  const task = received.accept({
    id: `gen_${randomUUID().replaceAll('-', '')}`,
    picture: { prompt, width, height, seed, ...(style === undefined ? {} : { style }) },
    callbackUrl: callback_url,
  })
  return received.answer(
    json(202, { id: task.id, status: task.status, created_at: iso(task.accepted_at) }),
  )
}
