import type { AccountId, TaskId } from '@/lib/domain/ids'
import type { AttemptKey } from '@/lib/domain/attempt'

// What must be true of accounts and attempts, written a second time in the plainest way there is.

export const PRICE = 1
export const ALLOWANCE = 2

export type ModelState =
  | 'queued'
  | 'submitting'
  | 'pending'
  | 'unresolved'
  | 'delivering'
  | 'storage-failed'
  | 'completed'
  | 'failed'

export type ModelAttempt = {
  readonly key: AttemptKey
  readonly requestId: string
  readonly prompt: string
  /** The day whose allowance it took, or undefined when it holds credits. */
  readonly day: number | undefined
  state: ModelState
  settlement: 'settled' | 'released' | 'compensated' | null
  /** What the provider made of it, whether or not we know. */
  task: TaskId | undefined
  knowsTask: boolean
  refusals: number
  /** The day of the first send: sending again is over long before the next. */
  firstSentOn: number | undefined
  unusable: number
  /** Where the bytes are that came with the answer. */
  madeIn: 'store' | 'spool' | undefined
  /** Its owner's wish, and whether the provider knows of it. */
  cancel: 'unasked' | 'wanted' | 'told'
}

export type ModelAccount = {
  readonly id: AccountId
  available: number
  held: number
  spent: number
  readonly days: Map<number, { held: number; delivered: number }>
}

export type Model = {
  readonly account: ModelAccount
  readonly attempts: ModelAttempt[]
  day: number
}

export function unitsOf(account: ModelAccount, day: number): { held: number; delivered: number } {
  const units = account.days.get(day) ?? { held: 0, delivered: 0 }
  account.days.set(day, units)
  return units
}

/** Takes the allowance first, then credits. False when there is neither. */
export function reserve({ account, day }: Model): 'allowance' | 'credits' | 'refused' {
  const units = unitsOf(account, day)
  if (units.held + units.delivered < ALLOWANCE) {
    units.held += 1
    return 'allowance'
  }
  if (account.available < PRICE) return 'refused'
  account.available -= PRICE
  account.held += PRICE
  return 'credits'
}

/** Ends the reservation, once: what was settled before stays as it was. */
export function settle(
  { account }: Model,
  attempt: ModelAttempt,
  kind: 'settled' | 'released' | 'compensated',
): void {
  if (attempt.settlement !== null) return
  attempt.settlement = kind
  if (attempt.day !== undefined) {
    const units = unitsOf(account, attempt.day)
    units.held -= 1
    if (kind === 'settled') units.delivered += 1
    return
  }
  account.held -= PRICE
  if (kind === 'settled') account.spent += PRICE
  else account.available += PRICE
}

export function finish(model: Model, attempt: ModelAttempt, state: 'completed' | 'failed'): void {
  attempt.state = state
  settle(model, attempt, state === 'completed' ? 'settled' : 'released')
}
