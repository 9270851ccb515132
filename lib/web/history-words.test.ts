import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { attemptStates } from '@/lib/domain/attempt'
import { wordsOf } from '@/test/words'
import { historyWords } from './history-words'
import { LOCALES, type Locale } from './locales'

const english = wordsOf('en')
// How each language would say that it failed or was charged.
const CLAIMS: Record<Locale, RegExp> = {
  en: /\b(failed|charged|lost your)\b/i,
  de: /fehlgeschlagen|berechnet/i,
  ja: /失敗|消費/,
}

/** Every kind of line that the code can write, as the code says it. */
const kinds = (() => {
  const domain = [
    'decide',
    'decide-submission',
    'decide-task',
    'decide-delivery',
    'compensation',
    'operator-act',
  ]
    .map((name) => readFileSync(`lib/domain/${name}.ts`, 'utf8'))
    .join('\n')
  const spoken = [
    ...domain.matchAll(/because: '(\w+)'/g),
    ...domain.matchAll(/(?:failed|stay|pendingWith|decideTask)\((?:[^()']*, )?'(\w+)'/g),
    ...domain.matchAll(/'(\w+_(?:failed|missing|lookup|expired))'/g),
  ].map(([, kind = '']) => kind)
  const anomalies = /_task$|^task_before|^success_after/
  return [...new Set(['recorded', 'submission_begun', 'repeat_begun', ...spoken])].filter(
    (kind) => !anomalies.test(kind) && !attemptStates.some((state) => state === kind),
  )
})()

test('every line that can be written has words for the person who asked', () => {
  expect(kinds.length).toBeGreaterThan(18)
  const silent = kinds.filter((kind) => historyWords(kind).key === 'history.other')
  expect(silent).toEqual([])
})

test('a line of a kind that this version does not know is shown all the same', () => {
  expect(english(historyWords('of_a_later_version'))).toBe('Something was recorded.')
  expect(historyWords('toString').key).toBe('history.other')
  expect(historyWords('other').key).toBe('history.other')
})

test('no line but an established failure says that it failed, and none that is open says charged', () => {
  const open = kinds.filter((kind) => !/reject|finally|failed_by|provider_failed|cancel/.test(kind))
  for (const locale of LOCALES) {
    const words = open.map((kind) => wordsOf(locale)(historyWords(kind)))
    expect(words.filter((text) => CLAIMS[locale].test(text))).toEqual([])
  }
})
