import { createHash } from 'node:crypto'

/** When a task leaves the queue and for how long it then renders, counted from its acceptance. */
export type Timeline = { readonly queueMs: number; readonly renderMs: number }

// A quarter in the queue looks believable beside the rendering.
const QUEUE_SHARE = 0.25
// A task that fails does so before its end, as real renderers do.
export const FAILS_AT_PROGRESS = 0.6
// Nothing but a stored picture is finished.
const PROGRESS_MAX_BEFORE_END = 0.99

/** The usual time varies by a fifth either way, by the task's id: the same after a restart. */
export function usualTotalMs(taskId: string, latencyMs: number): number {
  const unit = createHash('sha256').update(taskId).digest().readUInt32BE(0) / 2 ** 32
  return Math.round(latencyMs * (0.8 + 0.4 * unit))
}

export function timelineOf(totalMs: number): Timeline {
  const queueMs = Math.round(totalMs * QUEUE_SHARE)
  return { queueMs, renderMs: totalMs - queueMs }
}

/** Quick at first and slower towards the end, like the sampling steps of a diffusion model. */
export function renderingProgress(elapsedMs: number, renderMs: number): number {
  const part = renderMs <= 0 ? 1 : Math.min(1, Math.max(0, elapsedMs / renderMs))
  const eased = 1 - (1 - part) ** 1.6
  return Math.round(Math.min(PROGRESS_MAX_BEFORE_END, eased) * 1_000) / 1_000
}
