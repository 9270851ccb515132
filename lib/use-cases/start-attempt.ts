import type { z } from 'zod'
import { submitAttempt, type GuestAddress } from '@/lib/db/attempt-store'
import { findRequest } from '@/lib/db/known-attempt'
import { fingerprintOf } from '@/lib/domain/fingerprint'
import { GenerationRequest, type Generation } from '@/lib/domain/generation'
import { AttemptId, type AccountId, type RequestId } from '@/lib/domain/ids'
import { invariant } from '@/lib/domain/invariant'
import {
  findModel,
  settingProblems,
  type SettingProblem,
  type SettingProblemCode,
} from '@/lib/domain/model'
import { PROMPT_CODE_POINTS_MAX, promptProblems, type PromptProblem } from '@/lib/domain/prompt'
import { ok, refuse, type Result } from '@/lib/domain/result'
import type { AttemptView } from '@/lib/web/views'
import { callbackTokenHashOf, callbackTokenOf } from './callback-token'
import type { Deps } from './deps'
import { readAttempt } from './read-attempts'
import { readOffer, type OfferedModel } from './read-offer'
import { referenceProblems } from './reference-images'

/** What is wrong with a field: in English for programs, by code and values for people. */
export type FieldProblem = Omit<SettingProblem, 'code'> & {
  readonly code: SettingProblemCode | PromptProblem | 'reference-image-missing' | 'not-understood'
}

export type StartRefusal =
  | { readonly code: 'invalid-input'; readonly fields: readonly FieldProblem[] }
  | {
      readonly code: 'insufficient-credits'
      readonly available: number
      readonly required: number
    }
  | SpendingLimitReached
  /** It would take more credits than its person was told. */
  | { readonly code: 'price-changed'; readonly quoted: number; readonly required: number }
  | { readonly code: 'request-id-reused' }
  | {
      readonly code: 'model-unavailable'
      /** False: it is none of ours. True: it is, and cannot be had just now. */
      readonly isOffered: boolean
      readonly message: string
    }
  | { readonly code: 'account-suspended' }
  /** Too many guests' attempts from one address today. */
  | { readonly code: 'guest-limit' }

/** The account's own limit of this UTC day leaves no room for the price. */
type SpendingLimitReached = {
  readonly code: 'spending-limit'
  readonly limit: number
  /** Charged or on hold today. */
  readonly used: number
  readonly required: number
}

export type StartedAttempt = {
  readonly attempt: AttemptView
  /** The request id was known already: this is the attempt that it made then. */
  readonly replayed: boolean
}

/**
 * Records the attempt and reserves its price, or does neither. It never calls a provider: the
 * worker does. Sent again with the same id and input, it answers with the same attempt.
 */
export async function startAttempt(
  deps: Deps,
  accountId: AccountId,
  input: unknown,
  guest?: GuestAddress,
): Promise<Result<StartedAttempt, StartRefusal>> {
  const parsed = GenerationRequest.safeParse(input)
  if (!parsed.success) return refuse({ code: 'invalid-input', fields: problemsOf(parsed.error) })
  const { requestId } = parsed.data
  return deps.trace.begin('attempt.start', { requestId, accountId }, async () => {
    const started = await start(deps, accountId, parsed.data, guest)
    if (!started.ok) {
      deps.trace.note({ outcome: started.refusal.code })
      return started
    }
    const { attempt, replayed } = started.value
    const { id: attemptId, model } = attempt
    deps.trace.note({ attemptId, outcome: replayed ? 'replayed' : 'recorded' })
    deps.log.info({ attemptId, accountId, requestId, model, replayed }, 'attempt submitted')
    return started
  })
}

