import { randomBytes, randomUUID } from 'node:crypto'
import { v7 as newUuid } from 'uuid'
import { expect, test } from 'vitest'
import { createDatabase } from '@/lib/db/database'
import { AccountId } from '@/lib/domain/ids'
import { generation } from '@/test/factories'
import { looking } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { readRecentAttempts } from './read-attempts'
import { registerUser } from './register-user'
import { startAttempt } from './start-attempt'

// Guests: a browser that nobody knows, with free images of the day and no credits.

const world = openWorld()
const newGuest = () => AccountId.parse(newUuid())
const newAddress = (dailyCap = 100) => ({ addressDigest: randomBytes(32), dailyCap })

const start = (accountId: AccountId, guest = newAddress(), dailyAllowance = 2) =>
  startAttempt(
    { ...world().deps, dailyAllowance },
    accountId,
    { requestId: randomUUID(), ...generation },
    guest,
  )
const codesOf = (answers: readonly Awaited<ReturnType<typeof start>>[]) =>
  answers.map((answer) => (answer.ok ? 'started' : answer.refusal.code)).sort()

test('a guest’s account begins with the first attempt, and has the day’s free images and no more', async () => {
  const guest = newGuest()
  expect(codesOf([await start(guest), await start(guest), await start(guest)])).toEqual([
    'insufficient-credits',
    'started',
    'started',
  ])
  expect(await world().rows('select kind from account where id = $1', guest)).toEqual([
    { kind: 'guest' },
  ])
  expect(await world().balance(guest)).toEqual({ available: 0, held: 0, spent: 0 })
})

const unitsOf = (accountId: AccountId) =>
  world().rows(
    `select (now() at time zone 'utc')::date - day as days_ago, held, delivered
     from allowance_day where account_id = $1 order by day`,
    accountId,
  )

test('a free image is held, then delivered, and moves no credits', async () => {
  const guest = newGuest()
  const started = await start(guest)
  const key = await world().keyOf(started.ok ? started.value.attempt.id : '')
  expect(await unitsOf(guest)).toEqual([{ days_ago: 0, held: 1, delivered: 0 }])
  await world().runToQuiet(key)
  expect(await unitsOf(guest)).toEqual([{ days_ago: 0, held: 0, delivered: 1 }])
  expect(await world().entries(key)).toEqual([])
})

test('a free image that fails goes back to the day that it came from, not to today', async () => {
  const guest = newGuest()
  const url = new URL(world().directUrl)
  url.searchParams.set('options', '-cdarkroom.clock_offset=-24h')
  const yesterday = createDatabase({
    url: url.href,
    applicationName: 'yesterday',
    onError: (error) => world().logged.push(error),
  })
  const started = await startAttempt(
    { ...world().deps, db: yesterday, dailyAllowance: 1 },
    guest,
    { requestId: randomUUID(), ...generation },
    newAddress(),
  )
  await yesterday.close()
  await start(guest, newAddress(), 1)
  const key = await world().keyOf(started.ok ? started.value.attempt.id : '')
  world().provider.answer('status', looking('failed'))
  await world().runToQuiet(key)

  expect(await unitsOf(guest)).toEqual([
    { days_ago: 1, held: 0, delivered: 0 },
    { days_ago: 0, held: 1, delivered: 0 },
  ])
})

test('one address brings no more attempts a day than its cap, from however many guests at once', async () => {
  const address = newAddress(5)
  const answers = await Promise.all(Array.from({ length: 20 }, () => start(newGuest(), address)))
  expect(codesOf(answers)).toEqual([
    ...Array<string>(15).fill('guest-limit'),
    ...Array<string>(5).fill('started'),
  ])
})

test('an attempt refused for its address leaves nothing: no account, no unit, no attempt', async () => {
  const guest = newGuest()
  const address = newAddress(1)
  await start(newGuest(), address)
  expect(codesOf([await start(guest, address)])).toEqual(['guest-limit'])
  expect(await world().rows('select from account where id = $1', guest)).toEqual([])
})

test('a guest’s id used again is its attempt, and is not counted again', async () => {
  const guest = newGuest()
  const address = newAddress(1)
  const requestId = randomUUID()
  const once = () =>
    startAttempt(
      { ...world().deps, dailyAllowance: 1 },
      guest,
      { requestId, ...generation },
      address,
    )
  const [first, again] = [await once(), await once()]
  expect(first).toMatchObject({ ok: true, value: { replayed: false } })
  expect(again).toMatchObject({ ok: true, value: { replayed: true } })
})

const signUp = (guestId: AccountId) =>
  registerUser(
    {
      ...world().deps,
      signupCredits: 100,
      hashPassword: () => Promise.resolve('$argon2id$of-a-test'),
    },
    { email: `${randomUUID()}@example.com`, password: 'correct horse battery' },
    { guestId },
  )

test('a guest who signs up keeps every attempt and image, and gets the credits once', async () => {
  const guest = newGuest()
  const started = await start(guest)
  const key = await world().keyOf(started.ok ? started.value.attempt.id : '')
  await world().runToQuiet(key)

  expect(await signUp(guest)).toEqual({ ok: true, value: { accountId: guest } })
  const view = await readRecentAttempts(world().deps, guest)
  expect(view.attempts).toMatchObject([{ id: key.id, status: 'delivered' }])
  expect(view.balance).toMatchObject({ available: 100, held: 0, spent: 0 })
})

test('a cookie that outlives its guest opens another account, and takes nothing over', async () => {
  const guest = newGuest()
  await start(guest)
  await signUp(guest)
  const second = await signUp(guest)
  expect(second.ok && second.value.accountId).not.toBe(guest)
  expect(await world().balance(guest)).toMatchObject({ available: 100 })
})
