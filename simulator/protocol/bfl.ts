import { createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { json, parseJson, type Reply, type RouteRequest } from '@/simulator/http'
import { progressOf } from '@/simulator/task-runner'
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

const NAME = 'bfl'

const common = {
  prompt: z.string(),
  seed: z.int().nullish(),
  safety_tolerance: z.int().min(0).max(6).optional(),
  output_format: z.enum(['jpeg', 'png', 'webp']).nullish(),
  webhook_url: z
    .url({ protocol: /^https?$/ })
    .max(2_083)
    .nullish(),
  webhook_secret: z.string().nullish(),
}
const image = z.string().min(1).nullish()
const images = {
  input_image: image,
  input_image_2: image,
  input_image_3: image,
  input_image_4: image,
}
// Fields that are not known are passed over (https://api.bfl.ai/openapi.json).
const flux2Side = z.int().min(64).max(2_048).multipleOf(16).nullish()
const Flux2 = z.object({ ...common, ...images, width: flux2Side, height: flux2Side })
const side = z.int().min(256).max(1_440).multipleOf(32)
const Pro = z.object({ ...common, width: side.default(1_024), height: side.default(768) })

type Model = {
  readonly input: z.ZodType<z.infer<typeof Flux2> | z.infer<typeof Pro>>
  readonly cost: number
}
const MODELS: Readonly<Record<string, Model | undefined>> = {
  'flux-2-pro': { input: Flux2, cost: 3 },
  'flux-2-max': { input: Flux2, cost: 7 },
  'flux-2-klein-9b': { input: Flux2, cost: 1.5 },
  'flux-pro-1.1': { input: Pro, cost: 4 },
}

const Extra = z.object({ secret: z.string().optional() })

const error = (
  status: number,
  code: string,
  message: string,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
) => json(status, { error: code, message, ...more }, headers)
const unauthorized = () =>
  error(401, 'invalid_api_key', 'The provided API key is invalid or expired')
const isSignedIn = ({ headers }: RouteRequest) => (headers['x-key'] ?? '') !== ''

/** Black Forest Labs (https://docs.bfl.ai) over the one task store. */
export function createBflProtocol(deps: ProtocolDeps): Protocol {
  function show(request: RouteRequest): Reply {
    if (!isSignedIn(request)) return unauthorized()
    const id = request.query.get('id')
    if (id === null) {
      const detail = [{ loc: ['query', 'id'], msg: 'Field required', type: 'missing' }]
      return json(422, { detail })
    }
    const task = taskOf(deps, NAME, id)
    if (!task) return json(200, { id, status: 'Task not found', result: null })
    return isStatusDown(deps, task)
      ? error(503, 'unavailable', 'Status is down (drill).')
      : json(200, view(deps, task))
  }
  return {
    name: NAME,
    routes: [
      { method: 'GET', path: /^\/bfl\/v1\/get_result$/, handle: show },
      {
        method: 'POST',
        path: /^\/bfl\/v1\/([a-z0-9.-]+)$/,
        handle: (request) => submit(deps, request),
      },
    ],
    callbackOf: (task) => {
      if (task.callback_url === null) return undefined
      const body = JSON.stringify(callbackBody(deps, task))
      const { secret } = Extra.parse(task.request.extra)
      const signature = secret && createHmac('sha256', secret).update(body).digest('hex')
      return {
        url: task.callback_url,
        headers: signature ? { 'x-bfl-signature': `sha256=${signature}` } : {},
        body,
      }
    },
  }
}

async function submit(deps: ProtocolDeps, request: RouteRequest): Promise<Reply> {
  const parsedJson = parseJson(request.body)
  const received = receive(deps, NAME, request, {
    reference: referenceIn(request),
    prompt: z.object({ prompt: z.string() }).safeParse(parsedJson).data?.prompt,
  })
  const refuse = (outcome: string, reply: Reply) => {
    received.refuse(outcome)
    return reply
  }
  if (!isSignedIn(request)) return refuse('unauthorized', unauthorized())
  const model = MODELS[request.id]
  if (!model) return refuse('not_found', json(404, { detail: 'Not Found' }))
  const { refusal } = received.plan
  const refused = refusal && refusalReply(refusal)
  if (refused) return refuse(refusal.code, refused)
  const parsed = model.input.safeParse(parsedJson)
  if (!parsed.success) {
    const detail = parsed.error.issues.map(({ path, message, code }) => ({
      loc: ['body', ...path],
      msg: message,
      type: code,
    }))
    return refuse('invalid_input', json(422, { detail }))
  }

  const { prompt, seed, width, height, webhook_url: webhookUrl, webhook_secret } = parsed.data
  const task = received.accept({
    id: randomUUID(),
    picture: {
      prompt,
      width: width ?? 1_024,
      height: height ?? 1_024,
      seed: seed ?? 0,
      extra: { secret: webhook_secret ?? undefined },
    },
    callbackUrl: webhookUrl ?? undefined,
  })
  const accepted = { id: task.id, cost: model.cost, output_mp: 1 }
  const pollingUrl = `${deps.baseUrl()}/${NAME}/v1/get_result?id=${task.id}`
  // With a callback the answer does not say where to look.
  return received.answer(
    webhookUrl
      ? json(200, { ...accepted, status: 'Pending', webhook_url: webhookUrl })
      : json(200, { ...accepted, polling_url: pollingUrl }),
  )
}

type Refusal = NonNullable<Task['plan']['refusal']>

/** Undefined when it is let in: what is moderated is told by the status. */
function refusalReply(refusal: Refusal): Reply | undefined {
  switch (refusal.code) {
    case 'content_policy':
      return undefined
    case 'invalid_input':
      return error(400, 'validation_error', refusal.message, { details: { prompt: 'refused' } })
    case 'rate_limited': {
      const seconds = refusal.retryAfterSeconds ?? 5
      const headers = { 'retry-after': String(seconds), 'x-ratelimit-limit': '24' }
      return error(429, 'rate_limit_exceeded', refusal.message, { retry_after: seconds }, headers)
    }
    case 'bad_key':
      return unauthorized()
    case 'no_credit':
      return error(402, 'insufficient_credits', 'Your account does not have enough credits')
    default:
      return error(refusal.status, refusal.code, refusal.message)
  }
}

function statusOf(task: Task) {
  if (task.plan.refusal?.code === 'content_policy') return 'Request Moderated'
  switch (task.status) {
    case 'queued':
    case 'rendering':
      return 'Pending'
    case 'succeeded':
      return 'Ready'
    case 'failed':
      return task.error_code === 'content_policy' ? 'Content Moderated' : 'Error'
    case 'cancelled':
      return 'Error'
  }
}

const resultOf = (deps: ProtocolDeps, task: Task) => ({
  sample: resultUrl(deps, task),
  prompt: task.request.prompt,
  seed: task.request.seed,
})

function view(deps: ProtocolDeps, task: Task) {
  const status = statusOf(task)
  return {
    id: task.id,
    status,
    result: status === 'Ready' ? resultOf(deps, task) : null,
    progress: status === 'Pending' ? progressOf(task, deps.clock.now()) : null,
    details: status === 'Error' ? { error: task.error_message } : null,
    ...(status === 'Error' ? { error: task.error_code, message: task.error_message } : {}),
  }
}

/** As it is documented: every failure is an error there, and why is said beside it. */
function callbackBody(deps: ProtocolDeps, task: Task) {
  const timestamp = new Date(task.finished_at ?? task.accepted_at).toISOString()
  const status = statusOf(task)
  if (status === 'Ready') {
    return { id: task.id, status, result: resultOf(deps, task), timestamp }
  }
  return {
    id: task.id,
    status: 'Error',
    error: status === 'Error' ? task.error_code : 'content_policy_violation',
    message: task.error_message ?? 'The prompt violated content policy',
    timestamp,
  }
}
