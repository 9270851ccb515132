import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRoot } from '@/scripts/launch/root'
import { mutations } from './list'
import { mutate } from './mutation'

test('a text that occurs once is replaced, whatever is in the replacement', () => {
  expect(mutate('a < b', [['<', '$&']])).toEqual({ ok: true, source: 'a $& b' })
})

test('several changes are made one after another', () => {
  const change = [
    ['a', 'b c'],
    ['c', 'd'],
  ] as const
  expect(mutate('a', change)).toEqual({ ok: true, source: 'b d' })
})

test.each([
  ['does not occur', 'x', 'y', /occurs 0 times/],
  ['occurs twice', 'a', 'y', /occurs 2 times/],
  ['is replaced by itself', 'b', 'b', /changes nothing/],
])('a text that %s is no mutation', (_what, text, replacement, why) => {
  const mutated = mutate('a b a', [[text, replacement]])
  expect(mutated.ok ? '' : mutated.why).toMatch(why)
})

test('no rule is named twice', () => {
  expect(new Set(mutations.map(({ rule }) => rule)).size).toBe(mutations.length)
})

test('every mutation of the list still changes the code that it names', () => {
  const outdated = mutations.flatMap((mutation) => {
    if ('sql' in mutation) return []
    const mutated = mutate(readFileSync(inRoot(mutation.file), 'utf8'), mutation.change)
    return mutated.ok ? [] : [`${mutation.rule}: ${mutation.file}: ${mutated.why}`]
  })
  expect(outdated).toEqual([])
})

/** The function of a migration in which something is written, if it is one. */
function functionAround(sql: string, text: string): string | undefined {
  const at = sql.indexOf(text)
  const [name, from] =
    [...sql.slice(0, at).matchAll(/create (?:or replace )?function (\w+)/g)]
      .map((found) => [found[1], found.index] as const)
      .at(-1) ?? []
  return from !== undefined && !sql.slice(from, at).includes('\n$$;') ? name : undefined
}

test('no mutation changes a function that a later migration writes anew', () => {
  const migrations = readdirSync(inRoot('prisma', 'migrations'))
    .filter((name) => /^\d/.test(name))
    .toSorted()
    .map((name) => `prisma/migrations/${name}/migration.sql`)
  const overridden = mutations.flatMap((mutation) => {
    if ('sql' in mutation || !migrations.includes(mutation.file)) return []
    const { rule, file, change } = mutation
    const later = migrations.slice(migrations.indexOf(file) + 1)
    return change.flatMap(([text]) => {
      const name = functionAround(readFileSync(inRoot(file), 'utf8'), text)
      if (name === undefined) return []
      const again = new RegExp(`create (?:or replace )?function ${name}\\b`)
      const by = later.find((one) => again.test(readFileSync(inRoot(one), 'utf8')))
      return by === undefined ? [] : [`${rule}: ${name} is written anew by ${by}`]
    })
  })
  expect(overridden).toEqual([])
})
