import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import { CALLBACK_PAUSES_MS, forged, sendCallback, type OutgoingCallback } from './callback'
import type { Clock } from './clock'
import type { ImageFiles } from './image-files'
import { createSlots } from './slots'
import type { PictureRequest, Task, TaskEnd, TaskStore } from './task-store'
import { FAILS_AT_PROGRESS, renderingProgress, timelineOf } from './timeline'

export type Draw = (request: PictureRequest) => Promise<Uint8Array>

export type TaskRunnerDeps = {
  readonly store: TaskStore
  readonly images: ImageFiles
  readonly clock: Clock
  readonly draw: Draw
  readonly log: Logger
  /** What the task's protocol tells its caller now. Undefined: nothing. */
  readonly callbackOf: (task: Task, nowMs: number) => OutgoingCallback | undefined
  readonly drawAtOnce: number
}

export type TaskRunner = ReturnType<typeof createTaskRunner>

const NOT_AN_IMAGE = Buffer.from('These bytes are not an image. The drill "corrupt" sent them.\n')

/** How far a task is, from its own times alone: nothing has to be written for progress to move. */
export function progressOf(task: Task, now: number): number {
  switch (task.status) {
    case 'queued':
    case 'cancelled':
      return 0
    case 'succeeded':
      return 1
    case 'failed':
      return FAILS_AT_PROGRESS
    case 'rendering': {
      const { renderMs } = timelineOf(task.total_ms)
      return renderingProgress(now - (task.started_at ?? now), renderMs)
    }
  }
}

/** Carries each task from the queue to its end and its callback, on the clock it is given. */
export function createTaskRunner(deps: TaskRunnerDeps) {
  const { store, clock, log } = deps
  const inSlot = createSlots(deps.drawAtOnce)
  const stopping = new AbortController()
  // One listener a task that waits, and there may be any number.
  setMaxListeners(0, stopping.signal)
  const running = new Set<Promise<void>>()

  async function render(task: Task): Promise<void> {
    const { queueMs, renderMs } = timelineOf(task.total_ms)
    await clock.waitUntil(task.accepted_at + queueMs, stopping.signal)

    // A slot is held while drawing and not for the believable rest, so that one slow task holds up nobody.
    const drawn = await inSlot(async () => {
      if (stopping.signal.aborted) return undefined
      // Found rendering after a restart: it is drawn again, and its clock goes on.
      if (task.status === 'queued' && !store.startRendering(task.id)) return undefined
      return { end: await endOf(task) }
    })
    if (drawn === undefined) return

    const failed = drawn.end.status === 'failed'
    const started = store.findTask(task.id)?.started_at ?? clock.now()
    const endsAt = started + renderMs * (failed ? FAILS_AT_PROGRESS : 1)
    await clock.waitUntil(endsAt, stopping.signal)
    const wantsCallback = task.plan.skipCallback !== true && deps.callbackOf(task, clock.now())
    if (store.finish(task.id, drawn.end, wantsCallback ? 'due' : 'none')) {
      log.info({ taskId: task.id, status: drawn.end.status }, 'task finished')
    }
  }

  async function endOf(task: Task): Promise<TaskEnd> {
    if (task.plan.failure) return { status: 'failed', ...task.plan.failure }
    try {
      const bytes = task.plan.corruptResult === true ? NOT_AN_IMAGE : await deps.draw(task.request)
      await deps.images.write(task.id, bytes)
      return { status: 'succeeded', resultBytes: bytes.byteLength }
    } catch (error) {
      if (stopping.signal.aborted) throw error
      // A picture that cannot be drawn would be tried for ever; this task has failed.
      log.error({ taskId: task.id, err: error }, 'drawing failed')
      return { status: 'failed', code: 'render_failed', message: 'The picture was not drawn.' }
    }
  }

  async function run(task: Task): Promise<void> {
    try {
      if (task.status === 'queued' || task.status === 'rendering') await render(task)
      await callBack(deps, task.id, stopping.signal)
    } catch (error) {
      // An ended wait is how stopping looks from in here; the task stays open and is resumed.
      if (!stopping.signal.aborted) log.error({ taskId: task.id, err: error }, 'task broken off')
    }
  }

  function start(task: Task): void {
    const work = run(task).finally(() => running.delete(work))
    running.add(work)
  }

  return {
    start,

    /** Takes up whatever an earlier process left open. */
    resume(): number {
      const open = store.listOpenTasks()
      open.forEach(start)
      return open.length
    },

    /** Ends every wait and lets what is being written be written. */
    async stop(): Promise<void> {
      stopping.abort(new Error('the simulator is stopping'))
      await Promise.allSettled([...running])
    },
  }
}

/** Three tries in all, counted in the store so that a restart does not begin again. */
async function callBack(deps: TaskRunnerDeps, taskId: string, stopping: AbortSignal) {
  const { store, clock } = deps
  for (const pauseMs of [0, ...CALLBACK_PAUSES_MS]) {
    const task = store.findTask(taskId)
    if (task?.callback_state !== 'due') return
    await clock.waitUntil(clock.now() + pauseMs, stopping)
    const callback = deps.callbackOf(task, clock.now())
    if (!callback) return
    if (task.plan.forgeCallback === true) await sendCallback(forged(callback), stopping)
    const delivered = await sendCallback(callback, stopping)
    for (let time = 1; time < (task.plan.callbackTimes ?? 1); time += 1) {
      await sendCallback(callback, stopping)
    }
    if (stopping.aborted) return
    const isLastTry = task.callback_tries >= CALLBACK_PAUSES_MS.length
    store.recordCallbackTry(task.id, delivered ? 'delivered' : isLastTry ? 'abandoned' : 'due')
  }
}
