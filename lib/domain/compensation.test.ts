import { expect, test } from 'vitest'
import { everyState, taskId } from '@/test/factories'
import { settlementKinds } from './attempt'
import { decideCompensation } from './compensation'

const policy = { version: 3, afterMs: 60_000 }
const unresolved = { state: 'status_unknown', taskId: undefined } as const
const old = { state: unresolved, settlement: null, stateAgeMs: 60_000 }

test('without a policy nothing is ever compensated, however old', () => {
  expect(decideCompensation({ ...old, stateAgeMs: Infinity }, undefined)).toBeUndefined()
})

test('an unresolved attempt is compensated from the policy’s hour on, and stays unresolved', () => {
  expect(decideCompensation({ ...old, stateAgeMs: 59_999 }, policy)).toBeUndefined()
  expect(decideCompensation(old, policy)).toMatchObject({
    kind: 'record',
    to: 'status_unknown',
    settlement: 'compensated',
    policyVersion: 3,
    evidence: { policyVersion: 3, unresolvedForMs: 60_000 },
  })
})

test('only what is unresolved is compensated', () => {
  const compensated = everyState.filter((state) =>
    decideCompensation({ ...old, state, stateAgeMs: Number.MAX_SAFE_INTEGER }, policy),
  )
  expect(new Set(compensated.map(({ state }) => state))).toEqual(new Set(['status_unknown']))
})

test.each(settlementKinds)('what was %s is not settled again', (settlement) => {
  expect(decideCompensation({ ...old, settlement }, policy)).toBeUndefined()
})

test('a task that can be looked at is looked at at once, afterwards', () => {
  const state = { state: 'status_unknown', taskId } as const
  expect(decideCompensation({ ...old, state }, policy)?.dueInMs).toBe(0)
  expect(decideCompensation(old, policy)?.dueInMs).toBeGreaterThan(0)
})
