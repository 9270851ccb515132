import { randomBytes, randomInt } from 'node:crypto'
import { z } from 'zod'
import { json, type Reply, type RouteRequest } from '@/simulator/http'
import type { Task } from '@/simulator/task-store'
import { formDataOf, textsOf } from './form-data'
import { ended, receive, referenceIn, type Protocol, type ProtocolDeps } from './protocol'
import { resultBytes } from './results'

// https://platform.stability.ai/docs/api-reference#tag/Generate

const NAME = 'stability'
const SEED_MAX = 4_294_967_294

const PIXELS: Readonly<Record<string, readonly [number, number]>> = {
  '1:1': [1024, 1024],
  '3:2': [1216, 832],
  '2:3': [832, 1216],
  '5:4': [1088, 896],
  '4:5': [896, 1088],
  '16:9': [1344, 768],
  '9:16': [768, 1344],
  '21:9': [1536, 640],
  '9:21': [640, 1536],
}

const fields = {
  prompt: z.string().min(1).max(10_000),
  negative_prompt: z.string().max(10_000).optional(),
  aspect_ratio: z.enum(Object.keys(PIXELS)).default('1:1'),
  seed: z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .refine((seed) => seed <= SEED_MAX)
    .default(0),
  output_format: z.enum(['png', 'jpeg', 'webp']).optional(),
  style_preset: z.string().optional(),
}
const SERVICES: Readonly<Record<string, z.ZodType<Picture>>> = {
  core: z.strictObject(fields),
  ultra: z.strictObject(fields),
  sd3: z.strictObject({
    ...fields,
    model: z
      .enum(['sd3.5-large', 'sd3.5-large-turbo', 'sd3.5-medium', 'sd3.5-flash'])
      .default('sd3.5-large'),
    mode: z.literal('text-to-image').optional(),
  }),
}
type Picture = { readonly prompt: string; readonly aspect_ratio: string; readonly seed: number }

const problem = (status: number, name: string, ...errors: readonly string[]): Reply =>
  json(status, { id: randomBytes(16).toString('hex'), name, errors })

const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  invalid_input: [400, 'bad_request'],
  content_policy: [403, 'content_moderation'],
  // Without Retry-After, which is not documented.
  rate_limited: [429, 'rate_limit_exceeded'],
  internal_error: [500, 'internal_error'],
  unavailable: [503, 'service_unavailable'],
  bad_key: [401, 'unauthorized'],
  no_credit: [402, 'payment_required'],
}

/** Stability's generate services: multipart in, the picture out, while the caller waits. */
export function createStabilityProtocol(deps: ProtocolDeps): Protocol {
  return {
    name: NAME,
    routes: [
      {
        method: 'POST',
        path: /^\/stability\/v2beta\/stable-image\/generate\/(core|ultra|sd3)$/,
        handle: (request) => generate(deps, request),
      },
    ],
  }
}

async function generate(deps: ProtocolDeps, request: RouteRequest): Promise<Reply> {
  const form = await formDataOf(request)
  const texts = form && textsOf(form)
  const parsed = SERVICES[request.id]?.safeParse(texts)
  const received = receive(deps, NAME, request, {
    reference: referenceIn(request),
    prompt: texts?.['prompt'],
  })
  const refuse = (outcome: string, reply: Reply) => {
    received.refuse(outcome)
    return reply
  }
  if (!/^Bearer \S+$/.test(request.headers.authorization ?? '')) {
    const words = 'authorization: missing or invalid API key'
    return refuse('unauthorized', problem(401, 'unauthorized', words))
  }
  if (request.isTooLarge || !parsed?.success) {
    const issues = parsed?.error?.issues ?? []
    const errors = issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
    return refuse('invalid_input', problem(400, 'bad_request', ...(errors[0] ? errors : ['body'])))
  }
  const { refusal } = received.plan
  if (refusal) {
    const [status, name] = REFUSALS[refusal.code] ?? [500, 'internal_error']
    return refuse(refusal.code, problem(status, name, refusal.message))
  }
  const { prompt, aspect_ratio, seed } = parsed.data
  const [width, height] = PIXELS[aspect_ratio] ?? [1024, 1024]
  const task = received.accept({
    id: `sai_${randomBytes(16).toString('hex')}`,
    // 0 stands for any.
    picture: { prompt, width, height, seed: seed === 0 ? randomInt(1, SEED_MAX) : seed },
  })
  const wantsJson = request.headers.accept?.startsWith('application/json') === true
  return received.answer(() => answerOf(deps, task.id, wantsJson))
}

// A picture of one grey pixel stands for what was blurred.
const BLURRED = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

async function answerOf(deps: ProtocolDeps, id: string, wantsJson: boolean): Promise<Reply> {
  const task = await ended(deps, id)
  if (task.error_code !== null && task.error_code !== 'content_policy') {
    return problem(500, 'internal_error', task.error_message ?? 'An internal error occurred.')
  }
  const isFiltered = task.error_code !== null
  const bytes = isFiltered ? BLURRED : await resultBytes(deps, task)
  return pictureReply(task, bytes, isFiltered ? 'CONTENT_FILTERED' : 'SUCCESS', wantsJson)
}

function pictureReply(
  { request: { seed } }: Task,
  bytes: Uint8Array,
  reason: string,
  wantsJson: boolean,
): Reply {
  return wantsJson
    ? json(200, { image: Buffer.from(bytes).toString('base64'), finish_reason: reason, seed })
    : {
        kind: 'bytes',
        contentType: 'image/png',
        bytes,
        headers: { 'finish-reason': reason, seed: String(seed) },
      }
}
