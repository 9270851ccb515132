import { deferAttempt, type ClaimedAttempt } from '@/lib/db/attempt-store'
import { invariant } from '@/lib/domain/invariant'
import { AWAIT_EVIDENCE_MS } from '@/lib/domain/pace'
import type { Provider } from '@/lib/domain/provider'
import { recoverySteps } from '@/lib/domain/recovery'
import type { WorkerDeps } from './deps'
import { learn } from './learn'
import { repeatSubmission, submitRequestOf } from './submit-attempt'

const LOOK_UP_TIMEOUT_MS = 15_000

/**
 * Looks for the task of a submission whose answer was lost, by what its provider documents. Where it
 * offers nothing, the attempt waits for a callback or an operator; it is never sent again by guess.
 */
export async function recoverSubmission(
  deps: WorkerDeps,
  claimed: ClaimedAttempt,
  provider: Provider,
): Promise<void> {
  const steps = recoverySteps(provider.capabilities(claimed.generation.model), claimed.sendingAgeMs)
  if (steps.includes('look-up')) {
    invariant(provider.lookUp !== undefined, 'a provider that declares a lookup can look up')
    const lookup = await provider.lookUp(
      submitRequestOf(deps, claimed, provider),
      new Date(Date.now() - claimed.sendingAgeMs),
      AbortSignal.timeout(LOOK_UP_TIMEOUT_MS),
    )
    if (lookup.kind === 'found' || !steps.includes('repeat')) {
      await learn(deps, claimed, { kind: 'lookup', lookup })
      return
    }
  }
  if (steps.includes('repeat')) {
    await repeatSubmission(deps, claimed, provider)
    return
  }
  await deferAttempt(deps.db, claimed, {
    dueInMs: evidencePauseMs(deps, claimed),
    looked: false,
    progress: undefined,
  })
}

/** Nothing to look at: the next thing that can happen by itself is the policy's hour. */
function evidencePauseMs(deps: WorkerDeps, { settlement, stateAgeMs }: ClaimedAttempt): number {
  const afterMs = settlement === null ? deps.compensationPolicy?.afterMs : undefined
  return Math.min(AWAIT_EVIDENCE_MS, Math.max(0, (afterMs ?? Infinity) - stateAgeMs))
}
