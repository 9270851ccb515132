import { expect, test } from 'vitest'
import { extended, gridMove, NOTHING_SELECTED, toggled, without } from './selection'

const order = ['a', 'b', 'c', 'd', 'e']
const idsOf = ({ ids }: { readonly ids: ReadonlySet<string> }) => [...ids].sort().join('')

test('a picture is chosen and let go', () => {
  const one = toggled(NOTHING_SELECTED, 'b')
  expect(idsOf(one)).toBe('b')
  expect(idsOf(toggled(one, 'b'))).toBe('')
})

test.each([
  ['b', 'd', 'bcd'],
  ['d', 'b', 'bcd'],
  ['c', 'c', 'c'],
])('a range from %s to %s takes both ends and what is between', (from, to, ids) => {
  expect(idsOf(extended(toggled(NOTHING_SELECTED, from), to, order))).toBe(ids)
})

test('a range adds to what is chosen, and the next one reaches from the same picture', () => {
  const first = extended(toggled(toggled(NOTHING_SELECTED, 'e'), 'b'), 'c', order)
  expect(idsOf(first)).toBe('bce')
  expect(idsOf(extended(first, 'a', order))).toBe('abce')
})

test('a range from nowhere, or from what is gone, is one picture', () => {
  expect(idsOf(extended(NOTHING_SELECTED, 'c', order))).toBe('c')
  const gone = without(toggled(NOTHING_SELECTED, 'b'), new Set(['b']))
  expect(idsOf(extended(gone, 'c', order))).toBe('c')
})

test.each([
  ['ArrowLeft', 4, 3],
  ['ArrowRight', 4, 5],
  ['ArrowUp', 4, 1],
  ['ArrowDown', 4, 7],
  ['Home', 4, 0],
  ['End', 4, 7],
  ['ArrowLeft', 0, undefined],
  ['ArrowRight', 7, undefined],
  ['ArrowUp', 2, undefined],
  ['ArrowDown', 5, undefined],
  ['End', 7, undefined],
  ['a', 4, undefined],
])('in three columns of eight pictures %s leads from %i to %s', (key, index, target) => {
  expect(gridMove(key, { index, count: 8, columns: 3 })).toBe(target)
})
