import { message, type Message, type Words } from './message'
import { usualWords } from './model-words'
import { clockWords } from './time-words'
import type { AttemptView } from './views'

type Paced = Pick<AttemptView, 'status' | 'cancel_requested' | 'created_at' | 'updated_at'>
type Model = { readonly name: string; readonly usualSeconds: number }

// A usual time is an average: what is a little over it is nothing to speak of.
const LONG_FACTOR = 2
const LONG_EXTRA_MS = 5_000

export type Pace = {
  /** Waiting and rendering, each on its own clock. */
  readonly clocks: Message
  /** What is usual, and honestly when this is not. Undefined when nothing is known of the usual. */
  readonly note: Message | undefined
}

/** How long each part of the way took so far. Undefined where there is no part to time. */
export function paceWords(
  attempt: Paced,
  model: Model | undefined,
  nowMs: number,
  say: Words,
): Pace | undefined {
  const createdMs = Date.parse(attempt.created_at)
  if (attempt.status === 'queued') {
    return {
      clocks: message('attempt.pace.waiting', { clock: clockWords(createdMs, nowMs) }),
      note: undefined,
    }
  }
  // A noted wish moves the time of the last change, which then is no longer when this part began.
  if (attempt.cancel_requested) return undefined
  const sinceMs = Date.parse(attempt.updated_at)
  const waited = clockWords(createdMs, sinceMs)
  const taken = clockWords(sinceMs, nowMs)
  switch (attempt.status) {
    case 'submitting':
      return {
        clocks: message('attempt.pace.sent', { waited, taken }),
        note: usualNote(model, nowMs - sinceMs, say),
      }
    case 'generating':
      return {
        clocks: message('attempt.pace.rendering', { waited, taken }),
        note: usualNote(model, nowMs - sinceMs, say),
      }
    case 'unresolved':
    case 'delivering':
    case 'delivered':
    case 'failed':
      return undefined
  }
}

function usualNote(model: Model | undefined, takenMs: number, say: Words): Message | undefined {
  if (!model) return undefined
  const usualMs = model.usualSeconds * 1_000
  const values = { model: model.name, time: say(usualWords(model.usualSeconds)) }
  return takenMs > Math.max(usualMs * LONG_FACTOR, usualMs + LONG_EXTRA_MS)
    ? message('attempt.pace.long', values)
    : message('attempt.pace.usual', values)
}
