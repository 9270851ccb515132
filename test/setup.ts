import { format } from 'node:util'
import { afterEach, beforeEach, expect, vi } from 'vitest'

// A warning that nobody expected is a defect that nobody has noticed yet. A test that expects one
// says so by putting its own spy in place of this one.
let unexpected: string[] = []

beforeEach(() => {
  unexpected = []
  for (const method of ['error', 'warn'] as const) {
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
      unexpected.push(`console.${method}: ${format(...args)}`)
    })
  }
})

afterEach(() => {
  vi.restoreAllMocks()
  expect(unexpected).toEqual([])
})
