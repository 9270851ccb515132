import { isRecord } from './browser-storage'
import { message, type Message } from './message'
import { problemWords, type ProblemView } from './problem-words'
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
      readonly fields: readonly ProblemView[]
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
  | { readonly code: 'price-changed'; readonly quoted: number; readonly required: number }
  | { readonly code: 'request-id-reused' }
  | { readonly code: 'model-unavailable'; readonly isOffered: boolean }
  | { readonly code: 'account-suspended' }
  | { readonly code: 'guest-limit' }
  | { readonly code: 'signed-out' }

const isStarted = shaped<Started>({
  attempt: isAttemptView,
  replayed: isBoolean,
  balance: isBalanceView,
})

const isValues = (value: unknown): value is ProblemView['values'] =>
  isRecord(value) && Object.values(value).every((each) => isText(each) || isNumber(each))

const REFUSALS: Record<StartRefusalView['code'], Readonly<Record<string, Check>>> = {
  'invalid-input': {
    fields: listOf(
      shaped<ProblemView>({ field: isText, code: isText, values: isValues, message: isText }),
    ),
  },
  'insufficient-credits': { available: isNumber, required: isNumber },
  'spending-limit': { limit: isNumber, used: isNumber, required: isNumber },
  'price-changed': { quoted: isNumber, required: isNumber },
  'request-id-reused': {},
  'model-unavailable': { isOffered: isBoolean },
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

/** Why a request was refused, in sentences that say what to do. */
export function refusalWords(refusal: StartRefusalView): readonly Message[] {
  switch (refusal.code) {
    case 'invalid-input':
      return refusal.fields.map(problemWords)
    case 'insufficient-credits':
      return [insufficientWords(refusal)]
    case 'spending-limit': {
      const { limit, used, required } = refusal
      return [message('studio.refusal.spendingLimit', { limit, used, required })]
    }
    case 'price-changed': {
      const { quoted, required } = refusal
      // Free where it was quoted, and not any more: the last free image of the day went elsewhere.
      return [
        quoted === 0
          ? message('studio.refusal.notFreeAnyMore', { required })
          : message('studio.refusal.priceChanged', { quoted, required }),
      ]
    }
    case 'request-id-reused':
      return [message('studio.refusal.requestIdReused')]
    case 'model-unavailable':
      return [
        message(
          refusal.isOffered ? 'studio.refusal.modelUnavailable' : 'studio.refusal.modelNotOffered',
        ),
      ]
    case 'account-suspended':
      return [message('studio.refusal.suspended')]
    case 'guest-limit':
      return [message('studio.refusal.guestLimit')]
    case 'signed-out':
      return [message('studio.refusal.signedOut')]
  }
}

export const insufficientWords = (credits: {
  readonly available: number
  readonly required: number
}): Message =>
  message('studio.refusal.insufficient', {
    available: credits.available,
    required: credits.required,
  })
