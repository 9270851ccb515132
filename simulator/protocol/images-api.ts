import { randomBytes, randomInt } from 'node:crypto'
import { json, type Reply, type RouteRequest } from '@/simulator/http'
import type { Task } from '@/simulator/task-store'
import { ended, type ProtocolDeps, type Received } from './protocol'
import { resultBytes } from './results'

// OpenAI's Images API (https://developers.openai.com/api/reference/resources/images), which others
// speak too.

const SEEDS = 2 ** 32

export type ApiError = {
  readonly message: string
  readonly type: string
  readonly param?: string
  readonly code?: string
  readonly moderation_details?: { readonly moderation_stage: string; readonly categories: string[] }
}

/** https://developers.openai.com/api/docs/guides/error-codes */
export function apiError(
  status: number,
  { message, type, param, code, ...more }: ApiError,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const error = { message, type, param: param ?? null, code: code ?? null, ...more }
  return json(status, { error }, { ...requestId(), ...headers })
}

export const requestId = () => ({ 'x-request-id': `req_${randomBytes(16).toString('hex')}` })

export const withoutKey = (): Reply =>
  apiError(401, { message: 'You didn’t provide an API key.', type: 'invalid_request_error' })

export const hasKey = ({ headers }: RouteRequest): boolean =>
  /^Bearer \S+$/.test(headers.authorization ?? '')

const blocked = (moderation_stage: 'input' | 'output'): Reply =>
  apiError(400, {
    message: 'Your request was rejected by the safety system.',
    type: 'image_generation_user_error',
    code: 'moderation_blocked',
    moderation_details: { moderation_stage, categories: ['violence'] },
  })

type Refusal = NonNullable<Task['plan']['refusal']>

/** A drill's refusal as this API puts it. */
export function refusalReply({ code, status, message, retryAfterSeconds }: Refusal): Reply {
  switch (code) {
    case 'invalid_input':
      return apiError(400, { message, type: 'invalid_request_error', code: 'invalid_value' })
    case 'content_policy':
      return blocked('input')
    case 'rate_limited':
      return apiError(
        429,
        { message, type: 'requests', code: 'rate_limit_exceeded' },
        retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
      )
    case 'bad_key':
      return apiError(401, { message, type: 'invalid_request_error', code: 'invalid_api_key' })
    case 'no_credit':
      return apiError(429, {
        message,
        type: 'insufficient_quota',
        code: 'credit_balance_exhausted',
      })
    default:
      return apiError(status, { message, type: 'server_error' })
  }
}

/** `WIDTHxHEIGHT`. */
export function sidesOf(size: string): { readonly width: number; readonly height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number)
  return { width, height }
}

export type ImageRequest = { readonly prompt: string; readonly size: string }

/** Draws while the caller waits, and answers with what `imageOf` makes of the finished task. */
export function drawAndAnswer(
  deps: ProtocolDeps,
  received: Received,
  { prompt, size }: ImageRequest,
  imageOf: (task: Task) => Promise<unknown>,
): Promise<Reply> {
  const task = received.accept({
    id: `img_${randomBytes(16).toString('hex')}`,
    // These models take no seed and never draw the same picture twice.
    picture: { prompt, ...sidesOf(size), seed: randomInt(SEEDS) },
  })
  return received.answer(() => answerOf(deps, task.id, size, imageOf))
}

async function answerOf(
  deps: ProtocolDeps,
  id: string,
  size: string,
  imageOf: (task: Task) => Promise<unknown>,
): Promise<Reply> {
  const task = await ended(deps, id)
  if (task.status !== 'succeeded') {
    return task.error_code === 'content_policy'
      ? blocked('output')
      : apiError(500, { message: task.error_message ?? 'It broke.', type: 'server_error' })
  }
  return json(
    200,
    {
      created: Math.floor((task.finished_at ?? 0) / 1_000),
      data: [await imageOf(task)],
      background: 'opaque',
      output_format: 'png',
      quality: 'medium',
      size,
      usage: TOKENS,
    },
    requestId(),
  )
}

export const TOKENS = {
  input_tokens: 20,
  input_tokens_details: { image_tokens: 0, text_tokens: 20 },
  output_tokens: 1_056,
  total_tokens: 1_076,
} as const

export async function base64Of(deps: ProtocolDeps, task: Task): Promise<string> {
  return Buffer.from(await resultBytes(deps, task)).toString('base64')
}
