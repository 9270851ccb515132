import { z } from 'zod'

/**
 * The kinds of line in an account's money history. `reserved` takes credits out of available into
 * held; `settled`, `released` and `compensated` end that hold; the others come from outside. `purchased`
 * is what somebody paid for, `refunded` and `disputed` take it back, `reinstated` gives back what those took.
 */
export const entryKinds = [
  'granted',
  'corrected',
  'reserved',
  'settled',
  'released',
  'compensated',
  'purchased',
  'refunded',
  'disputed',
  'reinstated',
] as const
export const EntryKind = z.enum(entryKinds)
export type EntryKind = z.infer<typeof EntryKind>
