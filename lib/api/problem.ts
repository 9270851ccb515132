import { STATUS_CODES } from 'node:http'
import { z } from 'zod'

/** For one account's eyes: no cache on the way keeps it. */
export const PRIVATE = { 'cache-control': 'private, no-store' } as const

export const FieldProblem = z.object({ field: z.string(), message: z.string() })
export type FieldProblem = Readonly<z.infer<typeof FieldProblem>>

/** What each refusal of the API says by default. The codes are for ever: programs switch on them. */
const problems = {
  invalid_idempotency_key: {
    status: 400,
    detail: 'Send an Idempotency-Key header with the UUID that you made for this attempt.',
  },
  invalid_json: { status: 400, detail: 'The body is not JSON in UTF-8.' },
  unauthorized: {
    status: 401,
    detail: 'Send an API key that is in use: Authorization: Bearer dk_…',
  },
  insufficient_credits: { status: 402, detail: 'The available credits do not cover the price.' },
  // About money and lifted by its owner, so no 429, which programs answer by asking again.
  spending_limit: {
    status: 402,
    detail:
      'The daily spending limit that this account set for itself leaves no room for the price.',
  },
  not_found: { status: 404, detail: 'There is nothing here.' },
  method_not_allowed: { status: 405, detail: 'The Allow header names what can be done here.' },
  body_too_large: { status: 413, detail: 'The body is too large.' },
  unsupported_media_type: {
    status: 415,
    detail: 'Send the body as application/json, without a content encoding.',
  },
  invalid_input: { status: 422, detail: 'The input cannot be used; `errors` says which part.' },
  request_id_reused: {
    status: 422,
    detail: 'This Idempotency-Key belongs to an attempt with another input, which is unchanged.',
  },
  internal_error: { status: 500, detail: 'Something is wrong on our side. It was recorded.' },
  unavailable: {
    status: 503,
    detail: 'It cannot be answered at the moment. Ask again with the same Idempotency-Key, if any.',
  },
} as const satisfies Record<string, { readonly status: number; readonly detail: string }>

export type ProblemCode = keyof typeof problems
export const ProblemCode = z.enum(
  Object.keys(problems).filter((code): code is ProblemCode => code in problems),
)

/** A problem document of RFC 9457, with a code that programs may rely on. */
export const Problem = z.object({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.int(),
  code: ProblemCode,
  detail: z.string(),
  errors: z
    .array(FieldProblem)
    .optional()
    .meta({ description: 'With `invalid_input`: each field that cannot be used, and why.' }),
  available: z
    .int()
    .optional()
    .meta({ description: 'With `insufficient_credits`: the credits that are available.' }),
  required: z
    .int()
    .optional()
    .meta({ description: 'With `insufficient_credits` or `spending_limit`: the price.' }),
  limit: z
    .int()
    .optional()
    .meta({ description: 'With `spending_limit`: the credits that a UTC day may use.' }),
  used: z
    .int()
    .optional()
    .meta({ description: 'With `spending_limit`: the credits of this UTC day, charged or held.' }),
})
export type Problem = Readonly<z.infer<typeof Problem>>

export const PROBLEM_CODES: readonly ProblemCode[] = ProblemCode.options

export function statusOf(code: ProblemCode): number {
  return problems[code].status
}

/** The answer for a problem, with what is known about this one. */
export function problemAnswer(
  code: ProblemCode,
  more: Partial<
    Pick<Problem, 'detail' | 'errors' | 'available' | 'required' | 'limit' | 'used'>
  > & {
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Response {
  const { headers, ...members } = more
  const { status, detail } = problems[code]
  return problemDocument({ status, code, detail, ...members }, headers)
}

export function problemDocument(
  problem: { readonly status: number; readonly code: string; readonly detail: string },
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { status, code, detail, ...members } = problem
  // With `about:blank` the title is that of the status: RFC 9457, 4.2.1.
  const title = STATUS_CODES[status] ?? 'Error'
  const body = JSON.stringify({ type: 'about:blank', title, status, code, detail, ...members })
  return new Response(body, {
    status,
    headers: { ...PRIVATE, 'content-type': 'application/problem+json', ...headers },
  })
}
