// How soon to look again. Young attempts are watched closely, old ones for ever but rarely.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

type Step = { readonly untilAgeMs: number; readonly pauseMs: number }

const OBSERVE_STEPS: readonly Step[] = [
  { untilAgeMs: 20 * SECOND, pauseMs: 1 * SECOND },
  { untilAgeMs: 2 * MINUTE, pauseMs: 2 * SECOND },
  { untilAgeMs: 10 * MINUTE, pauseMs: 5 * SECOND },
  { untilAgeMs: HOUR, pauseMs: 15 * SECOND },
  { untilAgeMs: 24 * HOUR, pauseMs: 2 * MINUTE },
]
const OBSERVE_PAUSE_MAX_MS = 10 * MINUTE

const POLL_STEPS: readonly Step[] = [
  { untilAgeMs: 20 * SECOND, pauseMs: 1 * SECOND },
  { untilAgeMs: 2 * MINUTE, pauseMs: 2 * SECOND },
  { untilAgeMs: 10 * MINUTE, pauseMs: 5 * SECOND },
]
const POLL_PAUSE_MAX_MS = 15 * SECOND

function pauseAt(steps: readonly Step[], ageMs: number, otherwiseMs: number): number {
  return steps.find(({ untilAgeMs }) => ageMs < untilAgeMs)?.pauseMs ?? otherwiseMs
}

/** When the worker looks at a provider's task again, by the attempt's age. */
export function observeAgainAfterMs(ageMs: number): number {
  return pauseAt(OBSERVE_STEPS, ageMs, OBSERVE_PAUSE_MAX_MS)
}

/** After a failed look: no sooner than the provider asks for, but out of sight for an hour at most. */
export function lookAgainAfterMs(ageMs: number, retryAfterMs: number | undefined): number {
  return Math.max(observeAgainAfterMs(ageMs), Math.min(retryAfterMs ?? 0, HOUR))
}

/** When a browser asks us again, by the time since the attempt last changed. */
export function pollAgainAfterMs(sinceChangeMs: number): number {
  return pauseAt(POLL_STEPS, sinceChangeMs, POLL_PAUSE_MAX_MS)
}

const DELIVER_PAUSE_MIN_MS = SECOND
const DELIVER_PAUSE_MAX_MS = MINUTE

/** When the same result is fetched or stored again after the last `tries` failed. */
export function deliverAgainAfterMs(tries: number): number {
  return Math.min(DELIVER_PAUSE_MAX_MS, DELIVER_PAUSE_MIN_MS * 2 ** Math.min(tries, 16))
}

/** An unresolved submission without a task: there is nothing to look at until evidence comes. */
export const AWAIT_EVIDENCE_MS = HOUR

// A request whose answer was lost may still be on its way when we first look for its task.
export const RECOVER_FIRST_MS = 5 * SECOND
const RECOVER_STEPS: readonly Step[] = [
  { untilAgeMs: MINUTE, pauseMs: 15 * SECOND },
  { untilAgeMs: 10 * MINUTE, pauseMs: MINUTE },
  { untilAgeMs: HOUR, pauseMs: 5 * MINUTE },
]

/** When a lost submission's task is looked for again, by the time that it has been unresolved. */
export function recoverAgainAfterMs(ageMs: number, retryAfterMs: number | undefined): number {
  return Math.max(pauseAt(RECOVER_STEPS, ageMs, HOUR), Math.min(retryAfterMs ?? 0, HOUR))
}

// The bounds of sending again after proof that nothing was created.
export const SENDS_MAX = 3
export const SENDING_MS_MAX = 30 * SECOND
const BACKOFF_BASE_MS = 500
const BACKOFF_MAX_MS = 8 * SECOND

/**
 * Full jitter: a random time in [0, min(8 s, 500 ms x 2^i)], `sends` counting from 1 and `random`
 * in [0, 1). What the provider asks for is a minimum.
 */
export function sendAgainAfterMs(
  sends: number,
  random: number,
  retryAfterMs: number | undefined,
): number {
  const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** (sends - 1))
  return Math.max(Math.round(ceiling * random), retryAfterMs ?? 0)
}
