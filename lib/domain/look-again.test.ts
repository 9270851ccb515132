import { expect, test } from 'vitest'
import { attemptStates } from './attempt'
import { mayLookAgain } from './look-again'

const NOW = new Date('2026-11-30T12:00:00Z')
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)

test.each(attemptStates)('only what was sent and is open is looked at again: %s', (state) => {
  const sent = ['pending', 'status_unknown', 'delivering', 'storage_failed'].includes(state)
  expect(mayLookAgain({ state, lookedAt: at(-60), dueAt: at(60) }, NOW)).toBe(sent)
})

test.each([
  ['looked at long ago', at(-10), at(60), true],
  ['never looked at', null, at(60), true],
  ['looked at a moment ago', at(-9), at(60), false],
  ['looked at soon anyway', at(-60), at(4), false],
  ['final', at(-60), undefined, false],
])('%s', (_, lookedAt, dueAt, expected) => {
  expect(mayLookAgain({ state: 'pending', lookedAt, dueAt }, NOW)).toBe(expected)
})
