import type { GenerationRequest } from '@/lib/domain/generation'
import type { RequestId } from '@/lib/domain/ids'
import { requestOf, type Outbox, type OutboxItem } from './outbox'
import {
  parseStartAnswer,
  type StartAnswer,
  type Started,
  type StartRefusalView,
} from './start-answer'

// Short enough to be unnoticed after a hiccup, slow enough for a server in trouble. The last stays.
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const
const PAUSE_LAST_MS = 15_000

// Long enough to swallow a third click, short enough not to be waited for.
const QUEUED_MS = 1_000

// Another tab that has just stored a request is about to send it. The same id sent twice does no
// harm, so this only spares a request.
const OTHER_TAB_GRACE_MS = 5_000

/** The pause after so many sends without an answer. */
export const pauseMs = (lostSends: number): number => PAUSES_MS[lostSends - 1] ?? PAUSE_LAST_MS

export type SendPhase =
  | { readonly kind: 'sending' }
  /** Acknowledged a moment ago. Said for a second, in which a third click does nothing. */
  | { readonly kind: 'queued' }
  /** No answer, or none that says anything: it may have arrived. It is sent again, unchanged. */
  | { readonly kind: 'lost'; readonly retryAtMs: number }
  /** This page is older than the server and cannot send any more. Reloading sends it. */
  | { readonly kind: 'outdated' }
  | { readonly kind: 'signed-out' }

export type SendPhases = ReadonlyMap<RequestId, SendPhase>

export type Sender = {
  /** A send is under way or has just been acknowledged. Synchronous: a second press sees it at once. */
  isBusy(): boolean
  send(requestId: RequestId): Promise<void>
  /** Sends everything that is not acknowledged: on load, on focus, when the network is back. */
  sendAll(): Promise<void>
  /** Another tab put something in: send it too, unless that tab does so first. */
  notice(): void
  /** The server lists these: whatever became of their answers, they arrived. */
  acknowledge(requestIds: readonly RequestId[]): void
  phases(): SendPhases
  subscribe(listener: () => void): () => void
  stop(): void
}

type SenderOptions = {
  readonly outbox: Outbox
  readonly post: (request: GenerationRequest) => Promise<unknown>
  readonly isOutdated: (error: unknown) => boolean
  readonly onStarted: (started: Started) => void
  /** Only a definite no: the request is forgotten, the draft stays. */
  readonly onRefused: (refusal: StartRefusalView, item: OutboxItem) => void
  readonly onSignedOut: () => void
  readonly nowMs: () => number
  readonly later: (run: () => void, delayMs: number) => () => void
}

export function isBusy(phases: SendPhases): boolean {
  return [...phases.values()].some(({ kind }) => kind === 'sending' || kind === 'queued')
}

function createPhases() {
  const listeners = new Set<() => void>()
  let phases: SendPhases = new Map()
  return {
    all: () => phases,
    get: (requestId: RequestId) => phases.get(requestId)?.kind,
    set: (requestId: RequestId, phase: SendPhase | undefined) => {
      const next = new Map(phases)
      if (phase) next.set(requestId, phase)
      else next.delete(requestId)
      phases = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function createTimers(later: SenderOptions['later']) {
  const cancels = new Map<RequestId, () => void>()
  const cancel = (requestId: RequestId) => {
    cancels.get(requestId)?.()
    cancels.delete(requestId)
  }
  return {
    has: (requestId: RequestId) => cancels.has(requestId),
    cancel,
    set: (requestId: RequestId, delayMs: number, run: () => void) => {
      cancel(requestId)
      cancels.set(requestId, later(run, delayMs))
    },
    cancelAll: () => {
      for (const requestId of [...cancels.keys()]) cancel(requestId)
    },
  }
}

const findItem = (outbox: Outbox, requestId: RequestId) =>
  outbox.list().find((item) => item.requestId === requestId)

/**
 * Sends what the outbox holds until the server has acknowledged or refused it. An id is never
 * replaced: every send of an item is the same request.
 */
export function createSender(options: SenderOptions): Sender {
  const { outbox } = options
  const phases = createPhases()
  const timers = createTimers(options.later)
  const lostSends = new Map<RequestId, number>()

  const clear = (requestId: RequestId) => phases.set(requestId, undefined)
  const forget = (requestId: RequestId) => {
    timers.cancel(requestId)
    lostSends.delete(requestId)
    outbox.remove(requestId)
    clear(requestId)
  }
  const accept = (requestId: RequestId) => {
    const wasSending = phases.get(requestId) === 'sending'
    forget(requestId)
    if (!wasSending) return
    phases.set(requestId, { kind: 'queued' })
    timers.set(requestId, QUEUED_MS, () => clear(requestId))
  }
  const loseAnswer = (requestId: RequestId) => {
    const lost = (lostSends.get(requestId) ?? 0) + 1
    lostSends.set(requestId, lost)
    phases.set(requestId, { kind: 'lost', retryAtMs: options.nowMs() + pauseMs(lost) })
    timers.set(requestId, pauseMs(lost), () => void send(requestId))
  }
  const receive = (item: OutboxItem, answer: StartAnswer) => {
    if (answer.ok) {
      accept(item.requestId)
      options.onStarted(answer.value)
    } else if (answer.refusal.code === 'signed-out') {
      phases.set(item.requestId, { kind: 'signed-out' })
      options.onSignedOut()
    } else {
      forget(item.requestId)
      options.onRefused(answer.refusal, item)
    }
  }

  async function send(requestId: RequestId): Promise<void> {
    const item = findItem(outbox, requestId)
    if (!item || phases.get(requestId) === 'sending') return
    timers.cancel(requestId)
    phases.set(requestId, { kind: 'sending' })
    try {
      receive(item, parseStartAnswer(await options.post(requestOf(item))))
    } catch (error) {
      // A dead network, a 5xx, a page in the way: no answer, and so no refusal.
      if (options.isOutdated(error)) phases.set(requestId, { kind: 'outdated' })
      else if (findItem(outbox, requestId)) loseAnswer(requestId)
      // It was acknowledged meanwhile, by the polled list or by another tab.
      else clear(requestId)
    }
  }

  return {
    isBusy: () => isBusy(phases.all()),
    send,
    sendAll: async () => {
      for (const { requestId } of outbox.list()) await send(requestId)
    },
    notice: () => {
      for (const { requestId } of outbox.list()) {
        if (phases.get(requestId) || timers.has(requestId)) continue
        timers.set(requestId, OTHER_TAB_GRACE_MS, () => void send(requestId))
      }
    },
    acknowledge: (listed) => {
      for (const { requestId } of outbox.list()) if (listed.includes(requestId)) accept(requestId)
    },
    phases: phases.all,
    subscribe: phases.subscribe,
    stop: timers.cancelAll,
  }
}
