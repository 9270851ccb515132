import { expect, test } from 'vitest'
import { z } from 'zod'
import { circumstances, everyNews, evidence, result, taskId } from '@/test/factories'
import { decide } from './decide'
import { InvariantError } from './invariant'
import { nextAction } from './next-action'
import { decideOperatorAct } from './operator-act'

// The compiler knows that none of these can be. A database, a disk or a program of another age does
// not: what it brings stops the work, and is never taken for the nearest thing that is known.

/** Calls past the compiler, as a row that lies would. */
const call = (target: (...args: never[]) => unknown, ...args: readonly unknown[]) => ({
  run: (): unknown => Reflect.apply(target, undefined, args),
})

const Recorded = z.object({ kind: z.literal('record') })

const given = circumstances()
const submission = { kind: 'submission', send: given.sends, outcome: { kind: 'perhaps', evidence } }

test.each([
  ['news', { state: 'pending', taskId }, { kind: 'rumour' }],
  ['an answer to a submission', { state: 'submitting' }, submission],
  ['a late answer to a submission', { state: 'status_unknown', taskId: undefined }, submission],
  [
    'an answer to a repeated submission',
    { state: 'status_unknown', taskId: undefined },
    { kind: 'repeat', outcome: { kind: 'perhaps', evidence } },
  ],
  [
    'what became of a wish to cancel',
    { state: 'pending', taskId },
    { kind: 'cancelling', outcome: { kind: 'perhaps' } },
  ],
  [
    'a state whose image was made at once',
    { state: 'forgotten', taskId: undefined },
    { ...submission, outcome: { kind: 'made-at', result } },
  ],
  [
    'what a look saw',
    { state: 'pending', taskId },
    { kind: 'observation', observation: { kind: 'perhaps' } },
  ],
  [
    'an end of a delivery',
    { state: 'delivering', taskId, result },
    { kind: 'delivery', outcome: { kind: 'perhaps' } },
  ],
  [
    'a state that is told its task',
    { state: 'forgotten', taskId: undefined },
    { kind: 'task-reported', taskId },
  ],
])('%s of a kind that is not known decides nothing', (_what, state, news) => {
  expect(call(decide, state, news, given).run).toThrow(InvariantError)
})

test('a state that is not known is neither submitted nor looked at nor given up', () => {
  expect(call(nextAction, { state: 'forgotten' }).run).toThrow(InvariantError)
})

test('an act that is not known does nothing to an attempt', () => {
  const known = { state: { state: 'status_unknown', taskId: undefined }, settlement: null }
  const act = { kind: 'forget', reason: 'for good reasons' }
  expect(call(decideOperatorAct, known, act).run).toThrow(InvariantError)
})

test('nothing that is told about a state that is not known changes it', () => {
  const changes = everyNews.filter((news) => {
    try {
      return Recorded.safeParse(call(decide, { state: 'forgotten' }, news, given).run()).success
    } catch (error) {
      if (error instanceof InvariantError) return false
      throw error
    }
  })
  expect(changes).toEqual([])
})
