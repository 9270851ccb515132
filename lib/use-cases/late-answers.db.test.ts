import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AttemptKey } from '@/lib/domain/attempt'
import { TaskId } from '@/lib/domain/ids'
import type { ImageStore } from '@/lib/storage/image-store'
import { at, DAY, HOUR, MINUTE, SECOND, startAt } from '@/test/clock'
import {
  accepted,
  acceptedAndReset,
  answering,
  looking,
  type Behaviour,
} from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { readAttemptDetail } from './read-attempts'
import { recordNews } from './record-news'

// Late is not failed. Whatever comes after our patience, however long a picture takes and however
// long nobody can look: one POST, one charge, and no word of a failure that nobody established.

const world = openWorld()

const PATIENCE_MS = 200
const SPENT = { available: 9, held: 0, spent: 1 }
const HELD = { available: 9, held: 1, spent: 0 }

const begin = async () => world().start(await world().openAccount(10))

/** As a verified callback of its provider does. */
function nameTask(key: AttemptKey) {
  const taskId = TaskId.parse(world().provider.taskIdOf(key.id))
  return recordNews(world().deps, key, { kind: 'task-reported', taskId }, 'callback:simulator')
}

/** What its owner was told it is, one word after another. */
async function toldStatuses({ id, accountId }: AttemptKey): Promise<readonly string[]> {
  const detail = await readAttemptDetail(world().deps, accountId, id)
  const words = detail?.history.map(({ status }) => status) ?? []
  return words.filter((word, index) => word !== words[index - 1])
}

const acceptedLate =
  (afterMs: number, then: Behaviour): Behaviour =>
  async (exchange) => {
    const id = await exchange.accept()
    await pause(afterMs)
    await then({ ...exchange, accept: () => Promise.resolve(id) })
  }

test.each<readonly [string, number, Behaviour]>([
  ['just after our patience', 1.05, accepted],
  ['after twice our patience', 2, accepted],
  ['after five times our patience', 5, accepted],
  ['as a reset, after our patience', 1.5, ({ socket }) => void socket.resetAndDestroy()],
  ['as a closed connection, after our patience', 1.5, ({ socket }) => void socket.destroy()],
])('an answer that comes %s costs no second POST and no image', async (_what, times, then) => {
  world().provider.answer('submit', acceptedLate(times * PATIENCE_MS, then), accepted)
  const key = await begin()
  const by = { ...world().deps, submitTimeoutMs: PATIENCE_MS }
  await world().runToQuiet(key, { by })
  await pause(times * PATIENCE_MS)
  await world().runToQuiet(key, { by, lease: true })
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown', settlement: null })
  expect(await world().balance(key.accountId)).toEqual(HELD)

  await nameTask(key)
  await world().runToQuiet(key)
  expect(world().provider.posts()).toBe(1)
  expect(await world().balance(key.accountId)).toEqual(SPENT)
  expect(await toldStatuses(key)).toEqual([
    'queued',
    'submitting',
    'unresolved',
    'generating',
    'delivering',
    'delivered',
  ])
})

test.each([
  ['200 seconds', 200 * SECOND],
  ['an hour', HOUR],
  ['a day and an hour', 25 * HOUR],
])('a picture that takes %s is waited for and delivered', async (_what, tookMs) => {
  world().provider.answer('status', looking('rendering'))
  const accountId = await world().openAccount(10)
  const key = await at(world(), -tookMs, async (by) => {
    const made = await startAt(by, accountId)
    await world().step(made, { by })
    await world().step(made, { by })
    return made
  })
  for (const passed of [0.25, 0.5, 0.75]) {
    await at(world(), -tookMs * (1 - passed), (by) => world().step(key, { by }))
  }
  expect(await world().attempt(key)).toMatchObject({ state: 'pending', settlement: null })

  world().provider.answer('status')
  await world().runToQuiet(key)
  expect(await world().balance(accountId)).toEqual(SPENT)
  expect(await toldStatuses(key)).toEqual([
    'queued',
    'submitting',
    'generating',
    'delivering',
    'delivered',
  ])
})

