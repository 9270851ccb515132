import { expect, test } from 'vitest'
import { parsePrompts, searchPrompts } from './prompts-query'

const PROMPTS = ['A Lighthouse in fog', 'fog\nover a city', 'Ein Fuchs 🦊']

test.each([
  ['', PROMPTS],
  ['FOG', [PROMPTS[0], PROMPTS[1]]],
  ['city fog', [PROMPTS[1]]],
  ['🦊', [PROMPTS[2]]],
  ['nothing', []],
])('a search for %j finds what has all its words', (query, found) => {
  expect(searchPrompts(PROMPTS, query)).toEqual(found)
})

test('an answer that is no list is no answer', () => {
  expect(parsePrompts({ prompts: PROMPTS })).toEqual(PROMPTS)
  expect(() => parsePrompts({ error: 'no' })).toThrow()
})
