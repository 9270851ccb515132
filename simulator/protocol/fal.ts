import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ed25519Of } from '@/simulator/ed25519'
import { json, parseJson, type Reply, type RouteRequest } from '@/simulator/http'
import type { Task } from '@/simulator/task-store'
import { CANCELLED, FalInput, failureOf, refusalReply, resultBody } from './fal-bodies'
import {
  isStatusDown,
  receive,
  referenceIn,
  taskOf,
  type Protocol,
  type ProtocolDeps,
} from './protocol'

const NAME = 'fal'
const USER_ID = 'github|simulated'
// Results are kept for an hour (https://fal.ai/docs/inference-api/queue/result).
const RESULT_FOR_MS = 60 * 60_000

/** What can be submitted, and the app under which its requests are found. */
const APP_OF: Readonly<Record<string, string | undefined>> = {
  'fal-ai/flux/schnell': 'fal-ai/flux',
  'fal-ai/flux/dev': 'fal-ai/flux',
  'fal-ai/flux-2': 'fal-ai/flux-2',
  'fal-ai/flux-2/edit': 'fal-ai/flux-2',
  'fal-ai/flux-2-pro': 'fal-ai/flux-2-pro',
  'fal-ai/flux-2-pro/edit': 'fal-ai/flux-2-pro',
}

const Extra = z.object({ app: z.string() })
const WebhookUrl = z.url({ protocol: /^https?$/ }).max(2_000)

const unauthorized = () => json(401, { detail: 'Authentication is required.' })
const notFound = () => json(404, { status: 'NOT_FOUND' })
const isSignedIn = ({ headers }: RouteRequest) => /^Key \S+$/.test(headers.authorization ?? '')

