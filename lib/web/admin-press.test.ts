import { expect, test } from 'vitest'
import { forgetPress, pressIdOf } from './admin-press'
import { memoryStorage } from './testing/memory-storage'

test('a press keeps its id until its answer is known, whatever is typed meanwhile', () => {
  const store = memoryStorage()
  const asked = { act: 'grant-credits', accountId: 'a', credits: '5', reason: 'one' }
  const id = pressIdOf(asked, store)
  expect(pressIdOf({ ...asked, credits: '6', reason: 'two' }, store)).toBe(id)
  expect(pressIdOf({ ...asked, accountId: 'b' }, store)).not.toBe(id)
  expect(pressIdOf({ ...asked, act: 'correct-credits' }, store)).not.toBe(id)
  forgetPress(asked, store)
  expect(pressIdOf(asked, store)).not.toBe(id)
})
