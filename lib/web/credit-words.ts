import type { EntryKind } from '@/lib/domain/ledger'

/** "1 credit", "4 credits", "1,200 credits". */
export function creditWords(amount: number): string {
  const figure = amount.toLocaleString('en')
  return Math.abs(amount) === 1 ? `${figure} credit` : `${figure} credits`
}

/** "1 image", "4 images". */
export function imageWords(count: number): string {
  return count === 1 ? '1 image' : `${count.toLocaleString('en')} images`
}

/** The word of a statement line, and in one sentence what it did with the credits. */
export const entryWords: Record<EntryKind, { readonly word: string; readonly meaning: string }> = {
  granted: { word: 'Granted', meaning: 'Added to what you can use.' },
  corrected: { word: 'Corrected', meaning: 'An earlier line was wrong; this one puts it right.' },
  reserved: { word: 'Hold', meaning: 'Set aside for this picture. Not a charge.' },
  settled: {
    word: 'Charged',
    meaning: 'The picture was delivered, and the hold became the charge.',
  },
  released: { word: 'Released', meaning: 'It failed, so the hold came back. Not charged.' },
  compensated: { word: 'Compensated', meaning: 'The hold was given back by decision.' },
}
