import type { AttemptStateName } from './attempt'

// What was sent, and where a look can find something out. Before that a look would be a submission.
const LOOKED_AT: ReadonlySet<AttemptStateName> = new Set([
  'pending',
  'status_unknown',
  'delivering',
  'storage_failed',
])

// A provider is not asked more often than this because a person is impatient.
const PAUSE_MS_MIN = 10_000
// Sooner than this by itself, there is nothing to bring forward.
const AHEAD_MS_MIN = 5_000

export type Look = {
  readonly state: AttemptStateName
  readonly lookedAt: Date | null
  /** Undefined once its outcome is final. */
  readonly dueAt: Date | undefined
}

/** Whether its owner may have it looked at now instead of when it is due. */
export function mayLookAgain({ state, lookedAt, dueAt }: Look, now: Date): boolean {
  if (!LOOKED_AT.has(state) || !dueAt) return false
  if (dueAt.getTime() - now.getTime() < AHEAD_MS_MIN) return false
  return lookedAt === null || now.getTime() - lookedAt.getTime() >= PAUSE_MS_MIN
}
