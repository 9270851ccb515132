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
  readonly clocks: string
  /** What is usual, and honestly when this is not. Undefined when nothing is known of the usual. */
  readonly note: string | undefined
}

/** How long each part of the way took so far. Undefined where there is no part to time. */
export function paceWords(
  attempt: Paced,
  model: Model | undefined,
  nowMs: number,
): Pace | undefined {
  const createdMs = Date.parse(attempt.created_at)
  if (attempt.status === 'queued') {
    return { clocks: `Waiting ${clockWords(createdMs, nowMs)}`, note: undefined }
  }
  // A noted wish moves the time of the last change, which then is no longer when this part began.
  if (attempt.cancel_requested) return undefined
  const sinceMs = Date.parse(attempt.updated_at)
  const waited = clockWords(createdMs, sinceMs)
  const taken = clockWords(sinceMs, nowMs)
  switch (attempt.status) {
    case 'submitting':
      return {
        clocks: `Waited ${waited} · sent ${taken} ago`,
        note: usualNote(model, nowMs - sinceMs),
      }
    case 'generating':
      return {
        clocks: `Waited ${waited} · rendering ${taken}`,
        note: usualNote(model, nowMs - sinceMs),
      }
    case 'unresolved':
    case 'delivering':
    case 'delivered':
    case 'failed':
      return undefined
  }
}

function usualNote(model: Model | undefined, takenMs: number): string | undefined {
  if (!model) return undefined
  const usual = usualWords(model.usualSeconds)
  const usualMs = model.usualSeconds * 1_000
  return takenMs > Math.max(usualMs * LONG_FACTOR, usualMs + LONG_EXTRA_MS)
    ? `Longer than usual: ${model.name} mostly takes ${usual}. It goes on and is never sent twice.`
    : `${model.name} mostly takes ${usual}.`
}
