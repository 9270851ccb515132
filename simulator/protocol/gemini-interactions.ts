import {
  generateKeyPairSync,
  randomBytes,
  randomInt,
  sign,
  type KeyPairKeyObjectResult,
} from 'node:crypto'
import { z } from 'zod'
import type { OutgoingCallback } from '@/simulator/callback'
import { json, parseJson, type Reply, type RouteRequest } from '@/simulator/http'
import type { Task } from '@/simulator/task-store'
import { GeminiPixels, hasKey, unregistered } from './gemini-wire'
import { isStatusDown, receive, taskOf, type ProtocolDeps } from './protocol'
import { resultBytes } from './results'

// https://ai.google.dev/api/interactions-api, as far as it makes one image in the background.

const Content = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
  z.strictObject({
    type: z.literal('image'),
    mime_type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
    data: z.base64().min(1),
  }),
])
const Input = z.union([z.string().min(1), z.array(Content).min(1)])
const Body = z.strictObject({
  model: z.string().regex(/image|banana/),
  input: Input,
  // Only in the background: that is what is simulated.
  background: z.literal(true),
  store: z.literal(true).optional(),
  response_format: z
    .strictObject({
      type: z.literal('image'),
      aspect_ratio: z.enum(Object.keys(GeminiPixels)).optional(),
      image_size: z.literal('1K').optional(),
    })
    .optional(),
  labels: z
    .record(z.string().regex(/^[a-z0-9_-]{1,63}$/), z.string().regex(/^[a-z0-9_-]{0,63}$/))
    .optional(),
  webhook_config: z
    .strictObject({
      // https in truth; here both sides may be on one machine.
      uris: z.tuple([z.url({ protocol: /^https?$/ })]),
      user_metadata: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
})
const Extra = z.object({ model: z.string(), labels: z.record(z.string(), z.string()) })

const promptOf = (input: z.infer<typeof Input>): string =>
  typeof input === 'string'
    ? input
    : input.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

const problem = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply => json(status, { error: { code, message } }, headers)

const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  invalid_input: [400, 'invalid_request'],
  content_policy: [400, 'invalid_request'],
  rate_limited: [429, 'rate_limit_exceeded'],
  internal_error: [500, 'internal'],
  unavailable: [503, 'unavailable'],
  bad_key: [403, 'permission_denied'],
  no_credit: [429, 'resource_exhausted'],
}

export async function createInteraction(
  deps: ProtocolDeps,
  protocol: string,
  request: RouteRequest,
): Promise<Reply> {
  const body = parseJson(request.body)
  const parsed = Body.safeParse(body)
  const loose = z.object({ input: Input }).safeParse(body).data
  const received = receive(deps, protocol, request, {
    reference: parsed.data?.labels?.['attempt'],
    prompt: loose && promptOf(loose.input),
  })
  const refuse = (outcome: string, reply: Reply) => {
    received.refuse(outcome)
    return reply
  }
  if (!hasKey(request)) return refuse('unauthorized', unregistered())
  if (request.isTooLarge || !parsed.success) {
    const message = parsed.error?.issues[0]?.message ?? 'The body is too large.'
    return refuse('invalid_input', problem(400, 'invalid_request', message))
  }
  const { refusal } = received.plan
  if (refusal) {
    const [status, code] = REFUSALS[refusal.code] ?? [500, 'internal']
    const words =
      refusal.code === 'no_credit' ? 'Your prepayment credits are depleted.' : refusal.message
    const after = refusal.retryAfterSeconds
    const headers = after === undefined ? {} : { 'retry-after': String(after) }
    return refuse(refusal.code, problem(status, code, words, headers))
  }
  const { input, model, labels, response_format, webhook_config } = parsed.data
  const [width, height] = GeminiPixels[response_format?.aspect_ratio ?? '1:1'] ?? [1024, 1024]
  const task = received.accept({
    id: `v1_${randomBytes(24).toString('hex')}`,
    picture: {
      prompt: promptOf(input),
      width,
      height,
      seed: randomInt(2 ** 32),
      extra: { model, labels: labels ?? {} },
    },
    callbackUrl: webhook_config?.uris[0],
  })
  return received.answer(json(200, await view(deps, task)))
}

export async function showInteraction(
  deps: ProtocolDeps,
  protocol: string,
  id: string,
): Promise<Reply> {
  const task = taskOf(deps, protocol, id)
  const ageMs = deps.clock.now() - (task?.finished_at ?? Infinity)
  if (!task || ageMs >= (task.plan.resultExpiresMs ?? Infinity)) return notFound()
  if (isStatusDown(deps, task) || (ageMs >= 0 && ageMs < (task.plan.resultOutageMs ?? 0))) {
    return problem(503, 'unavailable', 'Down (drill).')
  }
  return json(200, await view(deps, task))
}

/** What is queued stops; what is under way or has ended is shown as it is. */
export function cancelInteraction(
  deps: ProtocolDeps,
  protocol: string,
  id: string,
): Reply | Promise<Reply> {
  if (!taskOf(deps, protocol, id)) return notFound()
  deps.store.cancel(id)
  return showInteraction(deps, protocol, id)
}

const notFound = () => problem(404, 'not_found', 'The interaction was not found.')

const STATUS = {
  queued: 'queued',
  rendering: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
} as const

async function view(deps: ProtocolDeps, task: Task) {
  const { model, labels } = Extra.parse(task.request.extra)
  const isDone = task.status === 'succeeded'
  return {
    id: task.id,
    object: 'interaction',
    model,
    labels,
    status: STATUS[task.status],
    created: new Date(task.accepted_at).toISOString(),
    updated: new Date(task.updated_at).toISOString(),
    steps: [
      { type: 'user_input', content: [{ type: 'text', text: task.request.prompt }] },
      ...(isDone
        ? [
            {
              type: 'model_output',
              content: [
                {
                  type: 'image',
                  mime_type: 'image/png',
                  data: Buffer.from(await resultBytes(deps, task)).toString('base64'),
                },
              ],
            },
          ]
        : []),
    ],
    ...(task.error_code === null
      ? {}
      : { errors: [{ code: task.error_code, message: task.error_message }] }),
    ...(isDone
      ? { usage: { total_input_tokens: 6, total_output_tokens: 1_120, total_tokens: 1_126 } }
      : {}),
  }
}

/** What a client puts into GEMINI_WEBHOOK_AUDIENCE. */
export const SIMULATED_AUDIENCE = 'simulated-project'
/** And into GEMINI_WEBHOOK_ISSUER. */
export const SIMULATED_ISSUER = 'https://generativelanguage.googleapis.com'
const KEY_ID = 'simulated-1'
const TOKEN_SECONDS = 5 * 60

/**
 * Callbacks to the address of one request, signed with a token
 * (https://ai.google.dev/gemini-api/docs/webhooks). The key pair lives as long as the process.
 */
export function createInteractionEvents() {
  let made: KeyPairKeyObjectResult | undefined
  // Made when it is first needed: it takes a while.
  const pair = () => (made ??= generateKeyPairSync('rsa', { modulusLength: 2_048 }))

  function token(nowSeconds: number): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const head = part({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })
    const claims = part({
      iss: SIMULATED_ISSUER,
      aud: SIMULATED_AUDIENCE,
      iat: nowSeconds,
      exp: nowSeconds + TOKEN_SECONDS,
    })
    const signature = sign('RSA-SHA256', Buffer.from(`${head}.${claims}`), pair().privateKey)
    return `${head}.${claims}.${signature.toString('base64url')}`
  }

  return {
    keySet: () => ({
      keys: [
        { ...pair().publicKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' },
      ],
    }),
    callbackOf: (task: Task, nowMs: number): OutgoingCallback | undefined => {
      if (task.callback_url === null) return undefined
      const nowSeconds = Math.floor(nowMs / 1_000)
      return {
        url: task.callback_url,
        headers: {
          'webhook-id': `msg_${task.id}`,
          'webhook-timestamp': String(nowSeconds),
          'webhook-signature': token(nowSeconds),
        },
        body: JSON.stringify({
          type: task.error_code === null ? 'interaction.completed' : 'interaction.failed',
          version: 'v1',
          timestamp: new Date(task.finished_at ?? nowMs).toISOString(),
          data: { id: task.id },
        }),
      }
    },
  }
}
