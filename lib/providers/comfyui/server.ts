import { look, type Unavailable } from '@/lib/providers/look'
import { HistoryBody, HistoryEntry, QueueBody, type Queue } from './schemas'

// The queue and the history hold the graphs of their jobs.
const BYTES_MAX = 16 * 1024 * 1024

export type Job =
  | { readonly kind: 'pending' }
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly entry: HistoryEntry }
  | { readonly kind: 'nowhere' }
  | Unavailable

export type ComfyServer = ReturnType<typeof createComfyServer>

/** What a ComfyUI server tells of its jobs, and what it can be asked to do about them. */
export function createComfyServer(baseUrl: string, now: () => Date) {
  const at = (path: string, signal: AbortSignal, body?: object) =>
    look({
      url: `${baseUrl}${path}`,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      bytesMax: BYTES_MAX,
      signal,
      now: now(),
    })

  async function queue(signal: AbortSignal): Promise<Queue | Unavailable> {
    const looked = await at('/queue', signal)
    if (looked.kind === 'unavailable') return looked
    const body = QueueBody.safeParse(looked.json)
    return looked.status === 200 && body.success ? body.data : looked.unavailable()
  }

  /** Its end, if it has come to one. An id that is not known is answered with nothing at all. */
  async function history(id: string, signal: AbortSignal): Promise<Job> {
    const looked = await at(`/history/${encodeURIComponent(id)}`, signal)
    if (looked.kind === 'unavailable') return looked
    const body = HistoryBody.safeParse(looked.json)
    if (looked.status !== 200 || !body.success) return looked.unavailable()
    if (!Object.hasOwn(body.data, id)) return { kind: 'nowhere' }
    const entry = HistoryEntry.safeParse(body.data[id])
    return entry.success
      ? { kind: 'ended', entry: entry.data }
      : looked.unavailable('The history could not be read.')
  }

  return {
    /**
     * Where the job is. It goes from the queue to the history in one step, so one that is in neither
     * is looked for in the history once more: it may have ended between the two looks.
     */
    async find(id: string, signal: AbortSignal): Promise<Job> {
      const ended = await history(id, signal)
      if (ended.kind !== 'nowhere') return ended
      const queued = await queue(signal)
      if ('kind' in queued) return queued
      if (queued.queue_running.includes(id)) return { kind: 'running' }
      return queued.queue_pending.includes(id) ? { kind: 'pending' } : history(id, signal)
    },

    /** Takes it out of the queue, where it waits. Nothing happens to one that runs. */
    unqueue: (id: string, signal: AbortSignal) => at('/queue', signal, { delete: [id] }),

    /** Stops it if it is the one that runs. Servers before October 2025 stop whatever runs. */
    interrupt: (id: string, signal: AbortSignal) => at('/interrupt', signal, { prompt_id: id }),
  }
}
