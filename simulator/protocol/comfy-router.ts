import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { json, parseJson, type Reply, type RouteRequest } from '@/simulator/http'
import type { Task } from '@/simulator/task-store'
import { routerModels } from './comfy-router-models'
import { receive, referenceIn, type Protocol, type ProtocolDeps, type Received } from './protocol'

// https://docs.comfy.org/development/comfy-router/errors and /reference

const NAME = 'comfy-router'
const KEPT_MS = 24 * 60 * 60_000
const DEADLINE_MS = 10 * 60_000
const POLL_MS = 10
const RETRY_AFTER_SECONDS = 2
const CREDITS = '6.5'

const Key = z.string().min(1).max(255)
const Kept = z.object({ fingerprint: z.string(), model: z.string() })

const headersOf = (bucket?: string): Record<string, string> => ({
  'x-comfy-request-id': randomUUID(),
  ...(bucket === undefined ? {} : { 'x-comfy-error-type': bucket }),
})
const failed = (status: number, bucket: string, detail: string, retryAfter?: number): Reply =>
  json(
    status,
    { detail, error_type: bucket },
    {
      ...headersOf(bucket),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
  )
const wrongFields = (issues: readonly { path: PropertyKey[]; message: string; code: string }[]) =>
  json(
    422,
    {
      detail: issues.map(({ path, message, code }) => ({
        loc: ['body', ...path.map(String)],
        msg: message,
        type: code,
      })),
    },
    headersOf('invalid_input'),
  )

const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  invalid_input: [400, 'invalid_input'],
  content_policy: [400, 'content_policy_violation'],
  rate_limited: [429, 'rate_limited'],
  internal_error: [500, 'internal_error'],
  unavailable: [503, 'service_unavailable'],
  bad_key: [401, 'unauthorized'],
  no_credit: [402, 'insufficient_credits'],
}

export function createComfyRouterProtocol(deps: ProtocolDeps): Protocol {
  return {
    name: NAME,
    routes: [
      {
        method: 'POST',
        path: /^\/comfy-router\/v2\/models\/([a-z0-9._-]{1,64}\/[a-z0-9._-]{1,128})$/,
        handle: (request) => run(deps, request),
      },
    ],
  }
}

const isAuthorized = ({ headers }: RouteRequest) =>
  /^\S{8,}$/.test([headers['x-api-key']].flat()[0] ?? '') ||
  /^Bearer \S{8,}$/.test(headers.authorization ?? '')

/** Whether the key stands for this very request: its path, its query and its bytes. */
const fingerprintOf = ({ path, query, body }: RouteRequest) =>
  createHash('sha256').update(`POST ${path}?${query.toString()}\n`).update(body).digest('hex')

async function run(deps: ProtocolDeps, request: RouteRequest): Promise<Reply> {
  const model = routerModels[request.id]
  const parsed = model?.input.safeParse(parseJson(request.body))
  const key = Key.safeParse(request.headers['idempotency-key']).data
  const received = receive(deps, NAME, request, {
    // The key is what a client calls its run.
    reference: key ?? referenceIn(request),
    prompt: parsed?.data?.prompt,
  })
  const refuse = (reply: Reply, outcome: string) => {
    received.refuse(outcome)
    return reply
  }
  if (!isAuthorized(request)) {
    return refuse(failed(401, 'unauthorized', 'No usable credential.'), 'unauthorized')
  }
  if (request.isTooLarge) {
    return refuse(failed(413, 'invalid_input', 'The body is too large.'), 'too_large')
  }
  if (model === undefined || parsed === undefined) {
    return refuse(failed(404, 'model_not_found', 'There is no such model.'), 'not_found')
  }
  const known = key === undefined ? undefined : deps.store.findByReference(NAME, key)
  if (known && deps.clock.now() - known.accepted_at < KEPT_MS) {
    return refuse(await replay(deps, known, fingerprintOf(request)), 'replayed')
  }
  if (!parsed.success) return refuse(wrongFields(parsed.error.issues), 'invalid_input')
  return start(deps, request, received, parsed.data)
}

function start(
  deps: ProtocolDeps,
  request: RouteRequest,
  received: Received,
  picture: {
    readonly prompt: string
    readonly width: number
    readonly height: number
    readonly seed: number
  },
): Reply | Promise<Reply> {
  const { refusal } = received.plan
  if (refusal) {
    received.refuse(refusal.code)
    const [status, bucket] = REFUSALS[refusal.code] ?? [500, 'internal_error']
    return failed(status, bucket, refusal.message, refusal.retryAfterSeconds)
  }
  const task = received.accept({
    id: randomUUID(),
    picture: {
      ...picture,
      seed: picture.seed % 2 ** 32,
      extra: { fingerprint: fingerprintOf(request), model: request.id },
    },
  })
  return received.answer(() => answerOf(deps, task.id, request.id))
}

/** The answer for the key's first call, or why it cannot be had now or ever. */
async function replay(deps: ProtocolDeps, task: Task, fingerprint: string): Promise<Reply> {
  const kept = Kept.safeParse(task.request.extra).data
  if (kept?.fingerprint !== fingerprint) {
    return failed(409, 'invalid_input', 'The key was used for a different request.')
  }
  if (task.finished_at === null) {
    const words = 'The original call is still running.'
    return failed(409, 'concurrency_limit_exceeded', words, RETRY_AFTER_SECONDS)
  }
  if (task.error_code !== null && task.error_code !== 'content_policy') {
    return failed(409, 'invalid_input', 'The call behind this key cannot be replayed.')
  }
  const reply = await answerOf(deps, task.id, kept.model)
  return reply.kind === 'json'
    ? { ...reply, headers: { ...reply.headers, 'idempotent-replayed': 'true' } }
    : reply
}

/** Waits for the end, as long as Router does. The run goes on either way. */
async function answerOf(deps: ProtocolDeps, id: string, model: string): Promise<Reply> {
  for (;;) {
    const task = deps.store.findTask(id)
    if (task === undefined) throw new Error(`task ${id} is not there`)
    if (task.finished_at !== null) return endOf(deps, task, model)
    if (deps.clock.now() - task.accepted_at >= DEADLINE_MS) {
      const words = 'Comfy stopped holding the connection.'
      return failed(504, 'deadline_exceeded', words, RETRY_AFTER_SECONDS)
    }
    await sleep(POLL_MS, undefined, { signal: deps.stopping })
  }
}

async function endOf(deps: ProtocolDeps, task: Task, model: string): Promise<Reply> {
  if (task.error_code === 'content_policy') {
    return failed(400, 'content_policy_violation', task.error_message ?? '')
  }
  const output = await routerModels[model]?.output(deps, task)
  return task.error_code !== null || output === undefined
    ? failed(502, 'provider_error', task.error_message ?? '')
    : json(200, output, { ...headersOf(), 'x-comfy-credits-used': CREDITS })
}
