import { expect, test } from 'vitest'
import { mailTries, retryAfterSeconds, signInTries, throttleRules } from './throttle'

test('a try to sign in is counted by whom, by from where, and by both together', () => {
  expect(signInTries('203.0.113.7', 'ada@example.com')).toEqual([
    { rule: 'sign-in-pair', of: '203.0.113.7 ada@example.com' },
    { rule: 'sign-in-email', of: 'ada@example.com' },
    { rule: 'sign-in-address', of: '203.0.113.7' },
  ])
})

test('a wish for mail is counted by whom it is for and by from where it comes', () => {
  expect(mailTries('203.0.113.7', 'ada@example.com').map(({ rule }) => rule)).toEqual([
    'mail-email',
    'mail-address',
  ])
})

test('an e-mail alone bears more tries than one address makes for it, so that its owner is not kept out', () => {
  expect(throttleRules['sign-in-email'].tries).toBeGreaterThan(throttleRules['sign-in-pair'].tries)
})

test.each([
  [0, 1],
  [1, 1],
  [1_000, 1],
  [1_001, 2],
  [899_999, 900],
])('%d ms are told as %d s', (milliseconds, seconds) => {
  expect(retryAfterSeconds(milliseconds)).toBe(seconds)
})
