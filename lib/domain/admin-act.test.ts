import { expect, test } from 'vitest'
import { AdminAct, detailOf, subjectOf } from './admin-act'

const id = '01890000-0000-7000-8000-000000000001'
const attemptId = '01890000-0000-7000-8000-000000000002'
const accountId = '01890000-0000-7000-8000-000000000003'
const reason = 'as a test has it'
const ofAttempt = { id, reason, attemptId, version: 3 }
const ofAccount = { id, reason, accountId }

test.each<readonly [input: object, subject: string, detail: object]>([
  [{ act: 'look-again', ...ofAttempt }, `attempt:${attemptId}`, { version: 3 }],
  [{ act: 'look-up', ...ofAttempt }, `attempt:${attemptId}`, { version: 3 }],
  [
    { act: 'record-delivery', ...ofAttempt, sha256: 'ab'.repeat(32) },
    `attempt:${attemptId}`,
    { version: 3, sha256: 'ab'.repeat(32) },
  ],
  [{ act: 'retry-delivery', ...ofAttempt }, `attempt:${attemptId}`, { version: 3 }],
  [{ act: 'compensate', ...ofAttempt }, `attempt:${attemptId}`, { version: 3 }],
  [
    { act: 'attach-task', ...ofAttempt, taskId: ' task-1 ' },
    `attempt:${attemptId}`,
    { version: 3, taskId: 'task-1' },
  ],
  [
    { act: 'fail', ...ofAttempt, proof: 'its support says so' },
    `attempt:${attemptId}`,
    { version: 3, proof: 'its support says so' },
  ],
  [{ act: 'unblock-provider', id, reason, provider: 'openai' }, 'provider:openai', {}],
  [{ act: 'grant-credits', ...ofAccount, credits: '5' }, `account:${accountId}`, { credits: 5 }],
  [{ act: 'correct-credits', ...ofAccount, credits: -5 }, `account:${accountId}`, { credits: -5 }],
  [{ act: 'approve', ...ofAccount, requestId: id }, `account:${accountId}`, { requestId: id }],
  [{ act: 'reject', ...ofAccount, requestId: id }, `account:${accountId}`, { requestId: id }],
  [{ act: 'suspend', ...ofAccount }, `account:${accountId}`, {}],
  [{ act: 'restore', ...ofAccount }, `account:${accountId}`, {}],
  [{ act: 'end-sessions', ...ofAccount }, `account:${accountId}`, {}],
  [{ act: 'read-prompts', ...ofAccount }, `account:${accountId}`, {}],
])('%j is logged by what it is about and what it asks for', (input, subject, detail) => {
  const act = AdminAct.parse(input)
  expect(subjectOf(act)).toBe(subject)
  expect(detailOf(act)).toEqual(detail)
})

test.each<readonly [what: string, input: object]>([
  ['no reason', { act: 'suspend', ...ofAccount, reason: '' }],
  ['a reason of blanks', { act: 'suspend', ...ofAccount, reason: ' '.repeat(20) }],
  ['a reason that cannot be kept', { act: 'suspend', ...ofAccount, reason: 'nul \u0000 inside' }],
  ['half a character', { act: 'suspend', ...ofAccount, reason: 'half \ud800 a character' }],
  ['a reason without end', { act: 'suspend', ...ofAccount, reason: 'x'.repeat(1_001) }],
  ['no version', { act: 'compensate', ...ofAttempt, version: -1 }],
  ['no image', { act: 'record-delivery', ...ofAttempt, sha256: '' }],
  ['no task', { act: 'attach-task', ...ofAttempt, taskId: ' ' }],
  ['no proof', { act: 'fail', ...ofAttempt, proof: 'so' }],
  ['nothing granted', { act: 'grant-credits', ...ofAccount, credits: 0 }],
  ['less than nothing granted', { act: 'grant-credits', ...ofAccount, credits: -1 }],
  ['half a credit', { act: 'grant-credits', ...ofAccount, credits: 0.5 }],
  ['a correction of nothing', { act: 'correct-credits', ...ofAccount, credits: 0 }],
  ['more than an account may hold', { act: 'correct-credits', ...ofAccount, credits: 2e9 }],
  ['something more', { act: 'suspend', ...ofAccount, also: 1 }],
])('%s is refused', (_what, input) => {
  expect(AdminAct.safeParse(input).success).toBe(false)
})
