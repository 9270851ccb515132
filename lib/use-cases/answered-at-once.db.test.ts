import { expect, test } from 'vitest'
import type { SubmitOutcome } from '@/lib/domain/observation'
import { TaskId } from '@/lib/domain/ids'
import { callback, verifiersWith } from '@/test/callbacks'
import { looking } from '@/test/fake-provider-server'
import { pngBytes } from '@/test/images'
import { interceptQueries } from '@/test/intercepted-pool'
import { openWorld } from '@/test/world'
import { cancelStrayTasks } from './cancel-stray-tasks'
import type { WorkerDeps } from './deps'
import { readAttemptForReview } from './review-attempts'
import { receiveCallback } from './receive-callback'
import { replayEvidence } from './replay-evidence'

// Providers whose answer is the image: it exists nowhere else, so it is kept before anything can fail.

const world = openWorld()

/** The same world, with a provider that answers with an image, once. */
function answeringAtOnce(outcome: SubmitOutcome, changed: Partial<WorkerDeps> = {}) {
  let posts = 0
  const { deps } = world()
  const by: WorkerDeps = {
    ...deps,
    ...changed,
    providers: new Map(
      [...deps.providers].map(([name, provider]) => [
        name,
        {
          ...provider,
          submit: () => {
            posts += 1
            const usage = {
              address: 'https://provider.test/v1/images',
              requestSha256: 'ab'.repeat(32),
              requestBytes: 12,
              httpStatus: 200,
              providerRequestId: 'req_1',
              cost: { amount: 0.04, unit: 'USD' },
            }
            return Promise.resolve({ outcome, usage })
          },
        },
      ]),
    ),
  }
  return { by, posts: () => posts }
}

const begin = async () => {
  const accountId = await world().openAccount(10)
  return { accountId, key: await world().start(accountId) }
}
const made = async (): Promise<SubmitOutcome> => ({ kind: 'made', image: await pngBytes('#5a3') })
const refusingStore = () => ({
  ...world().deps.images,
  put: () => Promise.reject(new Error('ENOSPC: no space left')),
})

async function expectDelivered(
  { key, accountId }: Awaited<ReturnType<typeof begin>>,
  posts: number,
) {
  expect(await world().attempt(key)).toMatchObject({ state: 'completed', settlement: 'settled' })
  expect(await world().entries(key)).toEqual(['reserved', 'settled'])
  expect(await world().balance(accountId)).toEqual({ available: 9, held: 0, spent: 1 })
  expect(posts).toBe(1)
}

test('the image in the answer is stored, delivered and charged once', async () => {
  const started = await begin()
  const { by, posts } = answeringAtOnce(await made())
  await world().runToQuiet(started.key, { by })
  await expectDelivered(started, posts())
  const review = await readAttemptForReview(world().deps, started.key.id)
  expect(review?.usage).toMatchObject([
    {
      number: 1,
      kind: 'submit',
      outcome: 'made',
      http_status: 200,
      provider_request_id: 'req_1',
      cost: { amount: 0.04, unit: 'USD' },
    },
  ])
})

test('while the store is down it waits in the database', async () => {
  const started = await begin()
  const { by, posts } = answeringAtOnce(await made(), { images: refusingStore() })
  await world().step(started.key, { by })
  expect(await world().attempt(started.key)).toMatchObject({ state: 'delivering' })
  expect(
    await world().rows('select from spool where attempt_id = $1', started.key.id),
  ).toHaveLength(1)
  await world().step(started.key, { by })
  expect(await world().attempt(started.key)).toMatchObject({ state: 'storage_failed' })

  await world().runToQuiet(started.key)
  await expectDelivered(started, posts())
  expect(await world().rows('select from spool where attempt_id = $1', started.key.id)).toEqual([])
})

test('with the store and the spool away it waits on the disk, and is delivered from there', async () => {
  const started = await begin()
  const pool = interceptQueries(world().deps.db.pool, async (_name, run) => run())
  const full = new Proxy(pool, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property)
      if (property !== 'query' || typeof value !== 'function') return value
      return (query: unknown, ...rest: readonly unknown[]) =>
        typeof query === 'string' && query.includes('spool_result')
          ? Promise.resolve({ rows: [{ outcome: 'full' }] })
          : (Reflect.apply(value, target, [query, ...rest]) as unknown)
    },
  })
  const { by, posts } = answeringAtOnce(await made(), {
    images: refusingStore(),
    db: { ...world().deps.db, pool: full },
  })
  await world().step(started.key, { by })
  expect(await world().attempt(started.key)).toMatchObject({ state: 'submitting' })
  expect(await world().deps.evidence.list()).toHaveLength(1)

  // The lease runs out: nobody knows. Then the disk tells.
  await world().step(started.key, { lease: true })
  expect(await world().attempt(started.key)).toMatchObject({ state: 'status_unknown' })
  await replayEvidence(by)
  expect(await world().deps.evidence.list()).toHaveLength(1)
  await replayEvidence(world().deps)
  expect(await world().deps.evidence.list()).toEqual([])
  await world().runToQuiet(started.key)
  await expectDelivered(started, posts())
})

