import { findAttemptForReview } from '@/lib/db/attempt-reader'
import { applyDecision, wakeAttempt } from '@/lib/db/attempt-store'
import { findAttempt } from '@/lib/db/known-attempt'
import { askToVerifyTask } from '@/lib/db/verification-store'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AttemptId } from '@/lib/domain/ids'
import {
  decideOperatorAct,
  REASON_LENGTH_MAX,
  REASON_LENGTH_MIN,
  type OperatorAct,
} from '@/lib/domain/operator-act'
import { ok, refuse, type Result } from '@/lib/domain/result'
import type { AttemptReviewView } from '@/lib/web/views'
import type { Deps } from './deps'
import { readAttemptForReview } from './review-attempts'

/**
 * `look-again` changes nothing that is known: the worker looks now instead of later. Nor does
 * `attach-task` at once: a worker makes sure of the task first.
 */
export type Reconciliation =
  | Exclude<OperatorAct, { readonly kind: 'record-delivery' }>
  | { readonly kind: 'look-again'; readonly reason: string }

export type ReconcileRefusal = {
  readonly code: 'not-found' | 'invalid-reason' | 'not-possible' | 'changed-meanwhile'
  readonly message: string
}

const CHANGED_MEANWHILE: ReconcileRefusal = {
  code: 'changed-meanwhile',
  message: 'It changed meanwhile. Look at it again first.',
}

const TASK_TAKEN: ReconcileRefusal = {
  code: 'not-possible',
  message: 'This task belongs to another attempt.',
}

/**
 * What an operator does about an attempt whose outcome is open. Nothing here ever sends anything to
 * a provider a second time. Of two operators who act on the same knowledge the first one decides,
 * and the second is told.
 */
export async function reconcileAttempt(
  deps: Deps,
  id: string,
  reconciliation: Reconciliation,
  actor: string,
): Promise<Result<AttemptReviewView, ReconcileRefusal>> {
  const reason = reconciliation.reason.trim()
  if (reason.length < REASON_LENGTH_MIN || reason.length > REASON_LENGTH_MAX) {
    const message = `Give a reason of ${REASON_LENGTH_MIN} to ${REASON_LENGTH_MAX} characters.`
    return refuse({ code: 'invalid-reason', message })
  }
  const attemptId = AttemptId.safeParse(id).data
  const found = attemptId && (await findAttemptForReview(deps.db, attemptId))
  if (!found) return refuse({ code: 'not-found', message: 'There is no attempt with this id.' })
  const key = { id: found.attempt.id, accountId: found.attempt.accountId }
  if (reconciliation.kind === 'look-again') await wakeAttempt(deps.db, key)
  else {
    const refusal = await perform(deps, key, { ...reconciliation, reason }, actor)
    if (refusal) return refuse(refusal)
  }
  deps.log.info({ attemptId, action: reconciliation.kind, actor, reason }, 'attempt reconciled')
  const review = await readAttemptForReview(deps, key.id)
  return review ? ok(review) : refuse({ code: 'not-found', message: 'It is not there any more.' })
}

async function perform(
  deps: Deps,
  key: AttemptKey,
  act: OperatorAct,
  actor: string,
): Promise<ReconcileRefusal | undefined> {
  // The settlement is read before the state: whatever changes it in between changes the version.
  const row = (await findAttemptForReview(deps.db, key.id))?.attempt
  const known = await findAttempt(deps.db, key)
  if (!row || known?.version !== row.version) return CHANGED_MEANWHILE
  const decision = decideOperatorAct({ state: known.state, settlement: row.settlement }, act)
  if (!decision.ok) return decision.refusal
  const target = { key, version: known.version, epoch: undefined, actor }
  if (act.kind === 'attach-task') return askAbout(deps, target, act)
  switch (await applyDecision(deps.db, target, decision.value)) {
    case 'applied':
      return undefined
    case 'task_taken':
      return TASK_TAKEN
    case 'fenced':
    case 'stale':
    case 'closed':
      return CHANGED_MEANWHILE
  }
}

async function askAbout(
  deps: Deps,
  target: Parameters<typeof askToVerifyTask>[2],
  said: Parameters<typeof askToVerifyTask>[3],
): Promise<ReconcileRefusal | undefined> {
  switch (await askToVerifyTask(deps.db, deps.newId(), target, said)) {
    case 'asked':
      return undefined
    case 'task_taken':
      return TASK_TAKEN
    case 'being_verified': {
      const message = 'A worker is making sure of something about it already. Wait for that.'
      return { code: 'not-possible', message }
    }
    case 'stale':
    case 'closed':
      return CHANGED_MEANWHILE
  }
}
