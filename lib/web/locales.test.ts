import { expect, test } from 'vitest'
import { localeOf } from './locales'

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['JA-jp', 'ja'],
  ['fr-FR, ja;q=0.8, de;q=0.9', 'de'],
  ['fr, it;q=0.9', 'en'],
  ['en-GB,en;q=0.9,de;q=0.8', 'en'],
  ['fr, *;q=0.5, de;q=0.1', 'en'],
  ['de;q=0, ja;q=0.1', 'ja'],
  ['de;q=often, ja', 'ja'],
  ['de ; q=0.2 , ja ; q=0.3', 'ja'],
  [`${'fr,'.repeat(5_000)}de`, 'en'],
  ['deutsch', 'en'],
  ['', 'en'],
  [null, 'en'],
  [undefined, 'en'],
])('a browser that asks for %j is answered in %s', (header, locale) => {
  expect(localeOf(undefined, header)).toBe(locale)
})

test('what was chosen here goes before what the browser asks for', () => {
  expect(localeOf('ja', 'de')).toBe('ja')
})

test.each(['fr', 'DE', '', '../en', '__proto__'])(
  'a choice that is none of ours, %j, is no choice',
  (chosen) => {
    expect(localeOf(chosen, 'de')).toBe('de')
  },
)
