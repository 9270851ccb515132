import { expect, test } from 'vitest'
import { wordsOf } from '@/test/words'
import { abilityWords, groupModels, searchModels, usualWords } from './model-words'
import { PLAIN, RICH, SEEDLESS } from './testing/offer'

const OFFER = [PLAIN, RICH, SEEDLESS]

test.each([
  [4, 'about 4 s'],
  [89, 'about 89 s'],
  [90, 'about 2 min'],
  [120, 'about 2 min'],
])('%s s is %s', (seconds, words) => {
  expect(wordsOf('en')(usualWords(seconds))).toBe(words)
})

test.each([
  ['', OFFER],
  ['  RICH ', [RICH]],
  ['acme', [RICH]],
  ['simulator safelight', [PLAIN]],
  ['negative', [RICH]],
  ['seed', [PLAIN, RICH]],
  ['nothing like it', []],
])('a search for %j finds what has all its words', (query, found) => {
  expect(
    searchModels([PLAIN, RICH, { ...SEEDLESS, id: 'other/bare' }], query, wordsOf('en')).map(
      ({ name }) => name,
    ),
  ).toEqual(found.map(({ name }) => name))
})

test('models stand together by provider', () => {
  expect(
    groupModels([PLAIN, RICH, SEEDLESS]).map(({ title, models }) => [title, models.length]),
  ).toEqual([
    ['Simulator', 2],
    ['Acme', 1],
  ])
})

test('a single quality is no choice', () => {
  expect(abilityWords({ ...RICH, qualities: ['only'] }).map(wordsOf('en'))).toEqual([
    'seed',
    'negative prompt',
  ])
})
