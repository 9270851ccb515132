import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { ed25519Of } from '@/simulator/ed25519'
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

// https://developer.ideogram.ai/v2 and https://api.ideogram.ai/openapi.json

const NAME = 'ideogram'
const USER_ID = 'simulated-user'
const COST_USD_MICROS = 60_000
// https://developer.ideogram.ai/ideogram-api/rate-limits
const INFLIGHT_MAX = 10

// A form has texts only.
const whole = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.int())
const truth = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
const pixels = z
  .string()
  .regex(/^\d{3,4}x\d{3,4}$/)
  .transform((text) => text.split('x').map(Number))
  .pipe(z.tuple([z.int(), z.int()]))
  .transform(([width, height]) => ({ width, height }))
const side = whole.pipe(z.int().min(16).max(4_096).multipleOf(16))

const COMMON = {
  prompt: z.string().min(1).max(10_000),
  num_images: whole.pipe(z.int().min(1).max(8)).optional(),
  async: truth.optional(),
  webhook_url: z.url({ protocol: /^https?$/ }).optional(),
  magic_prompt: z.enum(['auto', 'on', 'off']).optional(),
  seed: whole
    .pipe(
      z
        .int()
        .min(0)
        .max(2 ** 31 - 1),
    )
    .optional(),
} as const
const speed = z.enum(['turbo', 'default', 'quality']).optional()
const BODIES = {
  'ideogram-4-5': z
    .strictObject({
      ...COMMON,
      size: pixels.optional(),
      quality: z.enum(['very_low', 'low', 'medium', 'high']).optional(),
      images: z.array(z.instanceof(Blob)).max(5).optional(),
    })
    .refine(({ quality, images }) => quality !== 'very_low' || images !== undefined, {
      error: 'very_low requires source images',
    })
    .transform(({ size, ...fields }) => ({ ...fields, ...(size ?? SQUARE) })),
  'ideogram-3': z
    .strictObject({
      ...COMMON,
      resolution: pixels.optional(),
      negative_prompt: z.string().optional(),
      rendering_speed: speed,
    })
    .transform(({ resolution, ...fields }) => ({ ...fields, ...(resolution ?? SQUARE) })),
  'p-image-ideogram': z
    .strictObject({ ...COMMON, custom_width: side, custom_height: side })
    .transform(({ custom_width: width, custom_height: height, ...fields }) => ({
      ...fields,
      width,
      height,
    })),
} as const
const SQUARE = { width: 2_048, height: 2_048 }
const Model = z.enum(['ideogram-4-5', 'ideogram-3', 'p-image-ideogram'])

const refused = (
  status: number,
  error: string,
  reason?: string,
  headers: Readonly<Record<string, string>> = {},
): Reply => json(status, { error, ...(reason && { reject_reason: reason }) }, headers)

const REFUSALS: Readonly<Record<string, readonly [number, string?]>> = {
  invalid_input: [400],
  content_policy: [422],
  rate_limited: [429, 'inflight_limit'],
  internal_error: [500],
  unavailable: [503],
  bad_key: [401],
  no_credit: [402, 'insufficient_funds'],
}

export function createIdeogramProtocol(deps: ProtocolDeps): Protocol {
  const keys = deps.webhookSecret === undefined ? undefined : ed25519Of(deps.webhookSecret, NAME)

  return {
    name: NAME,
    routes: [
      {
        method: 'POST',
        path: /^\/ideogram\/v2\/image\/generate\/([a-z0-9-]{1,60})$/,
        handle: (request) => generate(deps, request),
      },
      {
        method: 'GET',
        path: /^\/ideogram\/v2\/generations\/([A-Za-z0-9_=-]{1,100})$/,
        handle: (request) => show(deps, request),
      },
      {
        method: 'GET',
        path: /^\/ideogram\/v1\/\.well-known\/jwks\.json$/,
        handle: () => json(200, { keys: keys === undefined ? [] : [keys.jwk] }),
      },
    ],
    callbackOf: (task, nowMs) => {
      if (keys === undefined || task.callback_url === null) return undefined
      const body = JSON.stringify(callbackBody(deps, task))
      const at = String(Math.floor(nowMs / 1_000))
      const hash = createHash('sha256').update(body).digest('hex')
      return {
        url: task.callback_url,
        headers: {
          'x-ideogram-webhook-generation-id': task.id,
          'x-ideogram-webhook-user-id': USER_ID,
          'x-ideogram-webhook-timestamp': at,
          'x-ideogram-webhook-key-id': keys.kid,
          'x-ideogram-webhook-signature': keys
            .sign([task.id, USER_ID, at, hash].join('\n'))
            .toString('hex'),
        },
        body,
      }
    },
  }
}

