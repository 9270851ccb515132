import { expect, test } from 'vitest'
import { AttemptId, TaskId } from './ids'
import type { Observation } from './observation'
import { givesUp, judgeTask, type TaskSeen } from './verification'

const attemptId = AttemptId.parse('0190f6a0-0000-7000-8000-000000000001')
const taskId = TaskId.parse('task-1')
const other = TaskId.parse('task-2')
const containing = (words: string): unknown => expect.stringContaining(words)
const away = { kind: 'unavailable', reason: 'it does not answer' } as const
const succeeded: Observation = { kind: 'succeeded', result: { url: 'https://x.test/1' } }
const failure = { code: 'provider_failed', message: 'it broke' } as const

const cases: readonly (readonly [string, TaskSeen, object])[] = [
  ['a task at work', { observation: { kind: 'pending', progress: 0.5 } }, { kind: 'believed' }],
  ['a finished task', { observation: succeeded }, { kind: 'believed' }],
  ['a failed task', { observation: { kind: 'failed', failure } }, { kind: 'believed' }],
  [
    'a task that is not there',
    { observation: { kind: 'missing', reason: 'no such task' } },
    { kind: 'refused', outcome: 'missing', found: 'no such task' },
  ],
  ['a provider that is away', { observation: away }, { kind: 'again', reason: away.reason }],
  [
    'our own reference',
    { observation: succeeded, reference: { kind: 'found', taskId, reference: attemptId } },
    { kind: 'believed', found: containing('has the reference of this attempt') },
  ],
  [
    'the reference of another',
    { observation: succeeded, reference: { kind: 'found', taskId, reference: 'somebody' } },
    { kind: 'refused', outcome: 'other_attempt', found: containing('somebody') },
  ],
  [
    'no reference at all',
    { observation: succeeded, reference: { kind: 'found', taskId } },
    { kind: 'refused', outcome: 'other_attempt' },
  ],
  [
    'a reference that cannot be read',
    { observation: succeeded, reference: away },
    { kind: 'again' },
  ],
  [
    'a reference that is not told',
    { observation: succeeded, reference: { kind: 'absent', reason: 'nothing' } },
    { kind: 'believed', found: containing('cannot be asked whose it is') },
  ],
  [
    'a search that finds it',
    { observation: succeeded, lookup: { kind: 'found', taskId } },
    { kind: 'believed', found: containing('has the reference of this attempt') },
  ],
  [
    'a search that finds another',
    { observation: succeeded, lookup: { kind: 'found', taskId: other } },
    { kind: 'refused', outcome: 'other_attempt', found: containing('task-2') },
  ],
  [
    'a search that finds nothing',
    { observation: succeeded, lookup: { kind: 'absent', reason: 'nothing' } },
    { kind: 'believed' },
  ],
]

test.each(cases)('%s', (_what, seen, verdict) => {
  expect(judgeTask(attemptId, taskId, seen)).toMatchObject(verdict)
})

test('after some tries it is said that nobody could be reached', () => {
  expect([1, 6, 7, 8].map(givesUp)).toEqual([false, false, true, true])
})
