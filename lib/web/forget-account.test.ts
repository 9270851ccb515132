import { expect, test } from 'vitest'
import { forgetAllOf } from './forget-account'
import { memoryStorage } from './testing/memory-storage'

test('everything of the account goes, and what is of the browser or of others stays', () => {
  const store = memoryStorage()
  store.setItem('darkroom.outbox.mine.1', 'x')
  store.setItem('darkroom.draft.mine', 'x')
  store.setItem('darkroom.draft.another', 'x')
  store.setItem('darkroom.notify', 'on')
  forgetAllOf('mine', store)
  const left = Array.from({ length: store.length }, (_, index) => store.key(index))
  expect(left.sort()).toEqual(['darkroom.draft.another', 'darkroom.notify'])
  forgetAllOf('mine', undefined)
})
