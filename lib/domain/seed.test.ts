import { expect, test } from 'vitest'
import { isSeed, parseSeed, SEED_MAX } from './seed'

test.each([
  ['0', 0],
  [' 42 ', 42],
  [String(SEED_MAX), SEED_MAX],
  [String(SEED_MAX + 1), undefined],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['seven', undefined],
  ['12345678901', undefined],
])('%j typed as a seed is %s', (text, seed) => {
  expect(parseSeed(text)).toBe(seed)
})

test.each([
  [0, true],
  [SEED_MAX, true],
  [-1, false],
  [1.5, false],
  [SEED_MAX + 1, false],
  ['1', false],
  [undefined, false],
])('%s is a seed: %s', (value, expected) => {
  expect(isSeed(value)).toBe(expected)
})
