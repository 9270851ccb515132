import { findAttemptForReview } from '@/lib/db/attempt-reader'
import { applyDecision } from '@/lib/db/attempt-store'
import { findAttempt } from '@/lib/db/known-attempt'
import { claimVerifications, endVerification, type Verification } from '@/lib/db/verification-store'
import type { ResultRef } from '@/lib/domain/attempt'
import type { Decision } from '@/lib/domain/decision'
import type { TaskId } from '@/lib/domain/ids'
import { assertNever, invariant } from '@/lib/domain/invariant'
import { decideOperatorAct, type OperatorAct } from '@/lib/domain/operator-act'
import type { Provider } from '@/lib/domain/provider'
import { givesUp, judgeTask, type VerificationOutcome } from '@/lib/domain/verification'
import { decoder, type Decoder } from '@/lib/storage/decoder-process'
import { answerKeyOf } from '@/lib/storage/object-keys'
import { sha256Of } from '@/lib/storage/sha256'
import type { WorkerDeps } from './deps'
import { submitRequestOf } from './submit-attempt'

const AT_ONCE = 10
const LOOK_TIMEOUT_MS = 15_000

type Ended = {
  readonly outcome: VerificationOutcome
  readonly found: string
  readonly taskId?: TaskId
}
type Told = Ended | { readonly again: string }

/**
 * Makes sure of what admins said: asks the provider about a task, searches for it, decodes an uploaded
 * image. Only then it is recorded, under the admin's name. Sends nothing to be made.
 */
export async function verifyForAdmins(
  deps: WorkerDeps,
  inspector: Pick<Decoder, 'inspect'> = decoder(),
): Promise<void> {
  const names = [...deps.providers.keys()]
  for (const asked of await claimVerifications(deps.db, names, AT_ONCE)) {
    const told = await verify(deps, asked, inspector)
    const { id, key, act, tries } = asked
    if ('again' in told && !givesUp(tries)) continue
    const end: Ended = 'again' in told ? { outcome: 'unreachable', found: told.again } : told
    await endVerification(deps.db, asked, end)
    deps.log.info({ attemptId: key.id, id, act, outcome: end.outcome }, 'verification ended')
  }
}

async function verify(
  deps: WorkerDeps,
  asked: Verification,
  { inspect }: Pick<Decoder, 'inspect'>,
): Promise<Told> {
  const provider = deps.providers.get(asked.provider)
  invariant(provider !== undefined, 'only what this worker can ask is claimed')
  switch (asked.act) {
    case 'attach-task':
      return attach(deps, asked, provider)
    case 'look-up':
      return lookUp(deps, asked, provider)
    case 'record-delivery':
      return recordDelivery(deps, asked, inspect)
    default:
      return assertNever(asked.act)
  }
}

async function attach(deps: WorkerDeps, asked: Verification, provider: Provider): Promise<Told> {
  const { taskId, key } = asked
  invariant(taskId !== undefined, 'who wants a task attached names it')
  const generation = await generationOf(deps, asked)
  const signal = () => AbortSignal.timeout(LOOK_TIMEOUT_MS)
  const verdict = judgeTask(key.id, taskId, {
    observation: await provider.observe(taskId, generation.model, signal()),
    reference: await provider.referenceOf?.(taskId, signal()),
    lookup: await search(deps, asked, provider),
  })
  if (verdict.kind === 'again') return { again: verdict.reason }
  if (verdict.kind === 'refused') return verdict
  return decideFor(deps, asked, {
    kind: 'attach-task',
    taskId,
    reason: asked.reason,
    proof: verdict.found,
  })
}

async function lookUp(deps: WorkerDeps, asked: Verification, provider: Provider): Promise<Told> {
  const lookup = await search(deps, asked, provider)
  if (lookup?.kind === 'unavailable') return { again: lookup.reason }
  if (lookup?.kind !== 'found') {
    return { outcome: 'absent', found: lookup?.reason ?? 'This provider offers no search.' }
  }
  const { taskId } = lookup
  const proof = 'The provider has it under the reference of this attempt.'
  const told = await decideFor(deps, asked, {
    kind: 'attach-task',
    taskId,
    reason: asked.reason,
    proof,
  })
  return 'again' in told ? told : { ...told, taskId }
}

async function search(
  deps: WorkerDeps,
  { key, asked_at: at, ...asked }: Verification,
  provider: Provider,
) {
  const found = await findAttemptForReview(deps.db, key.id)
  if (!found || !provider.lookUp) return undefined
  const generation = await generationOf(deps, { key })
  if (asked.act !== 'look-up' && !provider.capabilities(generation.model).lookup) return undefined
  return provider.lookUp(
    submitRequestOf(deps, { key, generation }, provider),
    found.submission?.firstSentAt ?? at,
    AbortSignal.timeout(LOOK_TIMEOUT_MS),
  )
}

async function recordDelivery(
  deps: WorkerDeps,
  asked: Verification,
  inspect: Decoder['inspect'],
): Promise<Told> {
  const { sha256, key, reason } = asked
  invariant(sha256 !== undefined, 'who brings an image has brought its bytes')
  const bytes = await deps.images.get(answerKeyOf(key, sha256)).catch(() => undefined)
  if (!bytes || sha256Of(bytes) !== sha256)
    return { again: 'The image store does not hand it out.' }
  const inspection = await inspect(bytes)
  if (!inspection.ok) return { outcome: 'unusable', found: inspection.reason }
  const { width, height } = inspection.image
  const result: ResultRef = { from: 'store', sha256 }
  const proof = `${width} × ${height} pixels, ${bytes.length} bytes, decoded whole.`
  return decideFor(deps, asked, { kind: 'record-delivery', result, reason, proof })
}

async function generationOf(deps: WorkerDeps, { key }: Pick<Verification, 'key'>) {
  const found = await findAttemptForReview(deps.db, key.id)
  invariant(found, 'attempts are kept')
  const { model, prompt, settings } = found.attempt
  return { model, prompt, settings }
}

/** Decides on what is known now, as whoever asked. */
async function decideFor(deps: WorkerDeps, asked: Verification, act: OperatorAct): Promise<Told> {
  const { key, actor } = asked
  // The settlement is read before the state: whatever changes it in between changes the version.
  const row = (await findAttemptForReview(deps.db, key.id))?.attempt
  const known = row && (await findAttempt(deps.db, key))
  if (!row || !known) return { again: 'It is not there.' }
  const proof = 'proof' in act ? (act.proof ?? '') : ''
  if (act.kind === 'attach-task' && row.taskId === act.taskId) {
    // A worker died between recording it and saying so.
    return { outcome: 'applied', found: proof }
  }
  const decision = decideOperatorAct({ state: known.state, settlement: row.settlement }, act)
  if (!decision.ok) return { outcome: 'changed', found: decision.refusal.message }
  return apply(deps, { key, version: known.version, actor }, decision.value, proof)
}

async function apply(
  deps: WorkerDeps,
  target: { readonly key: Verification['key']; readonly version: number; readonly actor: string },
  decision: Extract<Decision, { kind: 'record' }>,
  proof: string,
): Promise<Told> {
  switch (await applyDecision(deps.db, { ...target, epoch: undefined }, decision)) {
    case 'applied':
      return { outcome: 'applied', found: proof }
    case 'task_taken':
      return { outcome: 'task_taken', found: 'This task belongs to another attempt.' }
    case 'closed':
      return { outcome: 'changed', found: 'Its outcome was final by then.' }
    case 'stale':
    case 'fenced':
      return { again: 'It changed while it was looked at.' }
  }
}
