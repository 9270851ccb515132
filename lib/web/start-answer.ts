import { isRecord } from './browser-storage'
import { creditsInEnglish } from './admin-credit-words'
import { isBoolean, isNumber, isText, listOf, shaped, type Check } from './shape'
import { isAttemptView, isBalanceView } from './view-shapes'
import type { AttemptView, BalanceView } from './views'

export type Started = {
  readonly attempt: AttemptView
  readonly replayed: boolean
  readonly balance: BalanceView
}

export type StartRefusalView =
  | {
      readonly code: 'invalid-input'
      readonly fields: readonly { readonly field: string; readonly message: string }[]
    }
  | {
      readonly code: 'insufficient-credits'
      readonly available: number
      readonly required: number
    }
  | {
      readonly code: 'spending-limit'
      readonly limit: number
      readonly used: number
      readonly required: number
    }
  | { readonly code: 'request-id-reused' }
  | { readonly code: 'model-unavailable'; readonly message: string }
  | { readonly code: 'account-suspended' }
  | { readonly code: 'guest-limit' }
  | { readonly code: 'signed-out' }

const isStarted = shaped<Started>({
  attempt: isAttemptView,
  replayed: isBoolean,
  balance: isBalanceView,
})

const REFUSALS: Record<StartRefusalView['code'], Readonly<Record<string, Check>>> = {
  'invalid-input': {
    fields: listOf(shaped<{ field: string; message: string }>({ field: isText, message: isText })),
  },
  'insufficient-credits': { available: isNumber, required: isNumber },
  'spending-limit': { limit: isNumber, used: isNumber, required: isNumber },
  'request-id-reused': {},
  'model-unavailable': { message: isText },
  'account-suspended': {},
  'guest-limit': {},
  'signed-out': {},
}

function isRefusal(value: unknown): value is StartRefusalView {
  if (!isRecord(value)) return false
  const fields = Object.entries(REFUSALS).find(([code]) => code === value['code'])?.[1]
  return fields !== undefined && Object.entries(fields).every(([name, is]) => is(value[name]))
}

export type StartAnswer =
  | { readonly ok: true; readonly value: Started }
  | { readonly ok: false; readonly refusal: StartRefusalView }

/**
 * What the server answered to one request. Throws for an answer that is not one of these (a proxy's
 * page, another version of the server): it tells nothing about what happened to the request.
 */
export function parseStartAnswer(answer: unknown): StartAnswer {
  if (isRecord(answer)) {
    const { ok, value, refusal } = answer
    if (ok === true && isStarted(value)) return { ok, value }
    if (ok === false && isRefusal(refusal)) return { ok, refusal }
  }
  throw new Error('not an answer to a request')
}

/**
 * The account for which the browser kept the request goes with it: in a tab that was left open
 * while somebody else signed in, the session is no longer that of the request's owner.
 */
export type StartAttemptAction = (accountId: string, input: unknown) => Promise<unknown>

/** Why a request was refused, in words that say what to do. */
export function refusalWords(refusal: StartRefusalView): string {
  switch (refusal.code) {
    case 'invalid-input':
      return refusal.fields.map(({ message }) => message).join(' ')
    case 'insufficient-credits':
      return insufficientWords(refusal)
    case 'spending-limit':
      return spendingLimitWords(refusal)
    case 'request-id-reused':
      return 'This request was already used for another picture. Nothing was sent; press Generate again.'
    case 'model-unavailable':
      return refusal.message
    case 'account-suspended':
      return 'This account is suspended. Nothing was sent.'
    case 'guest-limit':
      return 'Too many free images were made from your network today. Create an account to go on.'
    case 'signed-out':
      return 'You are signed out. Sign in again; nothing is lost.'
  }
}

export function insufficientWords(credits: { available: number; required: number }): string {
  const { available, required } = credits
  return `You have ${available.toLocaleString('en')} ${available === 1 ? 'credit' : 'credits'}; this needs ${required.toLocaleString('en')}.`
}

function spendingLimitWords(credits: { limit: number; used: number; required: number }): string {
  const { limit, used, required } = credits
  return `Your own daily limit is ${creditsInEnglish(limit)}; ${used.toLocaleString('en')} of them are used or on hold, and this needs ${required.toLocaleString('en')}. Change the limit on the credits page, or wait for the next UTC day.`
}
