import { expect, test } from 'vitest'
import { newestBeatAgeMs } from '@/lib/db/worker-store'
import type { WorkerDeps } from '@/lib/use-cases/deps'
import { accepted, answering, type Behaviour } from '@/test/fake-provider-server'
import { interceptQueries } from '@/test/intercepted-pool'
import { openWorld } from '@/test/world'
import { runLoop } from './loop'

const world = openWorld()

/** Runs workers until the condition holds, and ends them in order. */
async function runUntil(
  condition: () => Promise<boolean>,
  workers: readonly Partial<WorkerDeps>[] = [{}],
  concurrency = 4,
) {
  const stop = new AbortController()
  const loops = workers.map((changed) =>
    runLoop({ ...world().deps, ...changed }, concurrency, stop.signal),
  )
  try {
    await expect.poll(condition, { timeout: 30_000, interval: 50 }).toBe(true)
  } finally {
    stop.abort()
    await Promise.all(loops)
  }
}

const startMany = async (count: number) => {
  const accountId = await world().openAccount(100)
  return Promise.all(Array.from({ length: count }, () => world().start(accountId)))
}
const openOf = async (keys: readonly { readonly id: string }[]) => {
  const ids = keys.map(({ id }) => id)
  const rows = await world().rows('select from attempt_work where attempt_id = any($1)', ids)
  return rows.length
}

test('a worker brings what it finds to its end, by itself', async () => {
  const keys = await startMany(6)
  await runUntil(async () => (await openOf(keys)) === 0)
  expect(world().provider.posts()).toBe(6)
  for (const key of keys) {
    expect(await world().attempt(key)).toMatchObject({ state: 'completed', settlement: 'settled' })
  }
})

test('two workers share the work and do nothing twice', async () => {
  const keys = await startMany(10)
  await runUntil(
    async () => (await openOf(keys)) === 0,
    [{ workerId: 'worker:one' }, { workerId: 'worker:two' }],
  )
  expect(world().provider.posts()).toBe(10)
  for (const key of keys) {
    expect(await world().entries(key)).toEqual(['reserved', 'settled'])
    expect(world().provider.tasksOf(key.id)).toBe(1)
  }
})

test('no more than its concurrency is on the wire at once', async () => {
  let [current, most] = [0, 0]
  const slow: Behaviour = async (exchange) => {
    current += 1
    most = Math.max(most, current)
    await new Promise((resolve) => setImmediate(resolve))
    await accepted(exchange)
    current -= 1
  }
  world().provider.answer('submit', slow)
  const keys = await startMany(8)
  await runUntil(async () => (await openOf(keys)) === 0, [{}], 2)
  expect(most).toBeLessThanOrEqual(2)
})

test('a worker told to stop finishes what it began, and begins nothing more', async () => {
  const stop = new AbortController()
  world().provider.answer('submit', async (exchange) => {
    stop.abort()
    await accepted(exchange)
  })
  const [key] = await startMany(1)
  const later = await startMany(3)
  await runLoop(world().deps, 1, stop.signal)

  expect(key && (await world().attempt(key)).state).toBe('pending')
  expect(world().provider.posts()).toBe(1)
  for (const one of later) {
    expect(await world().attempt(one)).toMatchObject({ state: 'initializing' })
  }
  world().provider.reset()
  await runUntil(async () => (await openOf(later)) === 0)
})

test('one attempt’s trouble is its own: the worker goes on with the others', async () => {
  const [broken, ...others] = await startMany(4)
  const providers = new Map(
    [...world().deps.providers].map(([name, provider]) => [
      name,
      {
        ...provider,
        submit: (...call: Parameters<typeof provider.submit>) =>
          call[0].reference === broken?.id
            ? Promise.reject(new Error('a bug'))
            : provider.submit(...call),
      },
    ]),
  )
  await runUntil(async () => (await openOf(others)) === 0, [{ providers }])
  expect(world().logged).toContainEqual(
    expect.objectContaining({ msg: 'action failed', attemptId: broken?.id }),
  )
  if (!broken) return
  await world().step(broken, { lease: true })
  expect(await world().attempt(broken)).toMatchObject({ state: 'status_unknown', settlement: null })
})

test('a worker that lives is heard of, and one that cannot reach the database goes on trying', async () => {
  await runUntil(async () => ((await newestBeatAgeMs(world().db)) ?? Infinity) < 5_000)

  let refusals = 3
  const pool = interceptQueries(world().db.pool, (_name, run) => {
    refusals -= 1
    return refusals >= 0 ? Promise.reject(new Error('connection refused')) : run()
  })
  const keys = await startMany(1)
  await runUntil(async () => (await openOf(keys)) === 0, [{ db: { ...world().db, pool } }])
  expect(refusals).toBeLessThan(0)
})

test('a provider that is not configured here is left to another worker', async () => {
  const [key] = await startMany(1)
  if (!key) return
  await world().step(key, { by: { ...world().deps, providers: new Map() } })
  expect(await world().attempt(key)).toMatchObject({ state: 'initializing' })
  world().provider.answer('submit', answering(422, { error: { code: 'x', message: 'y' } }))
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'failed' })
})