test('ten minutes without a look at it are no failure, and are told once', async () => {
  const outage: readonly Behaviour[] = [
    answering(500),
    answering(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' }),
    answering(200, '<html>ok</html>', { 'content-type': 'text/html' }),
    ({ socket }) => void socket.destroy(),
    ({ socket }) => void socket.resetAndDestroy(),
    answering(503, {}, { 'retry-after': '1' }),
    answering(429),
    answering(401),
    answering(200, '{}'),
    answering(504),
  ]
  const key = await begin()
  await world().step(key)
  for (const [minute, behaviour] of outage.entries()) {
    world().provider.answer('status', behaviour)
    await at(world(), (minute - outage.length) * MINUTE, (by) => world().step(key, { by }))
    expect(await world().attempt(key)).toMatchObject({ state: 'pending', settlement: null })
  }
  world().provider.answer('status')
  await world().runToQuiet(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'completed', settlement: 'settled' })
  expect(await world().history(key)).toEqual([
    'recorded',
    'submission_begun',
    'accepted',
    'look_failed',
    'succeeded',
    'delivered',
  ])
})

test('a task that its provider cannot find is unresolved, and delivered once it is found again', async () => {
  world().provider.answer('status', answering(404))
  const accountId = await world().openAccount(10)
  const key = await at(world(), -HOUR, async (by) => {
    const made = await startAt(by, accountId)
    await world().step(made, { by })
    return made
  })
  await world().runToQuiet(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown', settlement: null })
  expect(await world().balance(accountId)).toEqual(HELD)

  world().provider.answer('status')
  await at(world(), MINUTE, (by) => world().runToQuiet(key, { by }))
  expect((await toldStatuses(key)).slice(-3)).toEqual(['unresolved', 'delivering', 'delivered'])
  expect(await world().balance(accountId)).toEqual(SPENT)
})

test('ninety days without word give nothing back, and the image that then comes is one charge', async () => {
  world().provider.answer('submit', acceptedAndReset)
  const accountId = await world().openAccount(10)
  const key = await at(world(), -90 * DAY, async (by) => {
    const made = await startAt(by, accountId)
    await world().runToQuiet(made, { by })
    return made
  })
  await world().runToQuiet(key, { lease: true })
  expect(await world().entries(key)).toEqual(['reserved'])

  await nameTask(key)
  await world().runToQuiet(key)
  expect(await world().entries(key)).toEqual(['reserved', 'settled'])
  expect(await world().balance(accountId)).toEqual(SPENT)
  expect(world().provider.posts()).toBe(1)
})

/** Fails so often, having kept what it was given or not. */
function failingStore(times: number, when: 'before' | 'after'): ImageStore {
  const { images } = world()
  let left = times
  return {
    ...images,
    put: async (objectKey, bytes) => {
      left -= 1
      if (left < 0 || when === 'after') await images.put(objectKey, bytes)
      if (left >= 0) throw new Error('the connection to the store was lost')
    },
  }
}

test.each(['before', 'after'] as const)(
  'a store that fails four times, %s it kept the image, costs no second image',
  async (when) => {
    const by = { ...world().deps, images: failingStore(4, when) }
    const key = await begin()
    await world().step(key)
    await world().step(key)
    for (let time = 0; time < 4; time += 1) {
      await world().step(key, { by })
      expect(await toldStatuses(key)).not.toContain('failed')
      expect(await world().balance(key.accountId)).toEqual(HELD)
    }
    await world().step(key, { by })
    expect(await world().attempt(key)).toMatchObject({ state: 'completed' })
    expect(world().provider.posts()).toBe(1)
    expect(await world().balance(key.accountId)).toEqual(SPENT)
  },
)
