import {
  applyDecision,
  deferAttempt,
  toldCancel,
  type ClaimedAttempt,
} from '@/lib/db/attempt-store'
import { decideCompensation } from '@/lib/domain/compensation'
import type { TaskId } from '@/lib/domain/ids'
import { assertNever, invariant } from '@/lib/domain/invariant'
import { nextAction, type NextAction } from '@/lib/domain/next-action'
import type { Provider } from '@/lib/domain/provider'
import { deliverResult } from './deliver-result'
import type { WorkerDeps } from './deps'
import { learn } from './learn'
import { recoverSubmission } from './recover-submission'
import { submitAttempt } from './submit-attempt'

const OBSERVE_TIMEOUT_MS = 10_000
// A provider that is not configured here may be on another worker.
const NO_PROVIDER_PAUSE_MS = 30_000

/** Does the one thing that the state asks for, under the lease, and ends the lease. */
export async function takeNextAction(deps: WorkerDeps, claimed: ClaimedAttempt): Promise<void> {
  if (await compensate(deps, claimed)) return
  const action = nextAction(claimed.state)
  if (action === 'none') return
  if (action === 'mark_unknown') {
    await learn(deps, claimed, { kind: 'submission-lost' })
    return
  }
  const provider = deps.providers.get(claimed.provider)
  if (provider) {
    await act(deps, claimed, provider, action)
    return
  }
  deps.log.warn({ attemptId: claimed.key.id, provider: claimed.provider }, 'provider missing')
  await deferAttempt(deps.db, claimed, {
    dueInMs: NO_PROVIDER_PAUSE_MS,
    looked: false,
    progress: undefined,
  })
}

/** Applies the written policy, if it asks for it now. The outcome stays open. */
async function compensate(deps: WorkerDeps, claimed: ClaimedAttempt): Promise<boolean> {
  const decision = decideCompensation(claimed, deps.compensationPolicy)
  if (!decision) return false
  const { key, version, epoch } = claimed
  const actor = `policy:${decision.policyVersion ?? 0}`
  const outcome = await applyDecision(deps.db, { key, version, epoch, actor }, decision)
  deps.log.info({ attemptId: key.id, accountId: key.accountId, outcome }, 'attempt compensated')
  return true
}

async function act(
  deps: WorkerDeps,
  claimed: ClaimedAttempt,
  provider: Provider,
  action: Exclude<NextAction, 'none' | 'mark_unknown'>,
): Promise<void> {
  switch (action) {
    case 'submit':
      await submitAttempt(deps, claimed, provider)
      return
    case 'await_evidence':
      await recoverSubmission(deps, claimed, provider)
      return
    case 'observe':
      await observe(deps, claimed, provider)
      return
    case 'deliver': {
      const { state } = claimed
      invariant(
        state.state === 'delivering' || state.state === 'storage_failed',
        'only a made image is delivered',
      )
      const outcome = await deliverResult(deps, { ...claimed, state }, provider)
      await learn(deps, claimed, { kind: 'delivery', outcome })
      return
    }
    default:
      assertNever(action)
  }
}

async function observe(
  deps: WorkerDeps,
  claimed: ClaimedAttempt,
  provider: Provider,
): Promise<void> {
  const taskId = taskOf(claimed)
  const { model } = claimed.generation
  if (claimed.cancel === 'wanted' && provider.cancel) {
    const signal = AbortSignal.timeout(OBSERVE_TIMEOUT_MS)
    const outcome = await provider.cancel(taskId, model, signal)
    // Whoever cannot be told now is told at the next look.
    if (outcome.kind !== 'unavailable') {
      await toldCancel(deps.db, claimed)
      await learn(deps, claimed, { kind: 'cancelling', outcome })
      return
    }
  }
  const signal = AbortSignal.timeout(OBSERVE_TIMEOUT_MS)
  const observation = await provider.observe(taskId, model, signal)
  const cost = 'cost' in observation ? observation.cost : undefined
  await learn(
    deps,
    claimed,
    { kind: 'observation', observation },
    cost && { outcome: undefined, usage: { cost } },
  )
}

function taskOf({ state }: ClaimedAttempt): TaskId {
  invariant(
    (state.state === 'pending' || state.state === 'status_unknown') && state.taskId !== undefined,
    'only an attempt with a task is observed',
  )
  return state.taskId
}
