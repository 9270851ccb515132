import type { Capabilities } from './provider'

// Whoever keeps a key for a day may count from a moment before ours.
const IDEMPOTENCY_MARGIN_MS = 5 * 60_000

export type RecoveryStep = 'look-up' | 'repeat'

/**
 * What can be done by ourselves about a submission whose answer was lost, in this order: search for
 * its task, or send the same POST again where the provider documents that no second task comes of
 * it. Where it offers neither, only a callback or an operator can tell.
 */
export function recoverySteps(
  { lookup, idempotentForMs }: Pick<Capabilities, 'lookup' | 'idempotentForMs'>,
  sentAgeMs: number,
): readonly RecoveryStep[] {
  return [
    ...(lookup && sentAgeMs < lookup.forMs ? (['look-up'] as const) : []),
    ...(idempotentForMs !== undefined && sentAgeMs < idempotentForMs - IDEMPOTENCY_MARGIN_MS
      ? (['repeat'] as const)
      : []),
  ]
}
