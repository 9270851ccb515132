import { expect, test } from 'vitest'
import { ageTable, costWords, sizeWords } from './admin-overview-words'

test('counts of one name are one line, with its sum', () => {
  const counts = [
    { name: 'pending', age: 'under-10m', attempts: 2, held: 8 },
    { name: 'pending', age: 'over-1d', attempts: 1, held: 4 },
    { name: 'delivering', age: 'over-1d', attempts: 3, held: 0 },
  ] as const
  expect(ageTable(counts)).toEqual([
    { name: 'pending', held: 12, total: 3, byAge: { 'under-10m': 2, 'over-1d': 1 } },
    { name: 'delivering', held: 0, total: 3, byAge: { 'over-1d': 3 } },
  ])
})

test('sizes and costs are said in words', () => {
  expect([0, 12_345, 3_400_000].map(sizeWords)).toEqual(['0 bytes', '12 KB', '3.4 MB'])
  const cost = { of: 'unresolved', provider: 'fal', posts: 1, amount: 0.04 } as const
  expect(costWords({ ...cost, unit: 'USD' })).toBe('0.04 USD')
  expect(costWords({ ...cost, unit: null })).toBe('cost not told')
})
