import type { Generation } from '@/lib/domain/generation'
import type { AccountId, RequestId } from '@/lib/domain/ids'
import { InvariantError } from '@/lib/domain/invariant'
import { findModel } from '@/lib/domain/model'
import { refuse, type Result } from '@/lib/domain/result'
import {
  findReplay,
  startAttempt,
  type StartedAttempt,
  type StartRefusal,
} from '@/lib/use-cases/start-attempt'
import { attemptForPrograms } from './attempt-answer'
import { problemsOf } from './field-problems'
import { asksForTheSame, generationRequestOf, NewAttempt, parseIdempotencyKey } from './new-attempt'
import { problemAnswer, type FieldProblem } from './problem'
import { readJson } from './read-json'
import { json, unauthorized, type Call } from './resource'

/** Starts an attempt, or answers with the one that this Idempotency-Key started before. */
export async function startOperation({ deps, request, accountId }: Call): Promise<Response> {
  const requestId = parseIdempotencyKey(request.headers.get('idempotency-key'))
  if (!requestId) return problemAnswer('invalid_idempotency_key')
  const body = await readJson(request)
  if (!body.ok) return body.refusal
  const parsed = NewAttempt.safeParse(body.value)
  if (!parsed.success) return invalid(problemsOf(parsed.error))
  const started = await start(deps, accountId, requestId, parsed.data)
  if (!started.ok) return refusalAnswer(request, started.refusal)
  const { attempt, replayed } = started.value
  return json(attemptForPrograms(attempt), {
    status: replayed ? 200 : 201,
    headers: replayed
      ? { 'idempotency-replayed': 'true' }
      : { location: `/api/v1/attempts/${attempt.id}` },
  })
}

/**
 * What was left out is filled from the model as it is offered now. Where that asks for something
 * else than the same call did then, or the model is not offered any more, the stored attempt rules.
 */
async function start(
  deps: Call['deps'],
  accountId: AccountId,
  requestId: RequestId,
  input: NewAttempt,
): Promise<Result<StartedAttempt, StartRefusal>> {
  const model = findModel(deps.models, input.model)
  const started = model
    ? await startAttempt(deps, accountId, generationRequestOf(input, requestId, model))
    : refuse(NOT_OFFERED)
  if (started.ok || !SETTLED_BY_STORED.has(started.refusal.code)) return started
  const isTheSame = (stored: Generation) => asksForTheSame(input, stored)
  return (await findReplay(deps, accountId, requestId, isTheSame)) ?? started
}

const SETTLED_BY_STORED = new Set<StartRefusal['code']>([
  'invalid-input',
  'model-unavailable',
  'request-id-reused',
])
const NOT_OFFERED: StartRefusal = {
  code: 'model-unavailable',
  isOffered: false,
  message: 'This model is not offered here.',
}

function invalid(errors: FieldProblem[]): Response {
  return problemAnswer('invalid_input', { errors })
}

function refusalAnswer(request: Request, refusal: StartRefusal): Response {
  switch (refusal.code) {
    case 'invalid-input':
      return invalid(refusal.fields.flatMap(memberProblems))
    case 'model-unavailable':
      return invalid([{ field: 'model', message: refusal.message }])
    case 'insufficient-credits':
      return problemAnswer('insufficient_credits', {
        available: refusal.available,
        required: refusal.required,
      })
    case 'spending-limit':
      return problemAnswer('spending_limit', {
        limit: refusal.limit,
        used: refusal.used,
        required: refusal.required,
      })
    case 'request-id-reused':
      return problemAnswer('request_id_reused')
    case 'price-changed':
      throw new InvariantError('a program is told no price')
    case 'guest-limit':
      throw new InvariantError('whoever has a key is no guest')
    case 'account-suspended':
      return unauthorized(request)
  }
}

/** The settings are members of the body; a size that is not offered is a matter of both sides. */
function memberProblems({ field, message }: FieldProblem): FieldProblem[] {
  if (field !== 'settings') return [{ field: field.replace(/^settings\./, ''), message }]
  return ['width', 'height'].map((side) => ({ field: side, message }))
}
