import type { EntryKind } from '@/lib/domain/ledger'
import { message, type Message } from './message'

/** "1 credit", "4 credits", "1,200 credits". */
export const creditWords = (amount: number): Message => message('common.credits', { count: amount })

/** "1 image", "4 images". */
export const imageWords = (count: number): Message => message('common.images', { count })

/** The word of a statement line, and in one sentence what it did with the credits. */
export const entryWords = (
  kind: EntryKind,
): { readonly word: Message; readonly meaning: Message } => ({
  word: message(`credits.entry.${kind}.word`),
  meaning: message(`credits.entry.${kind}.meaning`),
})

// What is written into a line when nobody writes a reason of their own.
const REASONS = {
  'Credits for signing up': message('credits.reason.signUp'),
  'Added by Darkroom.': message('credits.reason.added'),
  'Put right by Darkroom.': message('credits.reason.putRight'),
} as const

const isOurs = (reason: string): reason is keyof typeof REASONS => Object.hasOwn(REASONS, reason)

/** Why credits were granted or put right: ours in the reader's language, anybody's as they wrote it. */
export const reasonWords = (reason: string): Message =>
  isOurs(reason) ? REASONS[reason] : message('common.asWritten', { words: reason })
