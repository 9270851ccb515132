// The words in which an attempt is known. Plain code: the browser has it too.

/** What is known of an attempt. The order is the order in which an attempt usually passes through. */
export const attemptStates = [
  'initializing',
  'submitting',
  'pending',
  'status_unknown',
  'delivering',
  'storage_failed',
  'completed',
  'failed',
] as const
type AttemptStateName = (typeof attemptStates)[number]

/** The user's word for each state. */
export const statusWords = [
  'queued',
  'submitting',
  'generating',
  'unresolved',
  'delivering',
  'delivered',
  'failed',
] as const
type StatusWord = (typeof statusWords)[number]

const WORD_OF: Record<AttemptStateName, StatusWord> = {
  initializing: 'queued',
  submitting: 'submitting',
  pending: 'generating',
  status_unknown: 'unresolved',
  delivering: 'delivering',
  storage_failed: 'delivering',
  completed: 'delivered',
  failed: 'failed',
}

export function statusWordOf(state: AttemptStateName): StatusWord {
  return WORD_OF[state]
}

export function isFinal(state: AttemptStateName): boolean {
  return state === 'completed' || state === 'failed'
}

/** How a reservation ended: delivered, failure confirmed, or given back by decision while unknown. */
export const settlementKinds = ['settled', 'released', 'compensated'] as const

/** What an attempt reserves: allowance first, then credits. */
export const reservedKinds = ['credits', 'allowance'] as const

/** Why an attempt failed. Each is established, never inferred from time. */
export const failureCodes = [
  'moderated',
  'invalid_input',
  'provider_failed',
  'provider_unavailable',
  'unusable_result',
  'cancelled',
] as const
