import type { ModelFacts } from '@/lib/domain/model'
import { expect, test } from 'vitest'
import { parseSeed } from '@/lib/domain/seed'
import {
  createDraftStore,
  draftOf,
  fitDraft,
  isSameDraft,
  leftOutWords,
  settingsOf,
  type Draft,
} from './draft'
import { wordsOf } from '@/test/words'
import { memoryStorage } from './testing/memory-storage'
import { PLAIN, RICH, SEEDLESS } from './testing/offer'
import { ACCOUNT, OTHER_ACCOUNT } from './testing/outbox-item'

const english = wordsOf('en')
const leftOut = (wish: Draft | undefined, fitted: Draft, model: ModelFacts) =>
  leftOutWords(wish, fitted, model, english).map(english)

const DRAFT: Draft = {
  prompt: '  half \ud83d of a character ',
  model: RICH.id,
  width: 1536,
  height: 1024,
  seed: { kind: 'fixed', seed: 5 },
  negativePrompt: 'fog',
  quality: 'high',
  referenceImages: ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)],
  images: 2,
}
const OFFER = [PLAIN, RICH, SEEDLESS]

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

test('a draft of an older page is read, with what it did not know as it begins', () => {
  const storage = memoryStorage()
  const old = { prompt: 'a', model: PLAIN.id, width: 1, height: 2, seed: { kind: 'random' } }
  storage.setItem(`darkroom.draft.${ACCOUNT}`, JSON.stringify(old))
  const read = createDraftStore(storage, ACCOUNT).read()
  expect(read).toEqual({
    ...old,
    negativePrompt: '',
    quality: undefined,
    referenceImages: [],
    images: 1,
  })
})

test.each([
  [0, 1],
  [9, 4],
  [2.4, 2],
])('%s pictures at a press are read as %s', (stored, images) => {
  const storage = memoryStorage()
  storage.setItem(`darkroom.draft.${ACCOUNT}`, JSON.stringify({ ...DRAFT, images: stored }))
  expect(createDraftStore(storage, ACCOUNT).read()?.images).toBe(images)
})

test('a model that is no longer offered gives way to the first that can be chosen', () => {
  const gone = { ...DRAFT, model: 'gone/model' }
  expect(fitDraft(gone, OFFER)).toMatchObject({ model: PLAIN.id, prompt: DRAFT.prompt })
  const blocked = { ...PLAIN, unavailable: 'Not just now.' }
  expect(fitDraft(gone, [blocked, RICH])?.model).toBe(RICH.id)
  expect(fitDraft(undefined, [blocked, RICH])?.model).toBe(RICH.id)
  expect(fitDraft(undefined, [blocked])?.model).toBe(PLAIN.id)
  expect(fitDraft(undefined, [])).toBeUndefined()
})

test('a chosen model that cannot be had just now stays chosen: another has another price', () => {
  const blocked = { ...RICH, unavailable: 'Not just now.' }
  expect(fitDraft(DRAFT, [PLAIN, blocked])?.model).toBe(RICH.id)
})

test('a size that is not offered gives way to the nearest in shape', () => {
  expect(fitDraft({ ...DRAFT, width: 600, height: 420 }, OFFER)).toMatchObject({
    width: 1536,
    height: 1024,
  })
  expect(fitDraft({ ...DRAFT, width: 1000, height: 990 }, OFFER)).toMatchObject({
    width: 1024,
    height: 1024,
  })
  expect(fitDraft(DRAFT, OFFER)).toEqual(DRAFT)
})

test('what a model does not offer stays in the draft, is not asked for, and is named', () => {
  const wish = { ...DRAFT, model: SEEDLESS.id }
  const fitted = fitDraft(wish, OFFER)
  if (!fitted) throw new Error('it fits')
  expect(fitted).toMatchObject({ seed: DRAFT.seed, negativePrompt: 'fog' })
  expect(settingsOf(fitted, SEEDLESS, 5)).toEqual({ width: 1216, height: 832 })
  expect(leftOut(wish, fitted, SEEDLESS)).toEqual([
    'Bare does not make 1536 × 1024; 1216 × 832 is the nearest it makes.',
    'Bare takes no seed: 5 is kept here and not sent.',
    'Bare takes no negative prompt: yours is kept here and not sent.',
    'Bare has no choice of quality: “high” is not sent.',
    'Bare takes no reference images: yours are kept here and not sent.',
  ])
  expect(fitDraft({ ...wish, model: RICH.id }, OFFER)).toEqual(DRAFT)
})

test('nothing is said where nothing is left out', () => {
  expect(leftOut(DRAFT, DRAFT, RICH)).toEqual([])
  expect(leftOut(undefined, DRAFT, RICH)).toEqual([])
})

test('another quality, and another model, are named too', () => {
  const wish = { ...DRAFT, model: 'gone/model', quality: 'ultra' }
  const fitted = fitDraft(wish, [RICH])
  expect(fitted && leftOut(wish, fitted, RICH)).toEqual([
    'The model you had is not offered now; this is Rich.',
    'Rich has no “ultra” quality; “medium” is used.',
  ])
})

test('a random seed is the same draft whatever was drawn; a fixed one is itself alone', () => {
  const generation = {
    model: DRAFT.model,
    prompt: DRAFT.prompt,
    settings: settingsOf(DRAFT, RICH, 6),
  }
  expect(isSameDraft({ ...DRAFT, seed: { kind: 'random' } }, RICH, generation)).toBe(true)
  expect(isSameDraft(DRAFT, RICH, generation)).toBe(false)
  expect(isSameDraft(DRAFT, RICH, generation, 1)).toBe(true)
  expect(isSameDraft({ ...DRAFT, quality: 'medium' }, RICH, generation, 1)).toBe(false)
  expect(isSameDraft({ ...DRAFT, negativePrompt: '' }, RICH, generation, 1)).toBe(false)
})

test('a draft from a picture asks for it again, or with a new seed for another like it', () => {
  const generation = {
    model: RICH.id,
    prompt: DRAFT.prompt,
    settings: settingsOf(DRAFT, RICH, 5),
  }
  expect(draftOf(generation)).toEqual({ ...DRAFT, images: 1 })
  expect(draftOf(generation, 'new').seed).toEqual({ kind: 'random' })
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
