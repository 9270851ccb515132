import { applyDecision, findAttempt, type WriteOutcome } from '@/lib/db/attempt-store'
import { isFinal, type AttemptKey, type AttemptState } from '@/lib/domain/attempt'
import { decide, type Circumstances, type Decision, type News } from '@/lib/domain/decide'
import type { Deps } from './deps'

// Each round lost means that somebody else's news was recorded; nobody brings this much about one
// attempt at once.
const ROUNDS_MAX = 8

const NO_CIRCUMSTANCES: Circumstances = {
  ageMs: 0,
  stateAgeMs: 0,
  tries: 0,
  sends: 1,
  sendingAgeMs: 0,
  lastKind: '',
  lastEvidence: {},
  random: 0,
  compensateAfterMs: undefined,
}

type Known = {
  readonly version: number
  readonly state: AttemptState
  readonly circumstances: Circumstances
  /** Undefined: evidence without a lease. */
  readonly epoch: string | undefined
}

/**
 * Decides what news means for what is known, and records it. When somebody else was faster, it
 * looks again and decides again, from then on without the lease: late evidence counts, late acts
 * do not. Answers the decision that holds in the end.
 */
export async function recordNews(
  deps: Pick<Deps, 'db' | 'log'>,
  key: AttemptKey,
  news: News,
  actor: string,
  start?: Known,
): Promise<{ readonly decision: Decision; readonly outcome: WriteOutcome }> {
  let known = start ?? (await readKnown(deps, key))
  for (let round = 0; round < ROUNDS_MAX && known; round += 1) {
    const decision = decide(known.state, news, known.circumstances)
    if (decision.kind === 'wait') return { decision, outcome: 'applied' }
    const record = decision.kind === 'anomaly' ? anomalyRecord(known.state, decision) : decision
    if (decision.kind === 'anomaly') {
      deps.log.error({ attemptId: key.id, because: decision.because }, 'anomaly found')
    }
    if (!record) return { decision, outcome: 'closed' }
    const target = { key, version: known.version, epoch: known.epoch, actor }
    const outcome = await applyDecision(deps.db, target, record)
    if (outcome === 'applied') {
      deps.log.info(
        { attemptId: key.id, accountId: key.accountId, to: record.to, because: record.because },
        'attempt moved',
      )
      return { decision, outcome }
    }
    if (outcome === 'task_taken') {
      deps.log.error({ attemptId: key.id, because: 'task_taken' }, 'anomaly found')
      return { decision, outcome }
    }
    known = await readKnown(deps, key)
  }
  return { decision: { kind: 'wait', dueInMs: 0, progress: undefined }, outcome: 'closed' }
}

async function readKnown(deps: Pick<Deps, 'db'>, key: AttemptKey): Promise<Known | undefined> {
  const attempt = await findAttempt(deps.db, key)
  return (
    attempt && {
      version: attempt.version,
      state: attempt.state,
      circumstances: NO_CIRCUMSTANCES,
      epoch: undefined,
    }
  )
}

/** A contradiction is kept in the history while the outcome is open; afterwards the log has it. */
function anomalyRecord(
  state: AttemptState,
  anomaly: Extract<Decision, { kind: 'anomaly' }>,
): Extract<Decision, { kind: 'record' }> | undefined {
  if (isFinal(state.state) || state.state === 'initializing' || state.state === 'submitting') {
    return undefined
  }
  const { because, evidence } = anomaly
  return { kind: 'record', to: state.state, because, evidence, dueInMs: 0 }
}
