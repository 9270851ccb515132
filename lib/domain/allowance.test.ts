import { expect, test } from 'vitest'
import { remainingOf, resetsAt } from './allowance'

test.each([
  [5, 0, 0, 5],
  [5, 2, 1, 2],
  [5, 5, 0, 0],
  [5, 4, 1, 0],
  // A limit that was lowered below what the day has used takes nothing back.
  [2, 4, 1, 0],
  [0, 0, 0, 0],
])('of %d with %d delivered and %d held, %d remain', (limit, delivered, held, remaining) => {
  expect(remainingOf({ day: '2026-11-30', limit, delivered, held })).toBe(remaining)
})

test.each([
  ['2026-11-30', '2026-12-01T00:00:00.000Z'],
  ['2026-12-31', '2027-01-01T00:00:00.000Z'],
  ['2028-02-28', '2028-02-29T00:00:00.000Z'],
  // Clocks change on these days in some places; a UTC day has 24 hours all the same.
  ['2026-03-29', '2026-03-30T00:00:00.000Z'],
  ['2026-10-25', '2026-10-26T00:00:00.000Z'],
])('the day %s ends at %s', (day, at) => {
  expect(resetsAt({ day, limit: 5, delivered: 0, held: 0 }).toISOString()).toBe(at)
})
