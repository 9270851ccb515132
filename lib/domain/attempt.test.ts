import { expect, test } from 'vitest'
import { attemptStates, isFinal, statusWordOf } from './attempt'

test('every state has its word, and only those that look alike to the user share one', () => {
  expect(attemptStates.map((state) => [state, statusWordOf(state)])).toEqual([
    ['initializing', 'queued'],
    ['submitting', 'submitting'],
    ['pending', 'generating'],
    ['status_unknown', 'unresolved'],
    ['delivering', 'delivering'],
    ['storage_failed', 'delivering'],
    ['completed', 'delivered'],
    ['failed', 'failed'],
  ])
})

test('only a delivered and a failed attempt are final: unresolved is not', () => {
  expect(attemptStates.filter(isFinal)).toEqual(['completed', 'failed'])
})
