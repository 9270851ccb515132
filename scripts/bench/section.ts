import type { BenchDatabase } from './database'

/** One figure of a run. `ratio` compares it with another of the same run, which `to` names. */
export type Figure = {
  readonly name: string
  readonly value: number
  readonly unit: 'ms' | 's' | '1/s' | 'B' | 'commits'
  readonly ratio?: number
  readonly to?: string
}

/** One thing that is measured. It fills what it needs, prints a table, and answers what is in it. */
export type Section = {
  readonly title: string
  readonly run: (
    database: BenchDatabase,
    print: (line: string) => void,
  ) => Promise<readonly Figure[]>
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}
