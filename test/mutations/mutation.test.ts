import { readFileSync } from 'node:fs'
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
