import { expect, test } from 'vitest'
import { routesInFiles, table } from '@/e2e/authorization'

// Here too, where it is noticed at once: the browser tests take minutes.
test('every page and every handler has a row that says who may what', () => {
  expect(Object.keys(table).sort()).toEqual(routesInFiles())
})
