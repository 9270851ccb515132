import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createDatabase } from '@/lib/db/database'
import type { AccountId } from '@/lib/domain/ids'
import { generation } from '@/test/factories'
import { acceptedAndReset } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import type { Deps } from './deps'
import { readImage } from './read-attempts'
import { startAttempt } from './start-attempt'

// The same request again: after its end, after a thousand others, on another server, after a lost
// answer. It is the same attempt, the same image and the same charge.

const world = openWorld()

const send = (accountId: AccountId, requestId: string, by: Deps = world().deps) =>
  startAttempt(by, accountId, { requestId, ...generation })

async function started(accountId: AccountId, requestId: string, by?: Deps) {
  const answer = await send(accountId, requestId, by)
  if (!answer.ok) throw new Error(answer.refusal.code)
  return answer.value
}

test('sent ten times, during and after, it is one image, one charge and one POST', async () => {
  const accountId = await world().openAccount(10)
  const requestId = randomUUID()
  const first = await started(accountId, requestId)
  const key = await world().keyOf(first.attempt.id)
  for (let time = 0; time < 4; time += 1) {
    await started(accountId, requestId)
    await world().step(key)
  }
  const image = await readImage(world().deps, accountId, key.id)
  for (let time = 0; time < 5; time += 1) {
    const again = await started(accountId, requestId)
    expect(again).toMatchObject({
      replayed: true,
      attempt: { id: key.id, status: 'delivered', settlement: 'settled' },
    })
    expect(await world().balance(accountId)).toEqual({ available: 9, held: 0, spent: 1 })
    const same = await readImage(world().deps, accountId, again.attempt.id)
    expect(image && same?.bytes.equals(image.bytes)).toBe(true)
  }
  await world().step(key)
  expect(world().provider.posts()).toBe(1)
})

test('with no credit left it is still answered, and not taken for a new wish', async () => {
  const accountId = await world().openAccount(1)
  const requestId = randomUUID()
  const { attempt } = await started(accountId, requestId)
  expect(await send(accountId, randomUUID())).toMatchObject({ ok: false })
  expect(await started(accountId, requestId)).toMatchObject({
    replayed: true,
    attempt: { id: attempt.id },
  })
})

test('a program that keeps its id through lost answers has one attempt for all its tries', async () => {
  const accountId = await world().openAccount(10)
  const requestId = randomUUID()
  let lost = 3
  /** As a client behind a line that drops what comes back. */
  const sendUntilAnswered = async () => {
    for (;;) {
      const answer = await started(accountId, requestId)
      if (lost <= 0) return answer
      lost -= 1
    }
  }
  const { attempt, replayed } = await sendUntilAnswered()
  expect(replayed).toBe(true)
  expect(await world().rows('select id from attempt where account_id = $1', accountId)).toEqual([
    { id: attempt.id },
  ])
  expect(await world().balance(accountId)).toEqual({ available: 9, held: 1, spent: 0 })
})

test('an unresolved attempt sent again stays unresolved and is not sent to the provider again', async () => {
  world().provider.answer('submit', acceptedAndReset)
  const accountId = await world().openAccount(10)
  const requestId = randomUUID()
  const { attempt } = await started(accountId, requestId)
  const key = await world().keyOf(attempt.id)
  await world().runToQuiet(key, { lease: true })
  for (let time = 0; time < 5; time += 1) {
    expect(await started(accountId, requestId)).toMatchObject({
      replayed: true,
      attempt: { id: attempt.id, status: 'unresolved', settlement: null },
    })
    await world().step(key, { lease: true })
  }
  expect(world().provider.posts()).toBe(1)
})

// Last, as it leaves much to do behind.
test('after a thousand others, and on a server that never saw it, it is what it was', async () => {
  const accountId = await world().openAccount(1_100)
  const requestId = randomUUID()
  const first = await started(accountId, requestId)
  const key = await world().keyOf(first.attempt.id)
  await world().runToQuiet(key)
  for (let batch = 0; batch < 20; batch += 1) {
    await Promise.all(Array.from({ length: 50 }, () => started(accountId, randomUUID())))
  }

  const db = createDatabase({
    url: world().appUrl,
    isPooled: world().isPooled,
    applicationName: 'another server',
    onError: (error) => world().logged.push(error),
  })
  try {
    for (const by of [world().deps, { ...world().deps, db }]) {
      expect(await started(accountId, requestId, by)).toMatchObject({
        replayed: true,
        attempt: { id: key.id, status: 'delivered' },
      })
    }
    expect(await world().balance(accountId)).toEqual({ available: 99, held: 1_000, spent: 1 })
  } finally {
    await db.close()
  }
  expect(world().provider.posts()).toBe(1)
})
