import { expect, test } from 'vitest'
import { signInTries, throttleRules } from '@/lib/domain/throttle'
import { openWorld } from '@/test/world'
import { createThrottle, noThrottle, removeExpiredTries } from './throttle'

const world = openWorld()
const throttle = () => createThrottle(world().db, 'x'.repeat(32))
const PAIR = throttleRules['sign-in-pair']

const counted = async () => (await world().rows('select key from rate_limit')).map(({ key }) => key)

test('as many tries as the rule allows, and then a wait that is told in seconds', async () => {
  const tries = signInTries('203.0.113.1', 'ada@example.com')
  for (let nth = 0; nth < PAIR.tries; nth += 1) {
    expect(await throttle().take(tries)).toBeUndefined()
  }
  const seconds = await throttle().take(tries)
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(PAIR.seconds)
  // Another web server counts the same, and others are not kept out.
  expect(await createThrottle(world().db, 'x'.repeat(32)).take(tries)).toBeDefined()
  expect(await throttle().take(signInTries('203.0.113.2', 'ada@example.com'))).toBeUndefined()
  expect(await throttle().take(signInTries('203.0.113.1', 'bob@example.com'))).toBeUndefined()
})

test('of many at the same moment only as many as allowed get through', async () => {
  const tries = signInTries('203.0.113.3', 'eve@example.com')
  const answers = await Promise.all(Array.from({ length: 40 }, () => throttle().take(tries)))
  expect(answers.filter((seconds) => seconds === undefined)).toHaveLength(PAIR.tries)
})

test('a rightful try is given back: whoever signs in often is not kept out', async () => {
  const tries = signInTries('203.0.113.4', 'often@example.com')
  for (let nth = 0; nth < PAIR.tries * 2; nth += 1) {
    expect(await throttle().take(tries)).toBeUndefined()
    await throttle().giveBack(tries)
  }
})

test('neither an address nor an e-mail is stored', async () => {
  await throttle().take(signInTries('203.0.113.5', 'secret@example.com'))
  const keys = await counted()
  expect(keys.length).toBeGreaterThan(0)
  expect(keys.join()).not.toMatch(/203\.0|secret|example/)
})

test('what has expired is forgotten, and what counts is kept', async () => {
  await world().rows(`insert into rate_limit (key, points, expire) values ('over', 3, 1)`)
  await throttle().take([{ rule: 'mail-email', of: 'a' }])
  const before = await counted()
  await removeExpiredTries(world().db)
  expect((await counted()).sort()).toEqual(before.filter((key) => key !== 'over').sort())
})

test('switched off, nothing is counted', async () => {
  const before = await counted()
  for (let nth = 0; nth < 30; nth += 1) {
    expect(await noThrottle.take(signInTries('203.0.113.6', 'x@example.com'))).toBeUndefined()
    await noThrottle.giveBack([])
  }
  expect(await counted()).toEqual(before)
})
