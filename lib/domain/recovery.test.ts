import { expect, test } from 'vitest'
import { recoverySteps } from './recovery'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

test('where a provider offers nothing, nothing is done by ourselves', () => {
  expect(recoverySteps({ lookup: undefined, idempotentForMs: undefined }, 0)).toEqual([])
})

test.each([
  [0, ['look-up', 'repeat']],
  [60 * MINUTE - 1, ['look-up', 'repeat']],
  [60 * MINUTE, ['repeat']],
  [DAY - 5 * MINUTE - 1, ['repeat']],
  [DAY - 5 * MINUTE, []],
  [30 * DAY, []],
])('%s ms after the submission, what is still possible is %j', (sentAgeMs, expected) => {
  const lookup = { by: 'list', forMs: 60 * MINUTE } as const
  expect(recoverySteps({ lookup, idempotentForMs: DAY }, sentAgeMs)).toEqual(expected)
})
