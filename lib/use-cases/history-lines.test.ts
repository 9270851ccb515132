import { expect, test } from 'vitest'
import type { EventRow } from '@/lib/db/attempt-reader'
import { evidenceLine, historyLine } from './history-lines'

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

test('the person reads no evidence, and the operator reads all of it', () => {
  expect(historyLine(event())).toEqual({
    seq: 1,
    at: '2026-11-30T12:00:00.000Z',
    status: 'generating',
    kind: 'accepted',
  })
  expect(evidenceLine(event())).toMatchObject({
    from_state: 'submitting',
    to_state: 'pending',
    actor: 'worker:1',
    evidence: { taskId: 'task-1' },
  })
})
