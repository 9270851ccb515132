import { expect, test } from 'vitest'
import { hasStyle, withStyle } from './prompt-style'

const OIL = 'oil on canvas'
const INK = 'ink drawing, rough paper'
const every = [OIL, INK]

test.each([
  ['A fox', OIL, 'A fox, oil on canvas'],
  ['A fox, oil on canvas', INK, 'A fox, ink drawing, rough paper'],
  ['A fox, ink drawing, rough paper', OIL, 'A fox, oil on canvas'],
  ['A fox, ink drawing, rough paper', undefined, 'A fox'],
  ['A fox \n', OIL, 'A fox, oil on canvas'],
  ['', OIL, OIL],
  ['  ', OIL, OIL],
  [OIL, INK, INK],
  [OIL, undefined, ''],
  ['A fox', undefined, 'A fox'],
])('%j with the style %j is %j', (prompt, words, styled) => {
  expect(withStyle(prompt, words, every)).toBe(styled)
})

test('words in the middle, or a part of other words, are no style', () => {
  expect(hasStyle('oil on canvas of a fox', OIL)).toBe(false)
  expect(hasStyle('A fox in turmoil on canvas', OIL)).toBe(false)
  expect(withStyle('A fox in turmoil on canvas', INK, every)).toBe(
    'A fox in turmoil on canvas, ink drawing, rough paper',
  )
})

test('chosen and let go, a style leaves the prompt as it was', () => {
  for (const words of every) {
    expect(withStyle(withStyle('A fox, snow', words, every), undefined, every)).toBe('A fox, snow')
  }
})
