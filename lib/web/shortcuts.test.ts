import { expect, test } from 'vitest'
import { keepSingleKeys, shortcutOf, usesSingleKeys } from './shortcuts'
import { memoryStorage } from './testing/memory-storage'

const STROKE = {
  key: '?',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  isComposing: false,
  isElsewhere: false,
}

test.each([
  [{}, 'list'],
  [{ key: '/' }, 'prompt'],
  [{ key: 'a' }, undefined],
  [{ isElsewhere: true }, undefined],
  [{ repeat: true }, undefined],
  [{ isComposing: true }, undefined],
  [{ ctrlKey: true }, undefined],
  [{ metaKey: true }, undefined],
  [{ altKey: true }, undefined],
])('%j does %s', (change, act) => {
  expect(shortcutOf({ ...STROKE, ...change })).toBe(act)
})

test('single keys can be turned off, and stay so', () => {
  const store = memoryStorage()
  expect(usesSingleKeys(store)).toBe(true)
  keepSingleKeys(store, false)
  expect(usesSingleKeys(store)).toBe(false)
  keepSingleKeys(store, true)
  expect(usesSingleKeys(store)).toBe(true)
})
