import { closeStrayTask, findOpenStrayTasks } from '@/lib/db/provider-store'
import type { WorkerDeps } from './deps'

const AT_ONCE = 20
const CANCEL_TIMEOUT_MS = 10_000

/**
 * Asks providers to stop second tasks of one attempt: each costs somebody, and none is delivered or
 * charged. What could not be told now is told at the next turn.
 */
export async function cancelStrayTasks(deps: WorkerDeps): Promise<void> {
  for (const stray of await findOpenStrayTasks(deps.db, [...deps.providers.keys()], AT_ONCE)) {
    const provider = deps.providers.get(stray.provider)
    const told = provider?.cancel
      ? await provider.cancel(stray.taskId, stray.model, AbortSignal.timeout(CANCEL_TIMEOUT_MS))
      : ({ kind: 'no-way' } as const)
    if (told.kind === 'unavailable') continue
    await closeStrayTask(deps.db, stray, told.kind)
    deps.log.warn({ attemptId: stray.key.id, outcome: told.kind }, 'second task told to stop')
  }
}
