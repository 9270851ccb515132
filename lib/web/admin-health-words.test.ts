import { expect, test } from 'vitest'
import { hourWords, paceInWords } from './admin-health-words'

test('how long it takes is said in a unit that can be compared', () => {
  expect([12.4, 850, 12_340, 119_000, 240_000].map(paceInWords)).toEqual([
    '12 ms',
    '850 ms',
    '12.3 s',
    '119.0 s',
    '4 min',
  ])
})

test('each hour is a sentence', () => {
  const counts = { taken: 3, refused: 1, unknown: 0 }
  expect([0, 1, 5].map((hours_ago) => hourWords({ hours_ago, ...counts }))).toEqual([
    'In the last hour: 3 taken, 1 refused, 0 unknown',
    '1 hour ago: 3 taken, 1 refused, 0 unknown',
    '5 hours ago: 3 taken, 1 refused, 0 unknown',
  ])
})
