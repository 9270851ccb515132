import { expect, test } from 'vitest'
import { AccountId, AttemptId, RequestId, SessionId, TaskId } from './ids'

const uuids = [
  ['account', AccountId],
  ['attempt', AttemptId],
  ['request', RequestId],
  ['session', SessionId],
] as const

test.each(uuids)('the id of an %s is a UUID and nothing near it', (_of, Id) => {
  const id = '01900000-0000-7000-8000-000000000001'
  expect(Id.parse(id)).toBe(id)
  const wrong = ['', 'x', id.slice(1), `${id}0`, ` ${id}`, id.replaceAll('-', ''), 1, null]
  expect(wrong.filter((value) => Id.safeParse(value).success)).toEqual([])
})

test('a task id is whatever text the provider calls it, within bounds', () => {
  expect(TaskId.parse('a/b?c=ü')).toBe('a/b?c=ü')
  expect(TaskId.safeParse('x'.repeat(200)).success).toBe(true)
  const wrong = ['', 'x'.repeat(201), 'a\u0000', 'a\ud83d', 7, null, undefined]
  expect(wrong.filter((value) => TaskId.safeParse(value).success)).toEqual([])
})
