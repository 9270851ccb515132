import { expect, test } from 'vitest'
import { clockWords, durationWords, lookWords, utcWords } from './time-words'

test.each([
  [0, '0:00'],
  [7_900, '0:07'],
  [61_000, '1:01'],
  [3_723_000, '1:02:03'],
  [-5_000, '0:00'],
])('a clock after %d ms reads %s', (ms, words) => {
  expect(clockWords(0, ms)).toBe(words)
})

test.each([
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_600_000, '1 h'],
  [172_799_000, '47 h'],
  [172_800_000, '2 d'],
])('%d ms are %s', (ms, words) => {
  expect(durationWords(0, ms)).toBe(words)
})

test('says when we looked and when we look again, as far as either is known', () => {
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString()
  const look = (lookedAt: string | null, nextLookAt: string | null) =>
    lookWords({ lookedAt, nextLookAt }, 100_000)
  expect(look(at(97), at(112))).toBe('Last looked 3 s ago, next look in 12 s.')
  expect(look(at(97), at(99))).toBe('Last looked 3 s ago, looking now.')
  expect(look(null, at(112))).toBe('Next look in 12 s.')
  expect(look(null, null)).toBeUndefined()
})

test('a time in UTC says so', () => {
  expect(utcWords('2026-11-30T07:12:05.123Z')).toBe('2026-11-30 07:12:05 UTC')
})
