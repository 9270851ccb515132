import { z } from 'zod'

/**
 * The kinds of line in an account's money history. `reserved` takes credits out of available into
 * held; `settled`, `released` and `compensated` end that hold; the others come from outside.
 */
export const entryKinds = [
  'granted',
  'corrected',
  'reserved',
  'settled',
  'released',
  'compensated',
] as const
export const EntryKind = z.enum(entryKinds)
export type EntryKind = z.infer<typeof EntryKind>
