import { z } from 'zod'
import { json, parseJson, type Reply, type RouteRequest } from '@/simulator/http'
import type { Task } from '@/simulator/task-store'
import {
  isStatusDown,
  receive,
  referenceIn,
  taskOf,
  type Protocol,
  type ProtocolDeps,
} from './protocol'
import { resultUrl } from './results'

// https://runware.ai/docs/platform/introduction and the pages beside it.

const NAME = 'runware'
const COST_USD = 0.0096
// Polling knows active tasks; for how long it knows those that ended is not documented.
const POLLED_FOR_MS = 10 * 60_000

const TaskUuid = z.uuidv4()
const ImageInference = z.strictObject({
  taskType: z.literal('imageInference'),
  taskUUID: TaskUuid,
  deliveryMethod: z.literal('async'),
  model: z.string().regex(/^[a-z0-9-]+:[a-z0-9.-]+@[a-z0-9.-]+$/i),
  positivePrompt: z.string().min(2).max(3_000),
  width: z.int().min(128).max(2_048).multipleOf(16),
  height: z.int().min(128).max(2_048).multipleOf(16),
  numberResults: z.literal(1).optional(),
  outputType: z.literal('URL').optional(),
  outputFormat: z.enum(['PNG', 'JPG', 'WEBP']).optional(),
  includeCost: z.boolean().optional(),
  seed: z.int().min(0).optional(),
  inputs: z
    .strictObject({
      referenceImages: z
        .array(z.string().regex(/^data:image\/(png|jpeg|webp);base64,/))
        .min(1)
        .max(4),
    })
    .optional(),
  webhookURL: z.url({ protocol: /^https?$/ }).optional(),
})
const Asked = z.object({
  taskType: z.enum(['getResponse', 'getTaskDetails']),
  taskUUID: TaskUuid,
})
const Recorded = z.object({ positivePrompt: z.string().optional().catch(undefined) })

type Problem = { readonly code: string; readonly message: string; readonly parameter?: string }

const failed = (
  status: number,
  problem: Problem,
  taskUUID?: string,
  headers: Readonly<Record<string, string>> = {},
): Reply =>
  json(
    status,
    { data: [], errors: [{ ...problem, ...(taskUUID === undefined ? {} : { taskUUID }) }] },
    headers,
  )

const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  invalid_input: [400, 'invalidPositivePrompt'],
  content_policy: [400, 'contentPolicyViolation'],
  rate_limited: [429, 'rateLimitExceeded'],
  internal_error: [500, 'internalServerError'],
  unavailable: [503, 'serviceUnavailable'],
  bad_key: [401, 'invalidApiKey'],
  no_credit: [402, 'insufficientCredits'],
}

export function createRunwareProtocol(deps: ProtocolDeps): Protocol {
  function handle(request: RouteRequest): Reply | Promise<Reply> {
    const tasks = z.tuple([z.unknown()]).safeParse(parseJson(request.body)).data
    const asked = Asked.safeParse(tasks?.[0]).data
    return asked === undefined
      ? createImage(deps, request, tasks?.[0])
      : isAuthorized(request)
        ? answerAsked(deps, asked)
        : unauthorized()
  }

  return {
    name: NAME,
    routes: [{ method: 'POST', path: /^\/runware(?:\/v1)?\/?$/, handle }],
    callbackOf: (task) =>
      task.callback_url === null
        ? undefined
        : { url: task.callback_url, headers: {}, body: JSON.stringify(endOf(deps, task)) },
  }
}

const isAuthorized = ({ headers }: RouteRequest) => /^Bearer \S+$/.test(headers.authorization ?? '')
const unauthorized = () =>
  failed(401, { code: 'missingApiKey', message: 'Missing API key.', parameter: 'apiKey' })

function createImage(deps: ProtocolDeps, request: RouteRequest, task: unknown) {
  const parsed = ImageInference.safeParse(task)
  const received = receive(deps, NAME, request, {
    // The client's own name for its work, of which the UUID is made.
    reference: referenceIn(request) ?? parsed.data?.taskUUID,
    prompt: Recorded.safeParse(task).data?.positivePrompt,
  })
  const refuse = (reply: Reply, outcome: string) => {
    received.refuse(outcome)
    return reply
  }
  if (!isAuthorized(request)) return refuse(unauthorized(), 'unauthorized')
  if (request.isTooLarge || !parsed.success) {
    const [issue] = parsed.error?.issues ?? []
    const parameter = String(issue?.path[0] ?? 'body')
    const message = issue?.message ?? 'The body is too large.'
    const code = issue?.code === 'unrecognized_keys' ? 'unknownParameter' : `invalid_${parameter}`
    return refuse(failed(400, { code, message, parameter }), 'invalid_input')
  }
  const { taskUUID, positivePrompt, width, height, seed, webhookURL } = parsed.data
  if (deps.store.findTask(taskUUID) !== undefined) {
    const message = 'A task with this taskUUID exists already.'
    return refuse(failed(400, { code: 'conflictTaskUUID', message }, taskUUID), 'conflictTaskUUID')
  }
  const { refusal } = received.plan
  if (refusal) {
    const [status, code] = REFUSALS[refusal.code] ?? [500, 'internalServerError']
    const { retryAfterSeconds: after, message } = refusal
    const headers = after === undefined ? {} : { 'retry-after': String(after) }
    return refuse(failed(status, { code, message }, taskUUID, headers), refusal.code)
  }
  received.accept({
    id: taskUUID,
    picture: {
      prompt: positivePrompt,
      width,
      height,
      seed: (seed ?? 0) % 2 ** 32,
      // The archive hands out what was asked, as it was asked.
      extra: { request: [parsed.data] },
    },
    callbackUrl: webhookURL,
  })
  return received.answer(json(200, { data: [{ taskType: 'imageInference', taskUUID }] }))
}

function answerAsked(deps: ProtocolDeps, { taskType, taskUUID }: z.infer<typeof Asked>): Reply {
  const task = taskOf(deps, NAME, taskUUID)
  if (task !== undefined && isStatusDown(deps, task)) {
    return failed(503, { code: 'serviceUnavailable', message: 'Status is down (drill).' })
  }
  const endedAt = task?.finished_at ?? null
  if (taskType === 'getTaskDetails') {
    if (task === undefined || endedAt === null)
      return failed(404, { code: 'taskNotFound', message: 'No such task.' }, taskUUID)
    const end = endOf(deps, task)
    const response = 'code' in end ? { errors: [end] } : { data: [end] }
    return json(200, {
      data: [{ taskType, taskUUID, request: task.request.extra?.['request'], response }],
    })
  }
  if (task === undefined) return json(200, { data: [] })
  if (endedAt === null) {
    return json(200, { data: [{ taskType: 'imageInference', taskUUID, status: 'processing' }] })
  }
  if (deps.clock.now() - endedAt >= POLLED_FOR_MS) return json(200, { data: [] })
  const end = endOf(deps, task)
  return json(200, 'code' in end ? { data: [], errors: [end] } : { data: [end] })
}

/** A task that has ended, as polls, the archive and callbacks tell of it. */
function endOf(deps: ProtocolDeps, task: Task) {
  const its = { taskType: 'imageInference', taskUUID: task.id } as const
  if (task.error_code !== null) {
    const isContent = task.error_code === 'content_policy'
    return {
      ...its,
      code: isContent ? 'contentPolicyViolation' : 'inferenceError',
      status: 'error',
      message: task.error_message ?? '',
    }
  }
  return {
    ...its,
    status: 'success',
    imageURL: resultUrl(deps, task),
    seed: task.request.seed,
    cost: COST_USD,
  }
}
