import { expect, test } from 'vitest'
import { attemptStates } from './attempt'
import { searchPatterns, statesShown } from './gallery'

test('every state but none twice is under delivered, in progress, unresolved or failed', () => {
  const shown = (['delivered', 'in-progress', 'unresolved', 'failed'] as const).flatMap(
    (show) => statesShown[show] ?? [],
  )
  expect([...shown].sort()).toEqual([...attemptStates].sort())
})

test.each([
  ['', []],
  ['   ', []],
  ['red fox', ['%red%', '%fox%']],
  ['  red \n fox ', ['%red%', '%fox%']],
  ['100%', ['%100\\%%']],
  ['a_b', ['%a\\_b%']],
  ['back\\slash', ['%back\\\\slash%']],
  ['cafe\u0301', ['%caf\u00e9%']],
  ['雪山', ['%雪山%']],
])('the search %j looks for %j', (search, patterns) => {
  expect(searchPatterns(search)).toEqual(patterns)
})

test('a search of very many words looks for the first of them', () => {
  expect(searchPatterns('a '.repeat(100))).toHaveLength(8)
})
