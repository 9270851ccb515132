import type { AgeBand, AttemptMark, ListedAttemptView, OverviewView } from './admin-views'
import { creditsInEnglish } from './admin-credit-words'

export const AGE_WORDS: Record<AgeBand, string> = {
  'under-10m': 'under 10 min',
  '10m-to-1h': '10 min to 1 h',
  '1h-to-1d': '1 h to 1 day',
  'over-1d': 'over a day',
}

export const MARK_WORDS: Record<AttemptMark, string> = {
  anomaly: 'with an anomaly',
  'second-task': 'with a second task',
  spooled: 'waiting in the spool',
  compensated: 'compensated, last 90 days',
  delivered: 'delivered, last 24 hours',
  taken: 'taken by the provider, last 24 hours',
  refused: 'refused by the provider, last 24 hours',
  unknown: 'sent, and no answer known, last 24 hours',
  'look-failed': 'looked for in vain, last 24 hours',
}

/** "0 bytes", "12 KB", "3.4 MB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** What a provider said it cost us, in its own unit. */
export function costWords({ unit, amount }: OverviewView['costs'][number]): string {
  if (unit === null) return 'cost not told'
  return `${amount.toLocaleString('en', { maximumFractionDigits: 4 })} ${unit}`
}

export type AgeTable = readonly {
  readonly name: string
  readonly held: number
  readonly total: number
  readonly byAge: Readonly<Partial<Record<AgeBand, number>>>
}[]

/** One line a name, in the order in which they come. */
export function ageTable(
  counts: readonly {
    readonly name: string
    readonly age: AgeBand
    readonly attempts: number
    readonly held: number
  }[],
): AgeTable {
  return [...new Set(counts.map(({ name }) => name))].map((name) => {
    const those = counts.filter((count) => count.name === name)
    return {
      name,
      held: those.reduce((sum, { held }) => sum + held, 0),
      total: those.reduce((sum, { attempts }) => sum + attempts, 0),
      byAge: Object.fromEntries(those.map(({ age, attempts }) => [age, attempts])),
    }
  })
}

/** What an attempt holds: credits, or the free image of its day while that is not settled. */
export function heldWords({ held, settlement }: ListedAttemptView): string {
  return held === 0 && settlement === null ? '1 free image' : creditsInEnglish(held)
}
