import { expect, test } from 'vitest'
import { everyState } from '@/test/factories'
import { nextAction } from './next-action'

test('only an initializing attempt is ever submitted', () => {
  const submitted = everyState.filter((state) => nextAction(state) === 'submit')
  expect(submitted).toEqual([{ state: 'initializing' }])
})

test('a dead lease while submitting makes the outcome unknown, never a second submission', () => {
  expect(nextAction({ state: 'submitting' })).toBe('mark_unknown')
})

test('what has no task to look at waits for evidence, and what has one is looked at', () => {
  const actions = everyState.flatMap((state) =>
    state.state === 'status_unknown' || state.state === 'pending'
      ? [[state.taskId === undefined, nextAction(state)]]
      : [],
  )
  expect(actions).toEqual([
    [false, 'observe'],
    [true, 'await_evidence'],
    [false, 'observe'],
  ])
})

test('only a made image is delivered', () => {
  const delivered = everyState.filter((state) => nextAction(state) === 'deliver')
  expect(delivered.length).toBeGreaterThan(0)
  expect(delivered.every((state) => 'result' in state)).toBe(true)
})

test('nothing is done about a final state', () => {
  const idle = everyState.filter((state) => nextAction(state) === 'none')
  expect(new Set(idle.map(({ state }) => state))).toEqual(new Set(['completed', 'failed']))
})
