import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Cancelling } from '@/lib/domain/observation'
import { looking } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { cancelAttempt } from './cancel-attempt'
import type { WorkerDeps } from './deps'
import { takeNextAction } from './take-next-action'

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

// What was sent already: only the provider's word ends it.

/** A provider that answers the wish so, and counts how often it is told. */
function answeringTheWish(...answers: readonly Cancelling[]) {
  let told = 0
  const { deps } = world()
  const by: WorkerDeps = {
    ...deps,
    providers: new Map(
      [...deps.providers].map(([name, provider]) => [
        name,
        {
          ...provider,
          cancel: () => {
            told += 1
            return Promise.resolve(answers[Math.min(told, answers.length) - 1] ?? { kind: 'asked' })
          },
        },
      ]),
    ),
  }
  return { by, told: () => told }
}

async function pending(credits = 10) {
  const account = await world().openAccount(credits)
  const key = await world().start(account)
  world().provider.answer('status', looking('rendering'))
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'pending' })
  return { account, key }
}

test('a provider that confirms that it stopped ends it: failed as cancelled, and released', async () => {
  const { account, key } = await pending()
  const { by, told } = answeringTheWish({ kind: 'cancelled' })
  expect(await cancelAttempt(world(), account, key.id)).toMatchObject({
    cancelled: false,
    requested: true,
    attempt: { status: 'generating', settlement: null, cancel_requested: true },
  })
  await world().runToQuiet(key, { by })
  expect(await world().attempt(key)).toMatchObject({
    state: 'failed',
    failure_code: 'cancelled',
    settlement: 'released',
  })
  expect(await world().entries(key)).toEqual(['reserved', 'released'])
  expect(await world().balance(account)).toEqual({ available: 10, held: 0, spent: 0 })
  expect(told()).toBe(1)
})

test.each<Cancelling['kind']>(['asked', 'too-late'])(
  'a wish that was %s leaves it open, is told once, and what comes is delivered and charged',
  async (kind) => {
    const { account, key } = await pending()
    const { by, told } = answeringTheWish({ kind } as Cancelling)
    await cancelAttempt(world(), account, key.id)
    await world().step(key, { by })
    await world().step(key, { by })
    expect(await world().attempt(key)).toMatchObject({ state: 'pending', settlement: null })
    expect(await world().balance(account)).toMatchObject({ held: 1 })

    world().provider.answer('status')
    await world().runToQuiet(key, { by })
    expect(await world().attempt(key)).toMatchObject({ state: 'completed', settlement: 'settled' })
    expect(told()).toBe(1)
    expect(await world().history(key)).toContain(
      kind === 'asked' ? 'cancel_asked' : 'cancel_too_late',
    )
  },
)

test('a provider that cannot be told now is told at the next look', async () => {
  const { account, key } = await pending()
  const { by, told } = answeringTheWish(
    { kind: 'unavailable', reason: 'it answered 503' },
    { kind: 'cancelled' },
  )
  await cancelAttempt(world(), account, key.id)
  await world().step(key, { by })
  expect(await world().attempt(key)).toMatchObject({ state: 'pending' })
  await world().step(key, { by })
  expect(await world().attempt(key)).toMatchObject({ state: 'failed', settlement: 'released' })
  expect(told()).toBe(2)
})

test('wished while it is being sent, it is told once the task is known', async () => {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  world().provider.answer('submit', async (exchange) => {
    await cancelAttempt(world(), account, key.id)
    await world().provider.usual.submit(exchange)
  })
  const { by, told } = answeringTheWish({ kind: 'cancelled' })
  await world().runToQuiet(key, { by })
  expect(told()).toBe(1)
  expect(await world().attempt(key)).toMatchObject({ state: 'failed', settlement: 'released' })
})

test('an image that is made already is delivered: it is too late to wish', async () => {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  await world().step(key)
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'delivering' })
  expect(await cancelAttempt(world(), account, key.id)).toMatchObject({
    cancelled: false,
    requested: false,
    attempt: { cancel_requested: false },
  })
})

test('wished by fifty at once, the provider is told once', async () => {
  const { account, key } = await pending()
  const { by, told } = answeringTheWish({ kind: 'asked' })
  await Promise.all(Array.from({ length: 50 }, () => cancelAttempt(world(), account, key.id)))
  for (let turn = 0; turn < 3; turn += 1) await world().step(key, { by })
  expect(told()).toBe(1)
})
