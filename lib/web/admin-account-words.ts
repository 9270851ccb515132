import type { AdminActName } from '@/lib/domain/admin-act'
import type { ActField, ActOffer } from './admin-act-words'
import type { CreditRequestView } from './admin-views'
import { creditsInEnglish } from './admin-credit-words'

export function readPromptsOffer(accountId: string): ActOffer {
  return {
    asks: { act: 'read-prompts', accountId },
    title: 'Read prompts, see images',
    hint: 'What people write and make is private. Looking at it is recorded.',
    button: 'Look at what this account made',
    consequence:
      'You can read the prompts and see the images of this account for an hour. The log keeps that you did, and why.',
    fields: [],
    whyNot: null,
  }
}

const CREDITS: ActField = { name: 'credits', label: 'Credits', isNumber: true }

/** What can be done about an account. */
export function accountOffers(account: {
  readonly id: string
  readonly available: number
  readonly is_suspended: boolean
  readonly is_own: boolean
  readonly open_sessions: number
}): readonly ActOffer[] {
  const { id, available, is_suspended: isSuspended } = account
  const offer = (
    act: AdminActName,
    words: Omit<ActOffer, 'asks' | 'fields'>,
    fields = [] as const,
  ) => ({
    asks: { act, accountId: id },
    fields,
    ...words,
  })
  return [
    {
      ...offer('grant-credits', {
        title: 'Grant credits',
        hint: 'Adds to what the account can use.',
        button: 'Grant credits',
        consequence: `Adds credits to the ${creditsInEnglish(available)} available. The statement says "Added by Darkroom."`,
        whyNot: null,
      }),
      fields: [CREDITS],
    },
    {
      ...offer('correct-credits', {
        title: 'Correct credits',
        hint: 'A new line puts an earlier one right. With a minus it takes.',
        button: 'Correct credits',
        consequence: `At most the ${creditsInEnglish(available)} available can be taken; what is held or spent belongs to attempts. The statement says "Put right by Darkroom."`,
        whyNot: null,
      }),
      fields: [{ ...CREDITS, label: 'Credits, with a minus to take' }],
    },
    isSuspended
      ? offer('restore', {
          title: 'Restore',
          hint: 'It can sign in and start images again.',
          button: 'Restore the account; no credits move',
          consequence: 'It can sign in and start images again, with the credits that it has.',
          whyNot: null,
        })
      : offer('suspend', {
          title: 'Suspend',
          hint: 'It cannot sign in or start anything. What is under way goes on.',
          button: 'Suspend the account; no credits move',
          consequence:
            'It cannot sign in or start anything until it is restored. What is under way goes on, and its credits stay.',
          whyNot: account.is_own ? 'You cannot suspend yourself.' : null,
        }),
    offer('end-sessions', {
      title: 'End sessions',
      hint: 'Everybody who is signed in as this account has to sign in again.',
      button: 'End all its sessions',
      consequence: 'Whoever is signed in as this account has to sign in again, on every device.',
      whyNot: account.open_sessions === 0 ? 'Nobody is signed in as this account.' : null,
    }),
  ]
}

export function unblockOffer(provider: string, reason: string): ActOffer {
  return {
    asks: { act: 'unblock-provider', provider },
    title: provider,
    hint: reason,
    button: 'Put back in offer',
    consequence: `The models of ${provider} are on offer again at once. If it still refuses us, the next attempt fails, is released, and takes them out again.`,
    fields: [],
    whyNot: null,
  }
}

/** What a second admin can do about credits that wait for one. */
export function requestOffers(request: CreditRequestView): readonly ActOffer[] {
  const { id: requestId, account_id: accountId, credits, why_not: whyNot } = request
  const amount = creditsInEnglish(Math.abs(credits))
  const moves = credits > 0 ? `${amount} go to the account` : `${amount} are taken from the account`
  return [
    {
      asks: { act: 'approve', accountId, requestId },
      title: 'Approve',
      hint: `${request.requester ?? 'An admin'} asks for it: ${request.reason}`,
      button: `Approve ${creditsInEnglish(credits)}`,
      consequence: `${moves} at once. Your name stands beside that of whoever asked.`,
      fields: [],
      whyNot,
    },
    {
      asks: { act: 'reject', accountId, requestId },
      title: 'Reject',
      hint: 'Nothing moves, and the request is closed.',
      button: `Reject ${creditsInEnglish(credits)}; none move`,
      consequence: 'No credits move. Whoever asked can ask again.',
      fields: [],
      whyNot,
    },
  ]
}
