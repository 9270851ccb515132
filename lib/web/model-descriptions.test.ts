import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { wordsOf } from '@/test/words'
import { LOCALES, sentenceGap } from './locales'
import { descriptionWords } from './model-descriptions'

/** Every description as it is declared, those that end in a sentence for several with it. */
const declared = readdirSync('lib/providers', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => {
    const path = `lib/providers/${name}/models.ts`
    return readdirSync(`lib/providers/${name}`).includes('models.ts')
      ? [...readFileSync(path, 'utf8').matchAll(/description:\s*'([^']+)'/g)]
      : []
  })
  .map(([, description = '']) => description)

const unknown = (description: string) =>
  descriptionWords(description).some(({ key }) => key === 'common.asWritten')

test('every model that can be offered is described in each language', () => {
  expect(declared.length).toBeGreaterThan(30)
  expect(declared.filter(unknown)).toEqual([])
})

test('in English it is described as it was declared', () => {
  const english = wordsOf('en')
  for (const description of declared) {
    expect(descriptionWords(description).map(english).join(sentenceGap.en)).toBe(description)
  }
  const both = `${declared[0] ?? ''} A lost answer can be found again.`
  expect(descriptionWords(both).map(english).join(' ')).toBe(both)
  expect(descriptionWords('Served by vLLM.').map(english)).toEqual(['Served by vLLM.'])
})

test('what nobody here declared is shown as it is', () => {
  for (const locale of LOCALES) {
    expect(descriptionWords('Draws cats.').map(wordsOf(locale))).toEqual(['Draws cats.'])
  }
})