/** The queue of fal (https://fal.ai/docs/api-reference/inference-api) over the one task store. */
export function createFalProtocol(deps: ProtocolDeps): Protocol {
  const signer = deps.webhookSecret === undefined ? undefined : ed25519Of(deps.webhookSecret, NAME)

  /** Finds the request under its own app only, for those who are signed in. */
  const about = (handle: (task: Task) => Reply) => (request: RouteRequest) => {
    if (!isSignedIn(request)) return unauthorized()
    const [app = '', id = ''] = request.groups
    const task = taskOf(deps, NAME, id)
    return task && Extra.parse(task.request.extra).app === app ? handle(task) : notFound()
  }
  const one = (suffix: string) =>
    new RegExp(`^/${NAME}/([a-z0-9-]+/[a-z0-9.-]+)/requests/([0-9a-f-]{36})${suffix}$`)
  return {
    name: NAME,
    routes: [
      { method: 'GET', path: one('/status'), handle: about((task) => status(deps, task)) },
      { method: 'GET', path: one(''), handle: about((task) => result(deps, task)) },
      { method: 'PUT', path: one('/cancel'), handle: about((task) => cancel(deps, task)) },
      {
        method: 'GET',
        path: new RegExp(`^/${NAME}/\\.well-known/jwks\\.json$`),
        handle: () => json(200, { keys: signer ? [signer.jwk] : [] }),
      },
      {
        method: 'POST',
        path: new RegExp(`^/${NAME}/([a-z0-9-]+/[a-z0-9.-]+(?:/[a-z0-9.-]+)*)$`),
        handle: (request) => submit(deps, request),
      },
    ],
    callbackOf: (task, nowMs) => {
      if (signer === undefined || task.callback_url === null) return undefined
      const body = JSON.stringify(callbackBody(deps, task))
      const digest = createHash('sha256').update(body).digest('hex')
      const signed = [task.id, USER_ID, String(Math.floor(nowMs / 1_000))]
      return {
        url: task.callback_url,
        headers: {
          'x-fal-webhook-request-id': task.id,
          'x-fal-webhook-user-id': USER_ID,
          'x-fal-webhook-timestamp': signed[2] ?? '',
          'x-fal-webhook-signature': signer.sign([...signed, digest].join('\n')).toString('hex'),
        },
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
  const app = APP_OF[request.id]
  if (app === undefined) {
    return refuse('not_found', json(404, { detail: `Application "${request.id}" not found` }))
  }
  const { refusal } = received.plan
  const refused = refusal && refusalReply(refusal)
  if (refused) return refuse(refusal.code, refused)
  const webhook = request.query.get('fal_webhook')
  if (webhook !== null && !WebhookUrl.safeParse(webhook).success) {
    return refuse('bad_request', json(400, { detail: 'fal_webhook is no address' }))
  }

  // The queue takes any input: what is wrong with it is found by running it.
  const input = FalInput.safeParse(parsedJson)
  const task = received.accept({
    id: randomUUID(),
    picture: {
      prompt: input.data?.prompt ?? '',
      width: input.data?.image_size.width ?? 512,
      height: input.data?.image_size.height ?? 512,
      seed: input.data?.seed ?? 0,
      extra: { app, invalid: input.error?.issues[0]?.message },
    },
    callbackUrl: webhook ?? undefined,
  })
  return received.answer(
    json(200, { status: 'IN_QUEUE', queue_position: 0, ...addressesOf(deps, task) }),
  )
}

function addressesOf(deps: ProtocolDeps, task: Task) {
  const { app } = Extra.parse(task.request.extra)
  const url = `${deps.baseUrl()}/${NAME}/${app}/requests/${task.id}`
  return {
    request_id: task.id,
    gateway_request_id: task.id,
    response_url: url,
    status_url: `${url}/status`,
    cancel_url: `${url}/cancel`,
  }
}

const hasEnded = ({ status: word }: Task) => word !== 'queued' && word !== 'rendering'

/** A run that failed has completed; only runs that never were say here why. */
function status(deps: ProtocolDeps, task: Task): Reply {
  if (isStatusDown(deps, task)) return json(503, { detail: 'Status is down (drill).' })
  const addresses = addressesOf(deps, task)
  if (hasEnded(task)) {
    const cancelled =
      task.status === 'cancelled'
        ? { error: CANCELLED.detail, error_type: CANCELLED.error_type }
        : {}
    return json(200, { status: 'COMPLETED', logs: null, metrics: {}, ...addresses, ...cancelled })
  }
  return task.status === 'queued'
    ? json(202, { status: 'IN_QUEUE', queue_position: 0, ...addresses })
    : json(202, { status: 'IN_PROGRESS', logs: null, ...addresses })
}

function result(deps: ProtocolDeps, task: Task): Reply {
  if (!hasEnded(task)) {
    return json(400, { detail: 'Request is still in progress', error_type: 'bad_request' })
  }
  const ageMs = deps.clock.now() - (task.finished_at ?? 0)
  if (ageMs >= RESULT_FOR_MS) return notFound()
  const failure = failureOf(task)
  if (failure === undefined) {
    return json(200, resultBody(deps, task), { 'x-fal-billable-units': '1' })
  }
  const errorType = 'error_type' in failure.body ? failure.body.error_type : undefined
  return json(failure.status, failure.body, {
    ...(errorType === undefined ? {} : { 'x-fal-error-type': errorType }),
  })
}

function cancel(deps: ProtocolDeps, task: Task): Reply {
  if (deps.store.cancel(task.id)) return json(200, { status: 'OK' })
  return hasEnded(task)
    ? json(400, { status: 'ALREADY_COMPLETED' })
    : json(202, { status: 'CANCELLATION_REQUESTED' })
}

function callbackBody(deps: ProtocolDeps, task: Task) {
  const failure = failureOf(task)
  const ids = { request_id: task.id, gateway_request_id: task.id }
  return failure === undefined
    ? { ...ids, status: 'OK', payload: resultBody(deps, task) }
    : {
        ...ids,
        status: 'ERROR',
        error: `Unexpected status code: ${failure.status}`,
        payload: failure.body,
      }
}