test('with the database away after the answer, the image is kept and told of later', async () => {
  const started = await begin()
  const pool = interceptQueries(world().deps.db.pool, (name, run) =>
    name === 'apply_decision' ? Promise.reject(new Error('ECONNREFUSED')) : run(),
  )
  const { by, posts } = answeringAtOnce(await made(), { db: { ...world().deps.db, pool } })
  await world().step(started.key, { by })
  expect(await world().attempt(started.key)).toMatchObject({ state: 'submitting' })
  await replayEvidence(world().deps)
  await world().runToQuiet(started.key)
  await expectDelivered(started, posts())
})

test('an answer that ended without an image fails once, is kept as evidence, and is not charged', async () => {
  const started = await begin()
  const { by, posts } = answeringAtOnce({
    kind: 'failed',
    failure: { code: 'moderated', message: 'It was refused under its content rules.' },
    evidence: { reason: 'IMAGE_SAFETY' },
  })
  await world().runToQuiet(started.key, { by })
  expect(await world().attempt(started.key)).toMatchObject({
    state: 'failed',
    settlement: 'released',
    failure_code: 'moderated',
  })
  expect(await world().entries(started.key)).toEqual(['reserved', 'released'])
  expect(posts()).toBe(1)
})

// A second task of one attempt costs somebody: it is told to stop, and never delivered or charged.

test('a second task is an anomaly, is told to stop once, and changes nothing', async () => {
  const { key, accountId } = await begin()
  world().provider.answer('status', looking('rendering'))
  await world().step(key)
  const before = await world().attempt(key)
  const { callbackSecret } = world().deps
  const second = TaskId.parse(`second-of-${key.id}`)
  const receive = () =>
    receiveCallback(
      { ...world().deps, verifiers: verifiersWith() },
      callback({ id: key.id, taskId: second, callbackSecret }),
    )
  await receive()
  await receive()
  expect(await world().anomalies(key)).toEqual(['second_task'])

  const told: string[] = []
  const by: WorkerDeps = {
    ...world().deps,
    providers: new Map(
      [...world().deps.providers].map(([name, provider]) => [
        name,
        {
          ...provider,
          cancel: (taskId) => {
            told.push(taskId)
            return Promise.resolve(
              told.length === 1
                ? { kind: 'unavailable', reason: 'it answered 503' }
                : { kind: 'cancelled' },
            )
          },
        },
      ]),
    ),
  }
  for (let turn = 0; turn < 3; turn += 1) await cancelStrayTasks(by)
  expect(told).toEqual([second, second])
  expect(
    await world().rows('select outcome from stray_task where attempt_id = $1', key.id),
  ).toEqual([{ outcome: 'cancelled' }])
  expect(await world().attempt(key)).toEqual(before)

  world().provider.answer('status')
  await world().runToQuiet(key)
  expect(await world().entries(key)).toEqual(['reserved', 'settled'])
  expect(await world().balance(accountId)).toEqual({ available: 9, held: 0, spent: 1 })
})

test('where a provider takes no such wishes, that is noted', async () => {
  const { key } = await begin()
  world().provider.answer('status', looking('rendering'))
  await world().step(key)
  await receiveCallback(
    { ...world().deps, verifiers: verifiersWith() },
    callback({
      id: key.id,
      taskId: `other-of-${key.id}`,
      callbackSecret: world().deps.callbackSecret,
    }),
  )
  const providers = new Map(
    [...world().deps.providers].map(([name, provider]) => {
      const { capabilities, trustedOrigins, submitTimeoutMs, submit, observe } = provider
      return [name, { name, capabilities, trustedOrigins, submitTimeoutMs, submit, observe }]
    }),
  )
  await cancelStrayTasks({ ...world().deps, providers })
  expect(
    await world().rows('select outcome from stray_task where attempt_id = $1', key.id),
  ).toEqual([{ outcome: 'no-way' }])
})