async function start(
  deps: Deps,
  accountId: AccountId,
  { requestId, quotedCredits, ...generation }: GenerationRequest,
  guest: GuestAddress | undefined,
): Promise<Result<StartedAttempt, StartRefusal>> {
  const model = findModel(await readOffer(deps), generation.model)
  const refusal =
    refusalOf(model, generation) ?? (await missingReferences(deps, accountId, generation))
  if (!model || refusal) {
    // What was accepted while it was on offer is answered for ever.
    const replay = await findReplay(deps, accountId, requestId, (stored) =>
      fingerprintOf(stored).equals(fingerprintOf(generation)),
    )
    return replay ?? refuse(refusal ?? NOT_OFFERED)
  }

  deps.trace.note({ provider: model.provider, model: model.id })
  const id = AttemptId.parse(deps.newId())
  const submitted = await submitAttempt(deps.db, {
    key: { id, accountId },
    requestId,
    fingerprint: fingerprintOf(generation),
    provider: model.provider,
    generation,
    priceCredits: model.priceCredits,
    quotedCredits,
    callbackTokenHash: callbackTokenHashOf(callbackTokenOf(deps.callbackSecret, id)),
    allowanceLimit: deps.dailyAllowance,
    guest,
    traceparent: deps.trace.current(),
  })
  switch (submitted.outcome) {
    case 'recorded':
    case 'replayed': {
      invariant(submitted.attempt_id !== null, 'a recorded attempt has an id')
      const replayed = submitted.outcome === 'replayed'
      return ok(await startedAttempt(deps, accountId, submitted.attempt_id, replayed))
    }
    case 'insufficient_credits':
      return refuse({
        code: 'insufficient-credits',
        available: submitted.available,
        required: model.priceCredits,
      })
    case 'spending_limit':
      return refuse({
        code: 'spending-limit',
        limit: submitted.limit,
        used: submitted.used,
        required: model.priceCredits,
      })
    case 'price_changed':
      invariant(quotedCredits !== undefined, 'only what was quoted can have changed')
      return refuse({
        code: 'price-changed',
        quoted: quotedCredits,
        required: model.priceCredits,
      })
    case 'request_id_reused':
      return refuse({ code: 'request-id-reused' })
    case 'address_limit':
      return refuse({ code: 'guest-limit' })
    case 'account_suspended':
    case 'no_account':
      return refuse({ code: 'account-suspended' })
  }
}

async function startedAttempt(
  deps: Deps,
  accountId: AccountId,
  id: AttemptId,
  replayed: boolean,
): Promise<StartedAttempt> {
  const attempt = await readAttempt(deps, accountId, id)
  invariant(attempt !== undefined, 'a recorded attempt can be read')
  return { attempt, replayed }
}

/**
 * The attempt that this request id made, when what is asked for now is what was asked for then.
 * Undefined when the id made none.
 */
export async function findReplay(
  deps: Deps,
  accountId: AccountId,
  requestId: RequestId,
  isTheSame: (stored: Generation) => boolean,
): Promise<Result<StartedAttempt, StartRefusal> | undefined> {
  const known = await findRequest(deps.db, accountId, requestId)
  if (!known) return undefined
  return isTheSame(known.generation)
    ? ok(await startedAttempt(deps, accountId, known.id, true))
    : refuse({ code: 'request-id-reused' })
}

const NOT_OFFERED: StartRefusal = {
  code: 'model-unavailable',
  isOffered: false,
  message: 'This model is not offered here.',
}

/** Why it cannot be asked of the model now, or undefined. */
function refusalOf(
  model: OfferedModel | undefined,
  generation: Generation,
): StartRefusal | undefined {
  if (!model) return NOT_OFFERED
  if (model.unavailable !== undefined) {
    return { code: 'model-unavailable', isOffered: true, message: model.unavailable }
  }
  const fields = settingProblems(model, generation)
  return fields.length > 0 ? { code: 'invalid-input', fields } : undefined
}

async function missingReferences(
  deps: Deps,
  accountId: AccountId,
  { settings }: Generation,
): Promise<StartRefusal | undefined> {
  const fields = await referenceProblems(deps, accountId, settings)
  return fields.length > 0 ? { code: 'invalid-input', fields } : undefined
}

function problemsOf(error: z.ZodError): readonly FieldProblem[] {
  return error.issues.map((issue) => {
    const field = issue.path.map(String).join('.') || 'input'
    const told: unknown = issue.code === 'custom' ? issue.params?.['problem'] : undefined
    const code = promptProblems.find((problem) => problem === told)
    const { message } = issue
    return code === undefined
      ? { field, code: 'not-understood', values: { field }, message }
      : { field, code, values: { most: PROMPT_CODE_POINTS_MAX }, message }
  })
}
