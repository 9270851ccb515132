import { expect, test } from 'vitest'
import { createOutbox, outboxPrefix, requestOf } from './outbox'
import { memoryStorage } from './testing/memory-storage'
import { ACCOUNT, OTHER_ACCOUNT, outboxItem } from './testing/outbox-item'

const withSeed = (seed: number) => outboxItem(1, { settings: { width: 1, height: 1, seed } })

test('a request that was put in is there after the page was loaded anew, exactly as it was', () => {
  const storage = memoryStorage()
  const item = outboxItem(1, { prompt: '  😀 e\u0301\n\u202E مرحبا  ' })
  expect(createOutbox(storage, ACCOUNT).put(item)).toBe(true)
  expect(createOutbox(storage, ACCOUNT).list()).toEqual([item])
})

test('what is sent is the input alone, without what only the browser needs', () => {
  const { requestId, model, prompt, settings } = outboxItem()
  expect(requestOf(outboxItem())).toEqual({ requestId, model, prompt, settings })
})

test('another account of the same browser sees nothing, and removes nothing', () => {
  const storage = memoryStorage()
  createOutbox(storage, ACCOUNT).put(outboxItem())
  const other = createOutbox(storage, OTHER_ACCOUNT)
  expect(other.list()).toEqual([])
  other.remove(outboxItem().requestId)
  expect(createOutbox(storage, ACCOUNT).list()).toHaveLength(1)
})

test('says when the browser did not keep a request', () => {
  expect(createOutbox(memoryStorage({ isFull: () => true }), ACCOUNT).put(outboxItem())).toBe(false)
  expect(createOutbox(undefined, ACCOUNT).put(outboxItem())).toBe(false)
})

test.each([
  ['text that is not JSON', '{"requestId":'],
  ['another shape', '{"requestId":"x"}'],
  ['an unknown field', JSON.stringify({ ...outboxItem(), extra: 1 })],
  ['another id than its key', JSON.stringify(outboxItem(2))],
  ['a seed that is none', JSON.stringify(withSeed(-1))],
  [
    'an unknown setting',
    JSON.stringify({ ...outboxItem(1), settings: { width: 1, height: 1, x: 1 } }),
  ],
])('drops %s and keeps the rest', (_, text) => {
  const storage = memoryStorage()
  const outbox = createOutbox(storage, ACCOUNT)
  outbox.put(outboxItem(3))
  storage.setItem(`${outboxPrefix(ACCOUNT)}${outboxItem(1).requestId}`, text)
  expect(outbox.list()).toEqual([outboxItem(3)])
  expect(storage.keys()).toHaveLength(1)
})

test('lists the oldest first, and the same array until something changes', () => {
  const outbox = createOutbox(memoryStorage(), ACCOUNT)
  outbox.put(outboxItem(2))
  outbox.put(outboxItem(1))
  const first = outbox.list()
  expect(first.map(({ requestId }) => requestId)).toEqual([
    outboxItem(1).requestId,
    outboxItem(2).requestId,
  ])
  expect(outbox.list()).toBe(first)
  outbox.remove(outboxItem(1).requestId)
  expect(outbox.list()).toEqual([outboxItem(2)])
})

test('sees at once what another tab put in or removed', () => {
  const storage = memoryStorage()
  const [here, there] = [createOutbox(storage, ACCOUNT), createOutbox(storage, ACCOUNT)]
  expect(here.list()).toEqual([])
  there.put(outboxItem(1))
  here.put(outboxItem(2))
  expect(here.list()).toHaveLength(2)
  there.remove(outboxItem(2).requestId)
  expect(here.list()).toEqual([outboxItem(1)])
})

test('keeps the order of one press', () => {
  const outbox = createOutbox(memoryStorage(), ACCOUNT)
  const { createdAt } = outboxItem(1)
  for (const nth of [2, 0, 1]) outbox.put(outboxItem(nth + 1, { createdAt, place: { nth, of: 3 } }))
  expect(outbox.list().map(({ place }) => place?.nth)).toEqual([0, 1, 2])
})

test('tells its listeners of each change until they leave', () => {
  const outbox = createOutbox(memoryStorage(), ACCOUNT)
  let changes = 0
  const leave = outbox.subscribe(() => (changes += 1))
  outbox.put(outboxItem())
  outbox.remove(outboxItem().requestId)
  leave()
  outbox.put(outboxItem())
  expect(changes).toBe(2)
})
