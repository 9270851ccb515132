import type { BenchDatabase } from './database'

/** One thing that is measured. It fills what it needs, and prints a table. */
export type Section = {
  readonly title: string
  readonly run: (database: BenchDatabase, print: (line: string) => void) => Promise<void>
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}
