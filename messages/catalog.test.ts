import { readdirSync, readFileSync } from 'node:fs'
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { describe, expect, test } from 'vitest'
import { LOCALES, type Locale } from '@/lib/web/locales'
import { catalog } from './catalog'
import { sameInEveryLanguage } from './same-in-every-language'

type Tree = { readonly [name: string]: string | Tree }

const flat = (tree: Tree, path = ''): readonly (readonly [key: string, text: string])[] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [[path + name, value] as const] : flat(value, `${path}${name}.`),
  )

const textsOf = (locale: Locale) => new Map(flat(catalog[locale]))
const english = textsOf('en')
const others = LOCALES.filter((locale) => locale !== 'en')

/** What a message needs from whoever says it: "count plural", "name argument", "link tag". */
function needsOf(elements: readonly MessageFormatElement[]): readonly string[] {
  return elements.flatMap((element): readonly string[] => {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        return []
      case TYPE.argument:
        return [`${element.value} argument`]
      case TYPE.number:
        return [`${element.value} number`]
      case TYPE.date:
      case TYPE.time:
        return [`${element.value} date`]
      case TYPE.select:
      case TYPE.plural:
        return [
          element.type === TYPE.select ? `${element.value} select` : `${element.value} number`,
          ...Object.values(element.options).flatMap(({ value }) => needsOf(value)),
        ]
      case TYPE.tag:
        return [`${element.value} tag`, ...needsOf(element.children)]
    }
  })
}

const needs = (text: string) => [...new Set(needsOf(parse(text)))].sort()

/** The choices that a message makes, each with what it can choose from. */
function choicesOf(
  elements: readonly MessageFormatElement[],
): readonly { readonly type: TYPE; readonly name: string; readonly options: readonly string[] }[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.tag) return choicesOf(element.children)
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return []
    const { type, value, options } = element
    return [
      { type, name: value, options: Object.keys(options) },
      ...Object.values(options).flatMap((option) => choicesOf(option.value)),
    ]
  })
}

test('every file of messages is part of the catalog', () => {
  for (const locale of LOCALES) {
    const files = readdirSync(`messages/${locale}`).map((name) => name.replace(/\.json$/, ''))
    expect(files.sort()).toEqual(Object.keys(catalog[locale]).sort())
  }
})

test('no file says the same key twice', () => {
  for (const locale of LOCALES) {
    for (const name of readdirSync(`messages/${locale}`)) {
      const source = readFileSync(`messages/${locale}/${name}`, 'utf8')
      const messages = flat(JSON.parse(source) as Tree)
      expect(source.match(/": "/g) ?? [], `${locale}/${name}`).toHaveLength(messages.length)
    }
  }
})

describe.each(LOCALES)('in %s', (locale) => {
  const texts = [...textsOf(locale)]

  test('there are the messages of English, and no others', () => {
    expect(texts.map(([key]) => key).sort()).toEqual([...english.keys()].sort())
  })

  test('no message is empty or has spaces around it', () => {
    expect(texts.filter(([, text]) => text === '' || text !== text.trim())).toEqual([])
  })

  test('every message can be read, and needs what the English one needs', () => {
    const wrong = texts.filter(
      ([key, text]) => needs(text).join() !== needs(english.get(key) ?? '').join(),
    )
    expect(wrong).toEqual([])
  })

  test('a number has a word for each kind of number that the language has', () => {
    const kinds = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
    const wrong = texts.flatMap(([key, text]) =>
      choicesOf(parse(text))
        .filter(({ type }) => type === TYPE.plural)
        .filter(({ options }) => {
          const named = options.filter((option) => !option.startsWith('='))
          return [...named].sort().join() !== [...kinds].sort().join()
        })
        .map(({ name, options }) => `${key}: ${name} has ${options.join()}`),
    )
    expect(wrong).toEqual([])
  })

  test('what is chosen from is what English chooses from', () => {
    const selects = (text: string) =>
      choicesOf(parse(text))
        .filter(({ type }) => type === TYPE.select)
        .map(({ name, options }) => `${name}: ${[...options].sort().join()}`)
    const unique = (text: string) => [...new Set(selects(text))].sort().join('; ')
    const wrong = texts.filter(([key, text]) => unique(text) !== unique(english.get(key) ?? ''))
    expect(wrong).toEqual([])
  })
})

describe.each(others)('in %s', (locale) => {
  test('no English was left by accident', () => {
    const left = [...textsOf(locale)]
      .filter(([key, text]) => english.get(key) === text)
      .map(([key]) => key)
      .filter((key) => !sameInEveryLanguage[locale].includes(key))
    expect(left).toEqual([])
  })

  test('what may be the same as in English is', () => {
    const texts = textsOf(locale)
    const changed = sameInEveryLanguage[locale].filter(
      (key) => texts.get(key) === undefined || texts.get(key) !== english.get(key),
    )
    expect(changed).toEqual([])
  })
})

// Whole words: \b knows no umlauts.
const FAMILIAR = /(?<!\p{L})(du|dich|dir|dein(e|er|en|em|es)?)(?!\p{L})/iu

test('German says Sie to everybody, on every page', () => {
  const familiar = flat(catalog.de).filter(([, text]) => FAMILIAR.test(text))
  expect(familiar).toEqual([])
  expect(['Das ist Ihr Bild', 'Individuell', 'dirigieren'].some((it) => FAMILIAR.test(it))).toBe(
    false,
  )
  expect(['Das ist dein Bild', 'Du', 'an dich'].every((it) => FAMILIAR.test(it))).toBe(true)
})

test.each([
  ['{name}', ['name argument']],
  [
    '{count, plural, one {# of {all, number}} other {<b>#</b>}}',
    ['all number', 'b tag', 'count number'],
  ],
  ['{kind, select, free {{count, number}} other {no}}', ['count number', 'kind select']],
])('finds what %j needs', (text, found) => {
  expect(needs(text)).toEqual(found)
})
