import { expect, test } from 'vitest'
import { everyState, otherTaskId } from '@/test/factories'
import { isFinal, settlementKinds } from './attempt'
import { decideOperatorAct, whyNot, type OperatorAct } from './operator-act'

const reason = 'as a test has it'
const acts: readonly OperatorAct[] = [
  { kind: 'compensate', reason },
  { kind: 'fail', reason },
  { kind: 'attach-task', taskId: otherTaskId, reason },
  {
    kind: 'record-delivery',
    result: { from: 'store', sha256: 'a'.repeat(64) },
    reason,
    proof: 'x',
  },
]
const cases = everyState.flatMap((state) =>
  [null, ...settlementKinds].flatMap((settlement) =>
    acts.map((act) => ({
      state,
      settlement,
      act,
      decision: decideOperatorAct({ state, settlement }, act),
    })),
  ),
)

test('what is final or on the wire is never decided by a person', () => {
  for (const { state, decision } of cases) {
    if (isFinal(state.state) || state.state === 'submitting') expect(decision.ok).toBe(false)
  }
})

test('every act carries its reason into the history', () => {
  for (const { decision } of cases) {
    if (decision.ok) expect(decision.value.evidence).toMatchObject({ reason })
  }
})

test('to compensate never changes what is known, and happens only to a standing reservation', () => {
  for (const { state, settlement, act, decision } of cases) {
    if (act.kind !== 'compensate' || !decision.ok) continue
    expect(decision.value).toMatchObject({ to: state.state, settlement: 'compensated', reason })
    expect(settlement).toBeNull()
  }
})

test('every open attempt that was sent can be compensated', () => {
  const possible = cases.filter(
    ({ act, settlement, decision }) =>
      act.kind === 'compensate' && settlement === null && decision.ok,
  )
  expect([...new Set(possible.map(({ state }) => state.state))].sort()).toEqual([
    'delivering',
    'pending',
    'status_unknown',
    'storage_failed',
  ])
})

test('to fail releases, and what was compensated is not released twice by the store', () => {
  for (const { act, decision } of cases) {
    if (act.kind === 'fail' && decision.ok) {
      expect(decision.value).toMatchObject({ to: 'failed', settlement: 'released', reason })
    }
  }
})

test('proof of a failure is kept in the history when there is some', () => {
  const proof = 'its support says so'
  const open = cases.find(({ act, decision }) => act.kind === 'fail' && decision.ok)
  if (open === undefined) throw new Error('no state can be failed by a person')
  const failed = decideOperatorAct(open, { kind: 'fail', reason, proof })
  expect(failed.ok && failed.value.evidence).toEqual({ reason, proof })
})

test('a task is attached only where none is known and one may exist', () => {
  for (const { state, act, decision } of cases) {
    if (act.kind !== 'attach-task') continue
    const fits = state.state === 'status_unknown' && state.taskId === undefined
    expect(decision.ok).toBe(fits)
    if (decision.ok) expect(decision.value).toMatchObject({ to: 'pending', taskId: otherTaskId })
  }
})

test('a brought image is delivered as every other, and settles nothing by itself', () => {
  for (const { state, act, decision } of cases) {
    if (act.kind !== 'record-delivery') continue
    const isOpen = !isFinal(state.state) && state.state !== 'submitting'
    expect(decision.ok).toBe(isOpen && state.state !== 'initializing')
    if (!decision.ok) continue
    expect(decision.value).toMatchObject({ to: 'delivering', result: act.result })
    expect(decision.value.settlement).toBeUndefined()
  }
})

test('what the provider said of a task is kept in the history', () => {
  const known = { state: { state: 'status_unknown', taskId: undefined }, settlement: null } as const
  const act = { kind: 'attach-task', taskId: otherTaskId, reason, proof: 'it is there' } as const
  const attached = decideOperatorAct(known, act)
  expect(attached.ok && attached.value.evidence).toMatchObject({ proof: 'it is there' })
})

test('it is searched for only where there is something to find and a way to search', () => {
  for (const state of everyState) {
    const fits = state.state === 'status_unknown' && state.taskId === undefined
    const why = (canLookUp?: boolean) => whyNot({ state, settlement: null, canLookUp }, 'look-up')
    expect(why(true) === undefined).toBe(fits)
    if (!fits) continue
    expect(why(false)).toContain('offers no search')
    expect(why()).toContain('No worker has said')
  }
})

test.each(everyState.map((state) => [state.state, state] as const))(
  'what makes sense while it is %s is offered, and the rest says why not',
  (name, state) => {
    const known = { state, settlement: null }
    const isOpen = !isFinal(name) && name !== 'submitting'
    const isMade = name === 'delivering' || name === 'storage_failed'
    const look = whyNot(known, 'look-again')
    expect(look === undefined).toBe(isOpen && !isMade && name !== 'initializing')
    expect(whyNot(known, 'retry-delivery') === undefined).toBe(isMade)
    expect(whyNot(known, 'fail') === undefined).toBe(isOpen)
    if (look !== undefined) expect(look).toMatch(/\.$/)
  },
)
