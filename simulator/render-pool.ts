import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { Draw } from './task-runner'
import type { PictureRequest } from './task-store'

const Answer = z.union([
  z.object({ job: z.int(), bytes: z.instanceof(Uint8Array) }),
  z.object({ job: z.int(), failure: z.string() }),
])

type Pending = {
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (error: Error) => void
}
type Thread = { readonly worker: Worker; readonly pending: Map<number, Pending> }

function startThread(): Thread {
  const worker = new Worker(new URL('./render-thread.mjs', import.meta.url), { execArgv: [] })
  const pending = new Map<number, Pending>()
  worker.on('message', (message: unknown) => {
    const answer = Answer.parse(message)
    const waiting = pending.get(answer.job)
    pending.delete(answer.job)
    if ('bytes' in answer) waiting?.resolve(answer.bytes)
    else waiting?.reject(new Error(answer.failure))
  })
  return { worker, pending }
}

/** Draws in threads of its own, started when first needed and kept. */
export function createRenderPool(size: number) {
  const threads = new Set<Thread>()
  let jobs = 0

  function leastBusy(): Thread {
    const [idlest] = [...threads].sort((one, other) => one.pending.size - other.pending.size)
    if (idlest && (idlest.pending.size === 0 || threads.size >= size)) return idlest
    const thread = startThread()
    threads.add(thread)
    const lose = (error: Error) => {
      threads.delete(thread)
      for (const { reject } of thread.pending.values()) reject(error)
      thread.pending.clear()
    }
    thread.worker.on('error', lose)
    thread.worker.on('exit', () => lose(new Error('a render thread ended')))
    return thread
  }

  const draw: Draw = (request: PictureRequest) =>
    new Promise((resolve, reject) => {
      const { worker, pending } = leastBusy()
      jobs += 1
      pending.set(jobs, { resolve, reject })
      worker.postMessage({ job: jobs, request })
    })

  return {
    draw,
    async close(): Promise<void> {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}
