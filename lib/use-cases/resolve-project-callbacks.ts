import { wakeAttempt } from '@/lib/db/attempt-store'
import { findAttemptForEvidence } from '@/lib/db/known-attempt'
import {
  closeProjectCallback,
  findOpenProjectCallbacks,
  type OpenProjectCallback,
} from '@/lib/db/provider-store'
import { AttemptId } from '@/lib/domain/ids'
import type { Provider } from '@/lib/domain/provider'
import type { WorkerDeps } from './deps'
import { recordNews } from './record-news'

const AT_ONCE = 20
const LOOK_UP_TIMEOUT_MS = 15_000
const ABSENT_FOR_MS = 60 * 60_000

/**
 * Finds out whose tasks the callbacks of whole projects name. They carry no token of an attempt, so
 * the provider is asked for our reference in the task: only whoever holds its key can do that.
 */
export async function resolveProjectCallbacks(deps: WorkerDeps): Promise<void> {
  const asking = [...deps.providers.values()].filter((provider) => 'referenceOf' in provider)
  if (asking.length === 0) return
  const names = asking.map(({ name }) => name)
  for (const callback of await findOpenProjectCallbacks(deps.db, names, AT_ONCE)) {
    const provider = deps.providers.get(callback.provider)
    if (provider && (await resolve(deps, callback, provider))) {
      await closeProjectCallback(deps.db, callback)
    }
  }
}

/** False when the provider could not be asked: it is asked again later. */
async function resolve(
  deps: WorkerDeps,
  { taskId, deliveryId, receivedAt }: OpenProjectCallback,
  provider: Provider,
): Promise<boolean> {
  const known = await findAttemptForEvidence(deps.db, { provider: provider.name, taskId })
  if (known) {
    await wakeAttempt(deps.db, known)
    return true
  }
  const told = await provider.referenceOf?.(taskId, AbortSignal.timeout(LOOK_UP_TIMEOUT_MS))
  if (!told || told.kind === 'unavailable') return false
  // A task may be told of a moment before it can be read.
  if (told.kind === 'absent' && Date.now() - receivedAt.getTime() < ABSENT_FOR_MS) return false
  const id = AttemptId.safeParse(told.reference).data
  const key = id && (await findAttemptForEvidence(deps.db, { provider: provider.name, id }))
  if (key) {
    const actor = `callback:${provider.name}`
    await recordNews(deps, key, { kind: 'task-reported', taskId }, actor)
    await wakeAttempt(deps.db, key)
  } else deps.log.warn({ provider: provider.name, deliveryId }, 'callback for nobody')
  return true
}
