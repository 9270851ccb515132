import { errorReply, type Reply, type Route } from '@/simulator/http'
import type { Task } from '@/simulator/task-store'
import type { ProtocolDeps } from './protocol'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** For how long each provider keeps a result, as it documents it. Absent: for ever. */
const LIFETIME_MS: Readonly<Record<string, number>> = {
  bfl: 10 * MINUTE,
  replicate: HOUR,
  ideogram: 24 * HOUR,
}

/** Where a finished task's picture is, for protocols that answer with an address. */
export function resultUrl(deps: Pick<ProtocolDeps, 'baseUrl'>, task: Task): string {
  return `${deps.baseUrl()}/results/${task.id}.png`
}

export function createResults(
  deps: Pick<ProtocolDeps, 'store' | 'images' | 'clock'>,
): readonly Route[] {
  async function show(id: string): Promise<Reply> {
    const task = deps.store.findTask(id)
    if (task?.status !== 'succeeded')
      return errorReply(404, 'not_found', 'There is no such result.')
    const ageMs = deps.clock.now() - (task.finished_at ?? 0)
    if (ageMs < (task.plan.resultOutageMs ?? 0)) {
      return errorReply(503, 'unavailable', 'The result is not available (drill).')
    }
    if (ageMs >= (task.plan.resultExpiresMs ?? LIFETIME_MS[task.protocol] ?? Infinity)) {
      return errorReply(403, 'expired', 'The link has expired.')
    }
    return { kind: 'bytes', contentType: 'image/png', bytes: await resultBytes(deps, task) }
  }
  return [
    {
      method: 'GET',
      path: /^\/results\/([A-Za-z0-9_-]{1,100})\.png$/,
      handle: ({ id }) => show(id),
    },
  ]
}

/** The picture as the drill wants it. */
export async function resultBytes(
  deps: Pick<ProtocolDeps, 'images'>,
  task: Task,
): Promise<Uint8Array> {
  const bytes = await deps.images.read(task.id)
  const { bloatBytes } = task.plan
  return bloatBytes === undefined ? bytes : Buffer.concat([bytes, Buffer.alloc(bloatBytes)])
}
