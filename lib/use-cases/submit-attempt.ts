import {
  beginRepeat,
  beginSubmission,
  deferAttempt,
  type ClaimedAttempt,
} from '@/lib/db/attempt-store'
import { blockProvider } from '@/lib/db/provider-store'
import type { KnownOutcome } from '@/lib/domain/decision'
import type { SubmitOutcome, SubmitReport } from '@/lib/domain/observation'
import { AWAIT_EVIDENCE_MS } from '@/lib/domain/pace'
import type { Provider, ReferenceImage, SubmitRequest } from '@/lib/domain/provider'
import { callbackSecretOf, callbackTokenOf } from './callback-token'
import { secureImage } from './deliver-result'
import type { WorkerDeps } from './deps'
import { learn } from './learn'
import { loadReferenceImages } from './reference-images'
import { answerNews, keepEvidence } from './replay-evidence'

// Long enough that a wrong key does not fail attempt after attempt, short enough that a mended one
// is noticed without anybody's help.
const BLOCK_MS = 5 * 60_000

/** Commits the intent, POSTs once, records what was learned. A crash between any two is unknown. */
export async function submitAttempt(
  deps: WorkerDeps,
  claimed: ClaimedAttempt,
  provider: Provider,
): Promise<void> {
  const references = await loadReferenceImages(
    deps,
    claimed.key.accountId,
    claimed.generation.settings,
  )
  if (!references.ok) {
    const reason = `The reference image ${references.refusal.slice(0, 12)}… is not there any more.`
    await learn(deps, claimed, { kind: 'unsendable', reason })
    return
  }
  const begun = await post(deps, claimed, provider, beginSubmission, references.value)
  if (!begun) return
  const submitting: ClaimedAttempt = {
    ...claimed,
    version: claimed.version + 1,
    sends: claimed.sends + 1,
    state: { state: 'submitting' },
  }
  await settleAnswer(deps, submitting, begun, submitting.sends)
}

/** The same POST once more, for a provider that documents that it makes no second task of it. */
export async function repeatSubmission(
  deps: WorkerDeps,
  claimed: ClaimedAttempt,
  provider: Provider,
): Promise<void> {
  const references = await loadReferenceImages(
    deps,
    claimed.key.accountId,
    claimed.generation.settings,
  )
  // Another POST would be another request: without its images the same one cannot be sent.
  if (!references.ok) {
    await deferAttempt(deps.db, claimed, {
      dueInMs: AWAIT_EVIDENCE_MS,
      looked: false,
      progress: undefined,
    })
    return
  }
  const begun = await post(deps, claimed, provider, beginRepeat, references.value)
  if (!begun) return
  const repeating = { ...claimed, version: claimed.version + 1, lastKind: 'repeat_begun' }
  await settleAnswer(deps, repeating, begun, undefined)
}

type Begin = typeof beginRepeat

async function post(
  deps: WorkerDeps,
  claimed: ClaimedAttempt,
  provider: Provider,
  begin: Begin,
  referenceImages: readonly ReferenceImage[],
): Promise<SubmitReport | 'not-sent' | undefined> {
  const { key, generation } = claimed
  const timeoutMs = provider.submitTimeoutMs(generation.model) ?? deps.submitTimeoutMs
  // The lease must outlive the request, or another worker would act while ours is on the wire.
  const leaseMs = deps.leaseMs + Math.max(0, timeoutMs - deps.submitTimeoutMs)
  const startedMs = deps.monotonicMs()
  const begun = await begin(deps.db, claimed, leaseMs, deps.workerId)
  if (begun !== 'applied') {
    deps.log.warn({ attemptId: key.id, outcome: begun }, 'submission not begun')
    return undefined
  }
  // The clock was started before the lease was asked for, so this errs on the safe side.
  if (deps.monotonicMs() - startedMs > leaseMs - timeoutMs) return 'not-sent'
  const request = { ...submitRequestOf(deps, claimed, provider), referenceImages }
  return provider.submit(request, AbortSignal.timeout(timeoutMs))
}

/** What the provider is told of an attempt: the same each time, for as long as our secret is. */
export function submitRequestOf(
  deps: Pick<WorkerDeps, 'appUrl' | 'callbackSecret'>,
  { key, generation }: Pick<ClaimedAttempt, 'key' | 'generation'>,
  provider: Pick<Provider, 'name'>,
): Omit<SubmitRequest, 'referenceImages'> {
  const token = callbackTokenOf(deps.callbackSecret, key.id)
  return {
    reference: key.id,
    ...generation,
    callbackUrl: `${deps.appUrl}/api/callbacks/${provider.name}/${token}`,
    callbackSecret: callbackSecretOf(deps.callbackSecret, key.id),
  }
}

const LEASE_TOO_SHORT: KnownOutcome = {
  kind: 'rejected-for-now',
  retryAfterMs: undefined,
  evidence: { reason: 'Nothing was sent: too little of the lease was left.' },
}

/** An image in the answer is secured before anything else can fail; then what was learned is recorded. */
async function settleAnswer(
  deps: WorkerDeps,
  claimed: ClaimedAttempt,
  report: SubmitReport | 'not-sent',
  send: number | undefined,
): Promise<void> {
  const { key } = claimed
  if (report === 'not-sent') {
    const nothing = { number: send, outcome: LEASE_TOO_SHORT.kind, usage: { cost: undefined } }
    await learn(deps, claimed, answerNews(LEASE_TOO_SHORT, send), nothing)
    return
  }
  const usage = { number: send, outcome: report.outcome.kind, usage: report.usage }
  const { provider } = claimed
  const { providerRequestId } = report.usage
  deps.log.info(
    {
      attemptId: key.id,
      accountId: key.accountId,
      provider,
      providerRequestId,
      outcome: usage.outcome,
    },
    'submission answered',
  )
  const outcome = await secured(deps, claimed, report.outcome)
  if (outcome.kind === 'made') {
    // Neither the store nor the database takes it. The lease runs out, and the disk remembers.
    deps.log.error({ attemptId: key.id }, 'image kept on the disk of this worker')
    await keepEvidence(deps, key, { send, outcome, usage: report.usage })
    return
  }
  try {
    await learn(deps, claimed, answerNews(outcome, send), usage)
  } catch (error) {
    // The answer is worth an image and the database cannot be told now: it waits on the disk.
    deps.log.error({ err: error, attemptId: key.id }, 'answer not recorded')
    await keepEvidence(deps, key, { send, outcome, usage: report.usage })
    return
  }
  if (outcome.kind === 'rejected' && outcome.oursToMend === true) {
    const { errorCode, httpStatus } = outcome.evidence
    // Not its words: some repeat the key, some the prompt.
    deps.log.error({ provider, errorCode, httpStatus }, 'provider refuses our key or account')
    const code = errorCode ?? `status ${httpStatus ?? '?'}`
    await blockProvider(deps.db, provider, `${outcome.evidence.reason} (${code})`, BLOCK_MS)
  }
}

async function secured(
  deps: WorkerDeps,
  { key }: ClaimedAttempt,
  outcome: SubmitOutcome,
): Promise<SubmitOutcome> {
  if (outcome.kind !== 'made') return outcome
  const result = await secureImage(deps, key, outcome.image)
  return result ? { kind: 'made-at', result } : outcome
}
