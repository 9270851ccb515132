import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { standardWebhookHeaders } from '@/simulator/callback'
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
import { models, pictureOf } from './replicate-models'
import { Extra, viewPrediction } from './replicate-view'

const NAME = 'replicate'
const PREFIX = `/${NAME}/v1`
const PAGE_SIZE = 100
const CANCEL_AFTER = /^([1-9]\d{0,5})([smh])$/
const ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

const CreateBody = z.strictObject({
  input: z.record(z.string(), z.unknown()),
  // https in truth; here both sides may be on one machine.
  webhook: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  webhook_events_filter: z.array(z.enum(['start', 'output', 'logs', 'completed'])).optional(),
  stream: z.boolean().optional(),
})
const problem = (
  status: number,
  title: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Reply => json(status, { title, detail, status }, headers)

const notFound = () => problem(404, 'Not found', 'The requested resource could not be found.')
const unauthenticated = () =>
  problem(401, 'Unauthenticated', 'You did not pass a valid authentication token')
const newId = () =>
  [...randomBytes(26)].map((byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join('')
const iso = (time: number) => new Date(time).toISOString()

/** Replicate's predictions (https://api.replicate.com/openapi.json) over the one task store. */
export function createReplicateProtocol(deps: ProtocolDeps): Protocol {
  const signedIn =
    (handle: (request: RouteRequest) => Reply | Promise<Reply>) => (request: RouteRequest) =>
      /^Bearer \S+$/.test(request.headers.authorization ?? '') ? handle(request) : unauthenticated()

  function show(id: string): Reply {
    const task = taskOf(deps, NAME, id)
    if (!task) return notFound()
    return isStatusDown(deps, task)
      ? problem(503, 'Unavailable', 'Status is down (drill).')
      : json(200, viewPrediction(deps, task))
  }

  function cancel(id: string): Reply {
    if (!taskOf(deps, NAME, id)) return notFound()
    deps.store.cancel(id)
    return show(id)
  }

  const one = (suffix: string) => new RegExp(`^${PREFIX}/predictions/([a-z0-9]{26})${suffix}$`)
  return {
    name: NAME,
    routes: [
      {
        method: 'POST',
        path: new RegExp(`^${PREFIX}/models/([a-z0-9-]+/[a-z0-9.-]+)/predictions$`),
        handle: (request) => create(deps, request),
      },
      {
        method: 'GET',
        path: new RegExp(`^${PREFIX}/predictions$`),
        handle: signedIn((request) => list(deps, request)),
      },
      { method: 'GET', path: one(''), handle: signedIn(({ id }) => show(id)) },
      { method: 'POST', path: one('/cancel'), handle: signedIn(({ id }) => cancel(id)) },
      {
        method: 'GET',
        path: new RegExp(`^${PREFIX}/webhooks/default/secret$`),
        handle: signedIn(() =>
          deps.webhookSecret === undefined
            ? notFound()
            : json(200, { key: webhookSecretOf(deps.webhookSecret) }),
        ),
      },
    ],
    callbackOf: (task, nowMs) => {
      const { events } = Extra.parse(task.request.extra)
      const wanted = events === undefined || events.includes('completed')
      if (deps.webhookSecret === undefined || task.callback_url === null || !wanted)
        return undefined
      const body = JSON.stringify(viewPrediction(deps, task))
      const key = Buffer.from(deps.webhookSecret, 'utf8')
      const signed = { id: `msg_${task.id}`, body }
      return {
        url: task.callback_url,
        headers: standardWebhookHeaders(key, signed, Math.floor(nowMs / 1_000)),
        body,
      }
    },
  }
}

/** What a client puts into REPLICATE_WEBHOOK_SECRET. */
export const webhookSecretOf = (secret: string) =>
  `whsec_${Buffer.from(secret, 'utf8').toString('base64')}`

async function create(deps: ProtocolDeps, request: RouteRequest): Promise<Reply> {
  const parsedJson = parseJson(request.body)
  const recorded = z.object({ input: z.object({ prompt: z.string() }) }).safeParse(parsedJson).data
  const received = receive(deps, NAME, request, {
    reference: referenceIn(request),
    prompt: recorded?.input.prompt,
  })
  const refuse = (outcome: string, reply: Reply) => {
    received.refuse(outcome)
    return reply
  }
  if (!/^Bearer \S+$/.test(request.headers.authorization ?? '')) {
    return refuse('unauthenticated', unauthenticated())
  }
  const model = models[request.id]
  if (!model) return refuse('not_found', notFound())
  const refusal = refusalOf(received.plan.refusal)
  if (refusal) return refuse(received.plan.refusal?.code ?? '', refusal)

  const parsed = CreateBody.safeParse(parsedJson)
  const input = parsed.success ? model.safeParse(parsed.data.input) : undefined
  if (!parsed.success || !input?.success) {
    const issues = parsed.error?.issues ?? input?.error?.issues ?? []
    const lines = issues.map(({ path, message }) => `- input.${path.join('.')}: ${message}`)
    return refuse('invalid_input', problem(422, 'Input validation failed', lines.join('\n')))
  }
  const cancelAfter = cancelAfterSeconds(request)
  if (cancelAfter === 'invalid') {
    return refuse('invalid_input', problem(422, 'Invalid Cancel-After', 'expected 5s to 24h'))
  }
  const task = received.accept({
    id: newId(),
    picture: {
      ...pictureOf(input.data),
      extra: {
        model: request.id,
        input: parsed.data.input,
        events: parsed.data.webhook_events_filter,
        deadline:
          cancelAfter === undefined ? undefined : iso(deps.clock.now() + cancelAfter * 1_000),
      },
    },
    callbackUrl: parsed.data.webhook,
  })
  return received.answer(json(201, viewPrediction(deps, task)))
}

type Refusal = NonNullable<Task['plan']['refusal']>

/** Undefined when it is let in: Replicate moderates by running. */
function refusalOf(refusal: Refusal | undefined): Reply | undefined {
  if (refusal === undefined) return undefined
  switch (refusal.code) {
    case 'content_policy':
      return undefined
    case 'invalid_input':
      return problem(422, 'Input validation failed', `- input.prompt: ${refusal.message}`)
    case 'rate_limited': {
      const seconds = refusal.retryAfterSeconds ?? 1
      const detail = `Request was throttled. Your rate limit resets in ~${seconds}s.`
      return problem(429, 'Too many requests', detail, { 'retry-after': String(seconds) })
    }
    case 'bad_key':
      return unauthenticated()
    case 'no_credit':
      return problem(402, 'Insufficient credit', 'You have insufficient credit to run this model.')
    default:
      return problem(refusal.status, 'Server error', refusal.message)
  }
}

function cancelAfterSeconds(request: RouteRequest): number | 'invalid' | undefined {
  const given = [request.headers['cancel-after']].flat()[0]
  if (given === undefined) return undefined
  const [, count, unit] = CANCEL_AFTER.exec(given) ?? []
  const seconds = Number(count) * (unit === 'h' ? 3_600 : unit === 'm' ? 60 : 1)
  return seconds >= 5 && seconds <= 86_400 ? seconds : 'invalid'
}

/** Newest first, a hundred at a time. */
function list(deps: ProtocolDeps, { query }: RouteRequest): Reply {
  const timeOf = (name: string, byDefault: number) => {
    const given = query.get(name)
    return given === null ? byDefault : Date.parse(given)
  }
  const [after, before] = [timeOf('created_after', 0), timeOf('created_before', Infinity)]
  if (Number.isNaN(after) || Number.isNaN(before)) {
    return problem(400, 'Bad request', 'created_after and created_before are ISO 8601 times')
  }
  const start = Number(query.get('cursor') ?? 0)
  const all = deps.store
    .listTasks()
    .data.filter(({ protocol }) => protocol === NAME)
    .filter(({ accepted_at }) => accepted_at >= after && accepted_at < before)
  const nextQuery = new URLSearchParams(query)
  nextQuery.set('cursor', String(start + PAGE_SIZE))
  const next = `${deps.baseUrl()}${PREFIX}/predictions?${nextQuery.toString()}`
  return json(200, {
    previous: null,
    next: all.length > start + PAGE_SIZE ? next : null,
    results: all.slice(start, start + PAGE_SIZE).map((task) => viewPrediction(deps, task)),
  })
}
