import { z } from 'zod'
import { creditWords } from './credit-words'
import { AttemptView, BalanceView } from './views'

const StartedView = z.object({
  attempt: AttemptView,
  replayed: z.boolean(),
  balance: BalanceView,
})

const StartRefusalView = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('invalid-input'),
    fields: z.array(z.object({ field: z.string(), message: z.string() })).readonly(),
  }),
  z.object({
    code: z.literal('insufficient-credits'),
    available: z.number(),
    required: z.number(),
  }),
  z.object({
    code: z.literal('spending-limit'),
    limit: z.number(),
    used: z.number(),
    required: z.number(),
  }),
  z.object({ code: z.literal('request-id-reused') }),
  z.object({ code: z.literal('model-unavailable'), message: z.string() }),
  z.object({ code: z.literal('account-suspended') }),
  z.object({ code: z.literal('guest-limit') }),
  z.object({ code: z.literal('signed-out') }),
])
export type StartRefusalView = Readonly<z.infer<typeof StartRefusalView>>

/**
 * What the server answered to one request. Parsed, because an answer that is not one of these (a
 * proxy's page, another version of the server) tells nothing about what happened to the request.
 */
export const StartAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: StartedView }),
  z.object({ ok: z.literal(false), refusal: StartRefusalView }),
])
export type StartAnswer = Readonly<z.infer<typeof StartAnswer>>
export type Started = Readonly<z.infer<typeof StartedView>>

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
  return `Your own daily limit is ${creditWords(limit)}; ${used.toLocaleString('en')} of them are used or on hold, and this needs ${required.toLocaleString('en')}. Change the limit on the credits page, or wait for the next UTC day.`
}
