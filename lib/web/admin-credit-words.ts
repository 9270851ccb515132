import type { EntryKind } from '@/lib/domain/ledger'

// The admin pages are in English, whatever the language of whoever reads them.

/** "1 credit", "4 credits", "1,200 credits". */
export function creditsInEnglish(amount: number): string {
  const figure = amount.toLocaleString('en')
  return Math.abs(amount) === 1 ? `${figure} credit` : `${figure} credits`
}

export const entriesInEnglish: Record<EntryKind, string> = {
  granted: 'Granted',
  corrected: 'Corrected',
  reserved: 'Hold',
  settled: 'Charged',
  released: 'Released',
  compensated: 'Compensated',
  purchased: 'Bought',
  refunded: 'Refunded',
  disputed: 'Disputed',
  reinstated: 'Given back',
}
