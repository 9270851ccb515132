import { v7 as newUuid } from 'uuid'
import { expect, test } from 'vitest'
import { AccountId } from '@/lib/domain/ids'
import { addressDigest, signGuest, verifyGuest } from './guest-cookie'

const SECRET = 'x'.repeat(32)
const guest = AccountId.parse(newUuid())
const other = AccountId.parse(newUuid())
const cookie = signGuest(SECRET, guest)
const [, signature = ''] = cookie.split('.')

test('a cookie that we signed names its guest', () => {
  expect(verifyGuest(SECRET, cookie)).toBe(guest)
})

test.each<readonly [string, string | undefined]>([
  ['no cookie', undefined],
  ['an empty cookie', ''],
  ['an id without a signature', guest],
  ['an id with an empty signature', `${guest}.`],
  ['another id under our signature', `${other}.${signature}`],
  ['a signature of another secret', signGuest('y'.repeat(32), guest)],
  ['half a signature', cookie.slice(0, -10)],
  ['what is no id, rightly signed', signGuest(SECRET, guest).replace(guest, 'admin')],
])('%s names nobody', (_what, value) => {
  expect(verifyGuest(SECRET, value)).toBeUndefined()
})

test('an address is counted under a digest that changes with the day and with the secret', () => {
  const digest = addressDigest(SECRET, '203.0.113.7', '2026-11-30')
  expect(digest).toHaveLength(32)
  expect(digest.equals(addressDigest(SECRET, '203.0.113.7', '2026-11-30'))).toBe(true)
  const others = [
    addressDigest(SECRET, '203.0.113.8', '2026-11-30'),
    addressDigest(SECRET, '203.0.113.7', '2026-12-01'),
    addressDigest('y'.repeat(32), '203.0.113.7', '2026-11-30'),
  ]
  expect(others.some((another) => another.equals(digest))).toBe(false)
})
