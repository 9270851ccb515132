import { applyDecision, type UsageNews, type WriteOutcome } from '@/lib/db/attempt-store'
import { findAttempt } from '@/lib/db/known-attempt'
import { insertStrayTask } from '@/lib/db/provider-store'
import { insertAnomaly } from '@/lib/db/recovery-store'
import { findTraceparent } from '@/lib/db/trace-store'
import type { AttemptKey, AttemptState } from '@/lib/domain/attempt'
import { TaskId } from '@/lib/domain/ids'
import { decide } from '@/lib/domain/decide'
import type { Circumstances, Decision, News } from '@/lib/domain/decision'
import type { Attributes } from '@/lib/trace/trace'
import type { Deps } from './deps'

// Each round lost means that somebody else's news was recorded; nobody brings this much about one
// attempt at once.
const ROUNDS_MAX = 8

// A task of this attempt that is not its task.
const STRAYS: ReadonlySet<string> = new Set(['second_task', 'unexpected_task'])

const NO_CIRCUMSTANCES: Circumstances = {
  ageMs: 0,
  stateAgeMs: 0,
  tries: 0,
  sends: 0,
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
  deps: Pick<Deps, 'db' | 'log' | 'newId' | 'trace'>,
  key: AttemptKey,
  news: News,
  actor: string,
  known: KnownBefore = {},
): Promise<Recorded> {
  return deps.trace.join(
    () => findTraceparent(deps.db, key),
    'attempt.learn',
    { attemptId: key.id, accountId: key.accountId },
    async () => {
      const recorded = await record(deps, key, news, actor, known)
      deps.trace.note(recordedWords(recorded))
      return recorded
    },
  )
}

type KnownBefore = { readonly start?: Known; readonly usage?: UsageNews | undefined }
type Recorded = { readonly decision: Decision; readonly outcome: WriteOutcome }

function recordedWords({ decision, outcome }: Recorded): Attributes {
  if (decision.kind !== 'record') return { outcome: decision.kind }
  const { to, settlement, failure } = decision
  return { outcome, state: to, settlement, failureCode: failure?.code }
}

async function record(
  deps: Pick<Deps, 'db' | 'log' | 'newId'>,
  key: AttemptKey,
  news: News,
  actor: string,
  { start, usage }: KnownBefore,
): Promise<Recorded> {
  let known = start ?? (await readKnown(deps, key))
  for (let round = 0; round < ROUNDS_MAX && known; round += 1) {
    const decision = decide(known.state, news, known.circumstances)
    if (decision.kind === 'wait') return { decision, outcome: 'applied' }
    if (decision.kind === 'anomaly') {
      await recordAnomaly(deps, key, decision.because, decision.evidence)
      const stray = STRAYS.has(decision.because)
        ? TaskId.safeParse(decision.evidence['taskId']).data
        : undefined
      if (stray !== undefined) await insertStrayTask(deps.db, { key, taskId: stray })
      return { decision, outcome: 'applied' }
    }
    const target = { key, version: known.version, epoch: known.epoch, actor }
    const outcome = await applyDecision(deps.db, target, decision, usage)
    if (outcome === 'applied') {
      deps.log.info(
        { attemptId: key.id, accountId: key.accountId, to: decision.to, because: decision.because },
        'attempt moved',
      )
      return { decision, outcome }
    }
    if (outcome === 'task_taken') {
      await recordAnomaly(deps, key, 'task_of_another_attempt', { taskId: decision.taskId })
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
      circumstances: { ...NO_CIRCUMSTANCES, sends: attempt.sends },
      epoch: undefined,
    }
  )
}

/** A contradiction changes nothing by itself: it is kept for a person to look at. */
export async function recordAnomaly(
  deps: Pick<Deps, 'db' | 'log' | 'newId'>,
  key: AttemptKey,
  kind: string,
  evidence: Readonly<Record<string, unknown>>,
): Promise<void> {
  deps.log.error({ attemptId: key.id, accountId: key.accountId, kind }, 'anomaly found')
  const detail = typeof evidence['taskId'] === 'string' ? evidence['taskId'] : ''
  await insertAnomaly(deps.db, { id: deps.newId(), key, kind, detail, evidence })
}