const isAuthorized = ({ headers }: RouteRequest) =>
  typeof headers['api-key'] === 'string' && headers['api-key'].length > 0

/** The fields of a body in either form; a field that may repeat is a list. */
async function fieldsOf({ headers, body }: RouteRequest): Promise<unknown> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return parseJson(body)
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined)
  if (form === undefined) return undefined
  const names = [...new Set(form.keys())]
  return Object.fromEntries(
    names.map((name) => [name, name === 'images' ? form.getAll(name) : form.get(name)]),
  )
}

async function generate(deps: ProtocolDeps, request: RouteRequest): Promise<Reply> {
  const fields = await fieldsOf(request)
  const received = receive(deps, NAME, request, {
    reference: referenceIn(request),
    prompt: z.object({ prompt: z.string() }).safeParse(fields).data?.prompt,
  })
  const refuse = (reply: Reply, outcome: string) => {
    received.refuse(outcome)
    return reply
  }
  if (!isAuthorized(request)) return refuse(refused(401, 'Unauthorized'), 'unauthorized')
  if (request.isTooLarge) return refuse(refused(413, 'The body is too large.'), 'too_large')
  const model = Model.safeParse(request.id).data
  if (model === undefined) return refuse(refused(404, 'There is no such model.'), 'not_found')
  const parsed = BODIES[model].safeParse(fields)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuse(refused(400, `${issue?.path.join('.')}: ${issue?.message}`), 'invalid_input')
  }
  const { refusal } = received.plan
  if (refusal) {
    const [status, reason] = REFUSALS[refusal.code] ?? [500]
    const after = refusal.retryAfterSeconds
    const headers = after === undefined ? {} : { 'retry-after': String(after) }
    return refuse(refused(status, refusal.message, reason, headers), refusal.code)
  }
  const busy = deps.store
    .listOpenTasks()
    .filter((task) => task.protocol === NAME && task.finished_at === null)
  if (busy.length >= INFLIGHT_MAX) {
    return refuse(refused(429, 'Too many images in progress.', 'inflight_limit'), 'rate_limited')
  }
  const { prompt, width, height, seed, webhook_url } = parsed.data
  const task = received.accept({
    id: randomBytes(16).toString('base64url'),
    picture: { prompt, width, height, seed: seed ?? 0 },
    callbackUrl: webhook_url,
  })
  return received.answer(json(200, { generation_id: task.id, generation_kind: 'sampling' }))
}

function show(deps: ProtocolDeps, request: RouteRequest): Reply {
  if (!isAuthorized(request)) return refused(401, 'Unauthorized')
  const task = taskOf(deps, NAME, request.id)
  if (task === undefined) return refused(404, 'There is no such generation.')
  if (isStatusDown(deps, task)) return refused(503, 'Status is down (drill).')
  const its = { generation_id: task.id, created: created(task) }
  if (task.finished_at === null) return json(200, { ...its, status: 'pending' })
  if (task.error_code !== null && task.error_code !== 'content_policy') {
    return json(200, { ...its, status: 'failed', failure_reason: task.error_message })
  }
  return json(200, {
    ...its,
    status: 'completed',
    response_type: 'url',
    data: [imageOf(deps, task)],
    usage_cost_usd_micros: COST_USD_MICROS,
  })
}

const created = (task: Task) => new Date(task.accepted_at).toISOString()

/** What the safety check withholds is completed, and has no address. */
function imageOf(deps: ProtocolDeps, task: Task) {
  const { prompt, width, height, seed } = task.request
  const isSafe = task.error_code === null
  return {
    object_type: 'image.generation',
    url: isSafe ? resultUrl(deps, task) : '',
    prompt,
    resolution: `${width}x${height}`,
    seed,
    is_image_safe: isSafe,
  }
}

function callbackBody(deps: ProtocolDeps, task: Task) {
  const its = { generation_id: task.id, created: created(task) }
  return task.error_code !== null && task.error_code !== 'content_policy'
    ? { ...its, status: 'failed', failure_reason: task.error_message }
    : { ...its, data: [imageOf(deps, task)] }
}
