import { expect, test } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import { placesOf, regionsBeside, taskIdOf } from './task-address'

const GLOBAL = 'https://api.bfl.ai'
const placesFor = (taskId: string, base = GLOBAL) =>
  placesOf(TaskId.parse(taskId), base, regionsBeside(base))

test.each([
  ['another region', 'https://api.eu4.bfl.ai/v1/get_result?id=t1', 't1@api.eu4.bfl.ai'],
  ['the same host', 'https://api.bfl.ai/v1/get_result?id=t1', 't1'],
  ['nothing', undefined, 't1'],
  ['no address', 'soon', 't1'],
  ['a foreign host', 'https://api.bfl.ai.example.com/v1/get_result?id=t1', 't1'],
  ['a host that only ends alike', 'https://notbfl.ai/v1/get_result?id=t1', 't1'],
  ['a port', 'https://api.bfl.ai:8443/v1/get_result?id=t1', 't1'],
  ['no encryption', 'http://api.eu4.bfl.ai/v1/get_result?id=t1', 't1'],
])('a task that is polled at %s is called so', (_what, polling_url, expected) => {
  expect(taskIdOf({ id: 't1', polling_url }, GLOBAL)).toBe(expected)
})

test('a task is looked at where it was said to be, and nowhere else', () => {
  expect(placesFor('t1@api.eu4.bfl.ai')).toEqual({
    first: 'https://api.eu4.bfl.ai/v1/get_result?id=t1',
    others: [],
  })
})

test('a task of which only the id is known may be in any region', () => {
  const { first, others } = placesFor('t1')
  expect(first).toBe('https://api.bfl.ai/v1/get_result?id=t1')
  expect(others).toContain('https://api.eu.bfl.ai/v1/get_result?id=t1')
  expect(others).not.toContain(first)
})

test('who stands in for the provider has no regions', () => {
  expect(placesFor('t1', 'http://127.0.0.1:3001/bfl')).toEqual({
    first: 'http://127.0.0.1:3001/bfl/v1/get_result?id=t1',
    others: [],
  })
})

test.each(['t1@evil.example', 't1@bfl.ai.evil.example', 't1@api.bfl.ai:1', '../../x?y#z'])(
  'our key does not follow a name like %s to another place',
  (taskId) => {
    const { first } = placesFor(taskId)
    expect(first).toBe(`https://api.bfl.ai/v1/get_result?id=${encodeURIComponent(taskId)}`)
  },
)
