import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sheetParts } from './use-sheet-rows'

const GAP = 8
/** Rows of these heights, one under the other. */
function rowsOf(heights: readonly number[]) {
  let start = 0
  return heights.map((height, index) => {
    const row = { index, start, end: start + height }
    start += height + GAP
    return row
  })
}

test('draws everything when every row is near', () => {
  const rows = rowsOf([100, 120])
  expect(sheetParts(rows, { columns: 3, gap: GAP, count: 5, total: 228 })).toEqual([
    { kind: 'frames', from: 0, to: 3 },
    { kind: 'frames', from: 3, to: 5 },
  ])
})

test('whatever is left out, the rest stands where it stood, and nothing is drawn twice', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      fc.infiniteStream(fc.boolean()),
      (heights, columns, drawn) => {
        const all = rowsOf(heights)
        const rows = all.filter(() => drawn.next().value)
        fc.pre(rows.length > 0)
        const total = all.at(-1)?.end ?? 0
        const count = heights.length * columns
        let y = 0
        const seen: number[] = []
        for (const part of sheetParts(rows, { columns, gap: GAP, count, total })) {
          if (part.kind === 'space') {
            expect(part.height).toBeGreaterThan(0)
            y += part.height + GAP
            continue
          }
          const row = all[part.from / columns]
          expect(y).toBe(row?.start)
          seen.push(part.from / columns)
          y = (row?.end ?? 0) + GAP
        }
        expect(y - GAP).toBe(total)
        expect(seen).toEqual(rows.map(({ index }) => index))
      },
    ),
  )
})
