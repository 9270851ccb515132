import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OutgoingCallback } from '@/simulator/callback'
import type { Clock } from '@/simulator/clock'
import type { FaultPlan } from '@/simulator/drills'
import type { Faults } from '@/simulator/faults'
import type { Reply, Route, RouteRequest } from '@/simulator/http'
import type { ImageFiles } from '@/simulator/image-files'
import type { TaskRunner } from '@/simulator/task-runner'
import type { PictureRequest, Task, TaskStore } from '@/simulator/task-store'
import { usualTotalMs } from '@/simulator/timeline'

/** A wire protocol over the one task store: translates requests into tasks and tasks into answers. */
export type Protocol = {
  readonly name: string
  readonly routes: readonly Route[]
  /** What is posted when a task has ended. Undefined: nothing, or there is nothing to sign with. */
  readonly callbackOf?: (task: Task, nowMs: number) => OutgoingCallback | undefined
}

export type ProtocolDeps = {
  readonly store: TaskStore
  readonly images: ImageFiles
  readonly runner: TaskRunner
  readonly faults: Faults
  readonly clock: Clock
  readonly latencyMs: number
  readonly baseUrl: () => string
  /** Signs callbacks of every protocol that has a secret; those with key pairs derive them from it. */
  readonly webhookSecret: string | undefined
  /** Where protocols call back that have one address for all of a client's tasks. */
  readonly projectWebhookUrl: string | undefined
  /** Aborts when the simulator closes: whoever waits gives up, since the store is closed next. */
  readonly stopping: AbortSignal
}

const ENDED_POLL_MS = 10
// Printable text only, so that a reference can be looked up as it was sent.
const REFERENCE = /^[^\p{Cc}\p{Cs}]{1,200}$/u

/** One POST that arrived: recorded before it is judged, whatever becomes of it. */
export type Received = {
  readonly plan: FaultPlan
  /** Nothing is made of it. */
  readonly refuse: (outcome: string) => void
  /** The task is made, and its clock runs. From here on the caller's connection does not matter. */
  readonly accept: (task: {
    readonly id: string
    readonly picture: PictureRequest
    readonly callbackUrl?: string | undefined
  }) => Task
  /** The answer as the drill wants it: late, or never. One that takes time is not begun for nobody. */
  readonly answer: (reply: Reply | (() => Promise<Reply>)) => Promise<Reply>
}

/** What a client calls its request, where its protocol has no field for that. */
export const referenceIn = ({ headers }: RouteRequest): string | undefined =>
  [headers['x-client-request-id']].flat()[0]

/**
 * Records a submission and draws its fate. `reference` is what the protocol lets a client call its
 * work, or the header `X-Client-Request-Id` where it has no such field.
 */
export function receive(
  deps: ProtocolDeps,
  protocol: string,
  request: RouteRequest,
  said: { readonly reference: string | undefined; readonly prompt: string | undefined },
): Received {
  const reference = said.reference ?? referenceIn(request)
  const known = reference !== undefined && REFERENCE.test(reference) ? reference : undefined
  const sequence = deps.store.recordSubmission({
    protocol,
    reference: known,
    prompt: said.prompt,
    bodySha256: createHash('sha256').update(request.body).digest('hex'),
  })
  const plan = deps.faults.planFor({ reference: known ?? '', prompt: said.prompt ?? '' })
  return {
    plan,
    refuse: (outcome) => deps.store.recordRefusal(sequence, outcome),
    accept: ({ id, picture, callbackUrl }) => {
      const task = deps.store.accept(sequence, {
        id,
        protocol,
        reference: known ?? '',
        request: picture,
        plan,
        callback_url: callbackUrl ?? null,
        total_ms: plan.totalMs ?? usualTotalMs(id, deps.latencyMs),
      })
      deps.runner.start(task)
      return task
    },
    answer: async (reply) => {
      if (plan.answerDelayMs !== undefined) {
        await sleep(plan.answerDelayMs, undefined, { signal: deps.stopping })
      }
      if (plan.loseAnswer === true) return { kind: 'cut' }
      return typeof reply === 'function' ? reply() : reply
    },
  }
}

/** The task once it has ended, for protocols that answer with the picture itself. */
export async function ended(deps: ProtocolDeps, id: string): Promise<Task> {
  for (;;) {
    const task = deps.store.findTask(id)
    if (!task) throw new Error(`task ${id} is not there`)
    if (task.status !== 'queued' && task.status !== 'rendering') return task
    await sleep(ENDED_POLL_MS, undefined, { signal: deps.stopping })
  }
}

/** The task of this protocol that the id names; another protocol's tasks are nobody's here. */
export function taskOf(deps: ProtocolDeps, protocol: string, id: string): Task | undefined {
  const task = deps.store.findTask(id)
  return task?.protocol === protocol ? task : undefined
}

/** Whether looking at the task is down (drill). */
export function isStatusDown(deps: ProtocolDeps, task: Task): boolean {
  return deps.clock.now() < task.accepted_at + (task.plan.statusOutageMs ?? 0)
}
