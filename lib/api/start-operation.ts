import { InvariantError } from '@/lib/domain/invariant'
import { findModel } from '@/lib/domain/model'
import { startAttempt, type StartRefusal } from '@/lib/use-cases/start-attempt'
import { attemptForPrograms } from './attempt-answer'
import { problemsOf } from './field-problems'
import { generationRequestOf, NewAttempt, parseIdempotencyKey } from './new-attempt'
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
  const model = findModel(deps.models, parsed.data.model)
  if (!model) return invalid([MODEL_NOT_OFFERED])

  const input = generationRequestOf(parsed.data, requestId, model)
  const started = await startAttempt(deps, accountId, input)
  if (!started.ok) return refusalAnswer(request, started.refusal)
  const { attempt, replayed } = started.value
  return json(attemptForPrograms(attempt), {
    status: replayed ? 200 : 201,
    headers: replayed
      ? { 'idempotency-replayed': 'true' }
      : { location: `/api/v1/attempts/${attempt.id}` },
  })
}

const MODEL_NOT_OFFERED: FieldProblem = {
  field: 'model',
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
    case 'request-id-reused':
      return problemAnswer('request_id_reused')
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
