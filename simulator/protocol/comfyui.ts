import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { json, parseJson, type Reply, type Route, type RouteRequest } from '@/simulator/http'
import type { Task } from '@/simulator/task-store'
import { readGraph } from './comfyui-graph'
import { isStatusDown, receive, taskOf, type Protocol, type ProtocolDeps } from './protocol'
import { resultBytes } from './results'

// https://docs.comfy.org/development/comfyui-server/comms_routes and ComfyUI's server.py.

const NAME = 'comfyui'
const OUTPUT_NODE = '9'
const SUBFOLDER = 'darkroom'

const PromptBody = z.object({
  prompt: z.record(z.string(), z.unknown()),
  // Canonical: newer servers take no other.
  prompt_id: z
    .string()
    .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .optional(),
  extra_data: z.record(z.string(), z.unknown()).optional(),
})
const Deletion = z.object({ delete: z.array(z.string()) })
const Interruption = z.object({ prompt_id: z.string() })
const Kept = z.object({ prompt_id: z.string(), graph: z.unknown() })

const refused = (type: string, message: string): Reply =>
  json(400, { error: { type, message, details: '', extra_info: {} }, node_errors: {} })
const empty = (status: number): Reply => ({
  kind: 'bytes',
  status,
  contentType: 'text/plain',
  bytes: Buffer.alloc(0),
})

// A server of one's own has no keys, no balance and no rules. What stands before it may.
const REFUSALS: Readonly<Record<string, number>> = {
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
  bad_key: 401,
  no_credit: 402,
}

export function createComfyUiProtocol(deps: ProtocolDeps): Protocol {
  const route = (method: string, path: RegExp, handle: Route['handle']): Route => ({
    method,
    path,
    handle,
  })
  return {
    name: NAME,
    routes: [
      route('POST', /^\/comfyui\/prompt$/, (request) => enqueue(deps, request)),
      route('GET', /^\/comfyui\/queue$/, () => showQueue(deps)),
      route('POST', /^\/comfyui\/queue$/, ({ body }) => unqueue(deps, body)),
      route('POST', /^\/comfyui\/interrupt$/, ({ body }) => interrupt(deps, body)),
      route('GET', /^\/comfyui\/history\/([^/]{1,200})$/, ({ id }) =>
        showHistory(deps, decodeURIComponent(id)),
      ),
      route('GET', /^\/comfyui\/view$/, ({ query }) => view(deps, query)),
    ],
  }
}

async function enqueue(deps: ProtocolDeps, request: RouteRequest): Promise<Reply> {
  const body = PromptBody.safeParse(parseJson(request.body))
  const promptId = body.data?.prompt_id ?? randomUUID()
  const graph = body.success ? readGraph(body.data.prompt) : undefined
  const received = receive(deps, NAME, request, {
    reference: promptId,
    prompt: graph?.kind === 'runs' ? graph.picture.prompt : undefined,
  })
  const refuse = (reply: Reply, outcome: string) => {
    received.refuse(outcome)
    return reply
  }
  if (request.isTooLarge) return refuse(empty(413), 'too_large')
  if (!body.success || graph === undefined) {
    const isId = body.error?.issues.some(({ path }) => path[0] === 'prompt_id') === true
    const type = isId ? 'invalid_prompt_id' : 'no_prompt'
    return refuse(refused(type, 'The body is none that is taken here.'), type)
  }
  if (graph.kind === 'refused') return refuse(refused(graph.type, graph.message), graph.type)
  const { refusal } = received.plan
  if (refusal) {
    const status = REFUSALS[refusal.code]
    const reply =
      status === undefined
        ? refused('prompt_outputs_failed_validation', refusal.message)
        : empty(status)
    return refuse(reply, refusal.code)
  }
  // The same id twice is two jobs, of which the history keeps the newer.
  received.accept({
    id: randomUUID(),
    picture: { ...graph.picture, extra: { prompt_id: promptId, graph: body.data.prompt } },
  })
  return received.answer(json(200, { prompt_id: promptId, number: 1, node_errors: {} }))
}

const keptOf = ({ request }: Task) => Kept.parse(request.extra)
const jobOf = (task: Task, index: number) => {
  const { prompt_id, graph } = keptOf(task)
  return [index, prompt_id, graph, {}, [OUTPUT_NODE]]
}
const openTasks = (deps: ProtocolDeps) =>
  deps.store
    .listOpenTasks()
    .filter(({ protocol, finished_at }) => protocol === NAME && finished_at === null)

function showQueue(deps: ProtocolDeps): Reply {
  const tasks = openTasks(deps)
  if (tasks.some((task) => isStatusDown(deps, task))) return empty(503)
  const inState = (status: Task['status']) =>
    tasks.filter((task) => task.status === status).map(jobOf)
  return json(200, { queue_running: inState('rendering'), queue_pending: inState('queued') })
}

function unqueue(deps: ProtocolDeps, body: Buffer): Reply {
  const ids = Deletion.safeParse(parseJson(body)).data?.delete ?? []
  for (const task of openTasks(deps)) {
    if (ids.includes(keptOf(task).prompt_id)) deps.store.cancel(task.id)
  }
  return empty(200)
}

function interrupt(deps: ProtocolDeps, body: Buffer): Reply {
  const id = Interruption.safeParse(parseJson(body)).data?.prompt_id
  for (const task of openTasks(deps)) {
    if (id === undefined || keptOf(task).prompt_id === id) deps.store.interrupt(task.id)
  }
  return empty(200)
}

function showHistory(deps: ProtocolDeps, promptId: string): Reply {
  const task = deps.store.findByReference(NAME, promptId)
  if (task && isStatusDown(deps, task)) return empty(503)
  // What was taken out of the queue has never been.
  const hasEnded = task?.finished_at !== null && task?.started_at !== null
  if (task === undefined || !hasEnded) return json(200, {})
  const its = { prompt: jobOf(task, 1), meta: {} }
  return json(200, { [promptId]: { ...its, ...endOf(task, promptId) } })
}

function endOf(task: Task, promptId: string) {
  const ended = (completed: boolean, message: readonly [string, object]) => ({
    status_str: completed ? 'success' : 'error',
    completed,
    messages: [['execution_start', { prompt_id: promptId }], message],
  })
  if (task.status === 'succeeded') {
    const image = { filename: `${task.id}.png`, subfolder: SUBFOLDER, type: 'output' }
    return {
      outputs: { [OUTPUT_NODE]: { images: [image] } },
      status: ended(true, ['execution_success', { prompt_id: promptId }]),
    }
  }
  const status =
    task.status === 'cancelled'
      ? ended(false, ['execution_interrupted', { prompt_id: promptId, node_id: '3' }])
      : ended(false, [
          'execution_error',
          { node_type: 'KSampler', exception_message: task.error_message },
        ])
  return { outputs: {}, status }
}

async function view(deps: ProtocolDeps, query: URLSearchParams): Promise<Reply> {
  const id = /^([0-9a-f-]{36})\.png$/.exec(query.get('filename') ?? '')?.[1] ?? ''
  const task = taskOf(deps, NAME, id)
  const isThere = query.get('subfolder') === SUBFOLDER && query.get('type') === 'output'
  if (!isThere || task?.status !== 'succeeded') return empty(404)
  const ageMs = deps.clock.now() - (task.finished_at ?? 0)
  if (ageMs < (task.plan.resultOutageMs ?? 0)) return empty(503)
  if (ageMs >= (task.plan.resultExpiresMs ?? Infinity)) return empty(404)
  return { kind: 'bytes', contentType: 'image/png', bytes: await resultBytes(deps, task) }
}
