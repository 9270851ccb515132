import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWorld } from '@/test/world'
import { takeNextAction } from './take-next-action'
import { cancelAttempt } from './cancel-attempt'

const world = openWorld()

test('a worker that holds the lease and has not begun to send finds that it may not', async () => {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  const claimed = await world().claimOne(key)
  expect(await cancelAttempt(world(), account, key.id)).toMatchObject({ cancelled: true })
  await takeNextAction(world(), claimed)
  expect(world().provider.posts()).toBe(0)
  expect(await world().balance(account)).toEqual({ available: 10, held: 0, spent: 0 })
  expect(await world().history(key)).toEqual(['recorded', 'cancelled'])
})

test('between cancelling and sending there is one winner, whoever comes first', async () => {
  const account = await world().openAccount(200)
  const outcomes = new Set<string>()
  for (let round = 0; round < 100; round += 1) {
    const key = await world().start(account)
    const claimed = await world().claimOne(key)
    const before = world().provider.posts()
    const [cancellation] = await Promise.all([
      cancelAttempt(world(), account, key.id),
      takeNextAction(world(), claimed),
    ])
    const sent = world().provider.posts() - before
    expect(sent).toBe(cancellation?.cancelled ? 0 : 1)
    const { state, settlement } = await world().attempt(key)
    expect([state, settlement]).toEqual(
      cancellation?.cancelled ? ['failed', 'released'] : ['pending', null],
    )
    outcomes.add(state)
  }
  expect(outcomes.size).toBeGreaterThan(0)
})

test('cancelled by fifty at once, it is released once', async () => {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => cancelAttempt(world(), account, key.id)),
  )
  expect(answers.every((answer) => answer?.cancelled)).toBe(true)
  expect(await world().entries(key)).toEqual(['reserved', 'released'])
})

test('after a proved refusal, while it waits to be sent again, it can still be cancelled', async () => {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  world().provider.answer('submit', ({ response }) => {
    response.writeHead(429, { 'retry-after': '1' }).end()
  })
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'initializing' })
  expect(await cancelAttempt(world(), account, key.id)).toMatchObject({ cancelled: true })
})

test('what is unresolved stays so: a wish proves nothing', async () => {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  world().provider.answer('submit', ({ socket }) => void socket.destroy())
  await world().step(key)
  expect(await cancelAttempt(world(), account, key.id)).toMatchObject({
    cancelled: false,
    attempt: { state: 'status_unknown', settlement: null },
  })
  expect(await world().balance(account)).toMatchObject({ held: 1 })
})

test('another’s attempt cannot be cancelled', async () => {
  const key = await world().start(await world().openAccount())
  const stranger = await world().openAccount()
  for (const id of [key.id, randomUUID(), 'x']) {
    expect(await cancelAttempt(world(), stranger, id)).toBeUndefined()
  }
  expect(await world().attempt(key)).toMatchObject({ state: 'initializing' })
})
