import { expect, test } from 'vitest'
import { settingProblemCodes } from '@/lib/domain/model'
import { promptProblems } from '@/lib/domain/prompt'
import { wordsOf } from '@/test/words'
import { LOCALES } from './locales'
import { problemWords } from './problem-words'
import { qualityWords } from './quality-words'
import { refusalWords } from './start-answer'

const VALUES = { model: 'Bare', most: 4_000, offered: '512 x 512', image: '0123…', field: 'seed' }
const CODES = [
  ...settingProblemCodes,
  ...promptProblems,
  'reference-image-missing',
  'not-understood',
]

test.each(CODES)('what is wrong is said in every language, whatever it is: %s', (code) => {
  const problem = { field: 'x', code, values: VALUES, message: 'as a program reads it' }
  const said = LOCALES.map((locale) => wordsOf(locale)(problemWords(problem)))
  expect(said).not.toContain(problem.message)
  expect(new Set(said).size).toBe(LOCALES.length)
})

test.each(['of-a-later-version', 'toString', 'notKept'])(
  'a code that this page does not know, %s, is said as the server wrote it',
  (code) => {
    const problem = { field: 'x', code, values: {}, message: 'As it was written.' }
    expect(wordsOf('de')(problemWords(problem))).toBe('As it was written.')
  },
)

test('a code without what its sentence speaks of is said as the server wrote it', () => {
  const problem = { field: 'x', code: 'no-seed', values: {}, message: 'As it was written.' }
  expect(wordsOf('ja')(problemWords(problem))).toBe('As it was written.')
})

test('a refusal says all that is wrong, in the order in which it was found', () => {
  const said = refusalWords({
    code: 'invalid-input',
    fields: [
      { field: 'prompt', code: 'too-long', values: { most: 4_000 }, message: '' },
      { field: 'settings.seed', code: 'no-seed', values: { model: 'Bare' }, message: '' },
    ],
  })
  expect(said.map(wordsOf('de'))).toEqual([
    'Der Prompt ist zu lang: höchstens 4.000 Zeichen.',
    'Bare nimmt keinen Seed an.',
  ])
})

test('a quality has a name in each language, or its provider’s own', () => {
  expect(wordsOf('de')(qualityWords('high'))).toBe('hoch')
  expect(wordsOf('de')(qualityWords('ultra'))).toBe('ultra')
})
