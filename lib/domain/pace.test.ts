import { expect, test } from 'vitest'
import {
  deliverAgainAfterMs,
  lookAgainAfterMs,
  observeAgainAfterMs,
  pollAgainAfterMs,
  sendAgainAfterMs,
} from './pace'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

test.each([
  [0, 1 * SECOND],
  [20 * SECOND - 1, 1 * SECOND],
  [20 * SECOND, 2 * SECOND],
  [2 * MINUTE, 5 * SECOND],
  [10 * MINUTE, 15 * SECOND],
  [HOUR, 2 * MINUTE],
  [24 * HOUR, 10 * MINUTE],
  [10 * 365 * 24 * HOUR, 10 * MINUTE],
])('a task of %d ms is looked at again after %d ms', (ageMs, pauseMs) => {
  expect(observeAgainAfterMs(ageMs)).toBe(pauseMs)
})

test.each([
  [0, undefined, 1 * SECOND],
  [0, 0, 1 * SECOND],
  [0, 33 * SECOND, 33 * SECOND],
  [24 * HOUR, SECOND, 10 * MINUTE],
  [0, 10 ** 12, HOUR],
])(
  'a look at %d ms that failed and asked for %s ms is repeated after %d ms',
  (ageMs, after, pauseMs) => {
    expect(lookAgainAfterMs(ageMs, after)).toBe(pauseMs)
  },
)

test.each([
  [0, 1 * SECOND],
  [20 * SECOND, 2 * SECOND],
  [2 * MINUTE, 5 * SECOND],
  [10 * MINUTE, 15 * SECOND],
  [365 * 24 * HOUR, 15 * SECOND],
])('a browser asks again %d ms after a change after %d ms', (sinceChangeMs, pauseMs) => {
  expect(pollAgainAfterMs(sinceChangeMs)).toBe(pauseMs)
})

test.each([
  [0, 1 * SECOND],
  [1, 2 * SECOND],
  [5, 32 * SECOND],
  [6, MINUTE],
  [1_000_000, MINUTE],
])('after %d failed deliveries the next follows after %d ms', (tries, pauseMs) => {
  expect(deliverAgainAfterMs(tries)).toBe(pauseMs)
})

test.each([
  [1, 500],
  [2, 1_000],
  [3, 2_000],
  [5, 8_000],
  [20, 8_000],
])('the pause after send %d is spread over all of 0 to %d ms', (sends, ceilingMs) => {
  const drawn = [0, 0.25, 0.5, 0.999_999].map((random) =>
    sendAgainAfterMs(sends, random, undefined),
  )
  expect(drawn).toEqual([0, ceilingMs / 4, ceilingMs / 2, ceilingMs])
})

test('what the provider asks for is a minimum, never shortened and never an extra', () => {
  expect(sendAgainAfterMs(1, 0.5, 7_000)).toBe(7_000)
  expect(sendAgainAfterMs(5, 0.5, 3_000)).toBe(4_000)
  expect(sendAgainAfterMs(1, 0.5, 10 ** 12)).toBe(10 ** 12)
})
