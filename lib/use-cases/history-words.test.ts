import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { EventRow } from '@/lib/db/attempt-reader'
import { attemptStates } from '@/lib/domain/attempt'
import { evidenceLine, historyLine } from './history-words'

const event = (changed: Partial<EventRow> = {}): EventRow => ({
  seq: 1,
  fromState: 'submitting',
  toState: 'pending',
  kind: 'accepted',
  actor: 'worker:1',
  evidence: { taskId: 'task-1' },
  createdAt: new Date('2026-11-30T12:00:00Z'),
  ...changed,
})

/** Every kind of line that the code can write, as the code says it. */
const kinds = (() => {
  const domain = [
    'decide',
    'decide-submission',
    'decide-task',
    'decide-delivery',
    'compensation',
    'operator-act',
  ]
    .map((name) => readFileSync(`lib/domain/${name}.ts`, 'utf8'))
    .join('\n')
  const spoken = [
    ...domain.matchAll(/because: '(\w+)'/g),
    ...domain.matchAll(/(?:failed|stay|pendingWith|decideTask)\((?:[^()']*, )?'(\w+)'/g),
    ...domain.matchAll(/'(\w+_(?:failed|missing|lookup|expired))'/g),
  ].map(([, kind = '']) => kind)
  const anomalies = /_task$|^task_before|^success_after/
  return [...new Set(['recorded', 'submission_begun', 'repeat_begun', ...spoken])].filter(
    (kind) => !anomalies.test(kind) && !attemptStates.some((state) => state === kind),
  )
})()

test('every line that can be written has words for the person who asked', () => {
  expect(kinds.length).toBeGreaterThan(18)
  const silent = kinds.filter((kind) => /^Something/.test(historyLine(event({ kind })).text))
  expect(silent).toEqual([])
})

test('a line of a kind that this version does not know is shown all the same', () => {
  expect(historyLine(event({ kind: 'of_a_later_version' })).text).toBe('Something was recorded.')
})

test('no line but an established failure says that it failed, and none that is open says charged', () => {
  const open = kinds.filter((kind) => !/reject|finally|failed_by|provider_failed|cancel/.test(kind))
  const words = open.map((kind) => historyLine(event({ kind })).text)
  expect(words.filter((text) => /\b(failed|charged|lost your)\b/i.test(text))).toEqual([])
})

test('the person reads no evidence, and the operator reads all of it', () => {
  expect(historyLine(event())).toEqual({
    seq: 1,
    at: '2026-11-30T12:00:00.000Z',
    status: 'generating',
    text: 'The image service accepted it.',
  })
  expect(evidenceLine(event())).toMatchObject({
    from_state: 'submitting',
    to_state: 'pending',
    actor: 'worker:1',
    evidence: { taskId: 'task-1' },
  })
})
