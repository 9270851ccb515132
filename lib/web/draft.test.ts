import { expect, test } from 'vitest'
import { simulatorModels } from '@/test/models'
import { createDraftStore, fitDraft, isSameDraft, parseSeed, type Draft } from './draft'
import { memoryStorage } from './testing/memory-storage'
import { ACCOUNT, OTHER_ACCOUNT } from './testing/outbox-item'

const DRAFT: Draft = {
  prompt: '  half \ud83d of a character ',
  model: 'simulator/proof',
  width: 608,
  height: 416,
  seed: { kind: 'fixed', seed: 5 },
}

test('a draft is there after the page was loaded anew, even one that could not be sent', () => {
  const storage = memoryStorage()
  createDraftStore(storage, ACCOUNT).write(DRAFT)
  expect(createDraftStore(storage, ACCOUNT).read()).toEqual(DRAFT)
})

test('another account of the same browser does not see it', () => {
  const storage = memoryStorage()
  createDraftStore(storage, ACCOUNT).write(DRAFT)
  expect(createDraftStore(storage, OTHER_ACCOUNT).read()).toBeUndefined()
})

test('typing goes on where the browser keeps nothing', () => {
  const store = createDraftStore(memoryStorage({ isFull: () => true }), ACCOUNT)
  store.write(DRAFT)
  expect(store.read()).toEqual(DRAFT)
})

test('a stored draft that is none is as good as none', () => {
  const storage = memoryStorage()
  storage.setItem(`darkroom.draft.${ACCOUNT}`, '{"prompt":1}')
  expect(createDraftStore(storage, ACCOUNT).read()).toBeUndefined()
})

test('a model or a size that is no longer offered gives way, and the prompt stays', () => {
  const [first] = simulatorModels
  expect(fitDraft({ ...DRAFT, model: 'gone/model' }, simulatorModels)).toMatchObject({
    model: first?.id,
    prompt: DRAFT.prompt,
    width: 1024,
  })
  expect(fitDraft({ ...DRAFT, width: 300 }, simulatorModels)).toMatchObject({
    model: DRAFT.model,
    width: 512,
    height: 512,
  })
  expect(fitDraft(DRAFT, simulatorModels)).toEqual(DRAFT)
  expect(fitDraft(undefined, [])).toBeUndefined()
})

test('a random seed is the same draft whatever was drawn; a fixed one is itself alone', () => {
  const generation = {
    model: DRAFT.model,
    prompt: DRAFT.prompt,
    settings: { width: 608, height: 416, seed: 6 },
  }
  expect(isSameDraft({ ...DRAFT, seed: { kind: 'random' } }, generation)).toBe(true)
  expect(isSameDraft(DRAFT, generation)).toBe(false)
})

test.each([
  ['0', 0],
  [' 42 ', 42],
  ['4294967295', 4_294_967_295],
  ['4294967296', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['', undefined],
])('the seed in %j is %s', (text, seed) => {
  expect(parseSeed(text)).toBe(seed)
})
