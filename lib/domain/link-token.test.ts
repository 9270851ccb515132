import { expect, test } from 'vitest'
import { linkTokenHash } from './link-token'

test('a token is found by its digest', () => {
  expect(linkTokenHash('a'.repeat(43))).toHaveLength(32)
  expect(linkTokenHash('a'.repeat(43))).not.toEqual(linkTokenHash('b'.repeat(43)))
})

test.each(['', 'a', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}!`])(
  '%j is no token',
  (text) => {
    expect(linkTokenHash(text)).toBeUndefined()
  },
)
