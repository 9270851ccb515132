import { randomUUID } from 'node:crypto'
import { createDatabase } from '@/lib/db/database'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AttemptId, type AccountId } from '@/lib/domain/ids'
import type { WorkerDeps } from '@/lib/use-cases/deps'
import { startAttempt } from '@/lib/use-cases/start-attempt'
import { generation } from './factories'
import type { World } from './world'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** What happens so long after now, or before it: the same rows, on a database whose clock stands off. */
export async function at<Value>(
  world: World,
  offsetMs: number,
  run: (deps: WorkerDeps) => Promise<Value>,
): Promise<Value> {
  const url = new URL(world.directUrl)
  url.searchParams.set('options', `-cdarkroom.clock_offset=${Math.round(offsetMs / SECOND)}s`)
  const db = createDatabase({
    url: url.href,
    applicationName: 'another time',
    onError: (error) => world.logged.push(error),
  })
  try {
    return await run({ ...world.deps, db })
  } finally {
    await db.close()
  }
}

/** What happens at a moment, by the database's clock. */
export function atMoment<Value>(
  world: World,
  moment: string,
  run: (deps: WorkerDeps) => Promise<Value>,
): Promise<Value> {
  return at(world, Date.parse(moment) - Date.now(), run)
}

/** An attempt recorded at the time of these. */
export async function startAt(deps: WorkerDeps, accountId: AccountId): Promise<AttemptKey> {
  const started = await startAttempt(deps, accountId, { requestId: randomUUID(), ...generation })
  if (!started.ok) throw new Error(`not started: ${JSON.stringify(started.refusal)}`)
  return { id: AttemptId.parse(started.value.attempt.id), accountId }
}
