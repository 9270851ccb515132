import { expect, test } from 'vitest'
import { everyState, taskId } from '@/test/factories'
import type { AttemptState, AttemptStateName } from './attempt'
import { decideOperatorAct, type OperatorAct } from './operator-act'

const reason = 'seen in the provider’s console'
const compensate: OperatorAct = { kind: 'compensate', reason }
const fail: OperatorAct = { kind: 'fail', reason }
const attach: OperatorAct = { kind: 'attach-task', taskId, reason }

const possible = (act: OperatorAct): ReadonlySet<AttemptStateName> =>
  new Set(
    everyState
      .filter((state) => decideOperatorAct({ state, settlement: null }, act).ok)
      .map(({ state }) => state),
  )

test('an operator fails what is open, but not what a worker is sending', () => {
  expect(possible(fail)).toEqual(
    new Set(['initializing', 'pending', 'status_unknown', 'delivering', 'storage_failed']),
  )
})

test('an operator compensates only what was sent, and only once', () => {
  expect(possible(compensate)).toEqual(
    new Set(['pending', 'status_unknown', 'delivering', 'storage_failed']),
  )
  const state: AttemptState = { state: 'status_unknown', taskId: undefined }
  expect(decideOperatorAct({ state, settlement: 'compensated' }, compensate).ok).toBe(false)
})

test('a task is attached only where none is known', () => {
  expect(possible(attach)).toEqual(new Set(['status_unknown']))
  const known: AttemptState = { state: 'status_unknown', taskId }
  expect(decideOperatorAct({ state: known, settlement: null }, attach).ok).toBe(false)
})

test('compensating leaves the outcome as open as it was', () => {
  for (const state of everyState) {
    const act = decideOperatorAct({ state, settlement: null }, compensate)
    if (act.ok)
      expect(act.value).toMatchObject({ to: state.state, settlement: 'compensated', reason })
  }
})

test('no act sends anything again, and each carries its reason', () => {
  const acts = everyState.flatMap((state) =>
    [compensate, fail, attach].map((act) => decideOperatorAct({ state, settlement: null }, act)),
  )
  expect(acts.filter((act) => act.ok && act.value.to === 'initializing')).toEqual([])
  for (const act of acts) {
    if (act.ok) {
      expect(act.value.evidence).toMatchObject({ reason })
    } else {
      expect(act.refusal.message).not.toBe('')
    }
  }
})
