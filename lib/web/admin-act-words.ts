import type { AdminActName } from '@/lib/domain/admin-act'
import { mayAct, type Role } from '@/lib/domain/role'
import type { AdminReviewView } from './admin-views'
import { reviewActWords } from './review-act-words'

/** A button of an admin: what it is called, what will happen, and what has to be told for it. */
export type ActOffer = {
  /** What is asked for, besides the reason, the fields and the id of the press. */
  readonly asks: Readonly<Record<string, string | number>> & { readonly act: AdminActName }
  readonly title: string
  /** When it is the right thing to do. */
  readonly hint: string
  /** Names what happens to how many credits; so does the button that confirms. */
  readonly button: string
  readonly consequence: string
  readonly fields: readonly ActField[]
  readonly whyNot: string | null
}
export type ActField = {
  readonly name: string
  readonly label: string
  readonly isLong?: boolean
  readonly isNumber?: boolean
  readonly isFile?: boolean
}

/** As this role has it: what it may not do is shown, and says so. */
export function offeredTo(role: Role, offers: readonly ActOffer[]): readonly ActOffer[] {
  return offers.map((offer) =>
    mayAct(role, offer.asks.act) ? offer : { ...offer, whyNot: `Not with the role ${role}.` },
  )
}

/** What can be done about an attempt, in the order in which it is best tried. */
export function reviewOffers(review: AdminReviewView): readonly ActOffer[] {
  const offers = review.acts.map(({ act, why_not: whyNot }) => {
    const { fields = [], ...words } = reviewActWords(act, review.attempt)
    const asks = { act, attemptId: review.attempt.id, version: review.version }
    return { asks, fields, whyNot, ...words }
  })
  return offeredTo(review.viewer, offers)
}
