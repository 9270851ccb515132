import type { AdminActName } from '@/lib/domain/admin-act'
import { mayAct, type Role } from '@/lib/domain/role'
import type { ReviewAct } from '@/lib/domain/operator-act'
import type { AdminReviewView } from './admin-views'
import { creditWords } from './credit-words'

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

type Words = Pick<ActOffer, 'title' | 'hint' | 'button' | 'consequence'> & {
  readonly fields?: readonly ActField[]
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
    const { fields = [], ...words } = wordsOf(act, review)
    const asks = { act, attemptId: review.attempt.id, version: review.version }
    return { asks, fields, whyNot, ...words }
  })
  return offeredTo(review.viewer, offers)
}

function wordsOf(act: ReviewAct, { attempt }: AdminReviewView): Words {
  const amount = attempt.reserved === 'credits' ? creditWords(attempt.price) : '1 free image'
  const isOne = attempt.reserved !== 'credits' || attempt.price === 1
  const goBack = `${amount} ${isOne ? 'goes' : 'go'} back to the account`
  const isHeld = attempt.settlement === null
  const stays = isHeld
    ? `The hold of ${amount} stays as it is.`
    : `No credits move: its reservation has ended (${attempt.settlement}).`
  switch (act) {
    case 'look-again':
      return {
        title: 'Look again',
        hint: 'The provider is asked now instead of later.',
        button: isHeld ? `Look again; ${amount} on hold` : 'Look again; no credits move',
        consequence: `A worker asks the provider at once, and sends nothing a second time. ${stays}`,
      }
    case 'look-up':
      return {
        title: 'Search at the provider',
        hint: 'The provider is searched for our reference, once and now.',
        button: isHeld ? `Search for it; ${amount} on hold` : 'Search for it; no credits move',
        consequence: `A worker searches the provider for our reference. What it finds becomes the attempt's task; if it finds nothing, nothing changes. ${stays}`,
      }
    case 'record-delivery':
      return {
        title: 'Record a delivery',
        hint: 'You have the image that was made, as a file.',
        button: isHeld
          ? `Deliver the file; charges ${amount}`
          : 'Deliver the file; no credits move',
        consequence: isHeld
          ? `A worker checks that the file is an image, stores it and delivers it to the account. Then ${amount} ${isOne ? 'becomes' : 'become'} a charge.`
          : `A worker checks that the file is an image, stores it and delivers it to the account. ${stays}`,
        fields: [{ name: 'image', label: 'PNG, JPEG or WebP file', isFile: true }],
      }
    case 'retry-delivery':
      return {
        title: 'Retry the delivery',
        hint: 'The same image is fetched and stored now instead of later.',
        button: isHeld ? `Retry now; ${amount} on hold` : 'Retry now; no credits move',
        consequence: isHeld
          ? `A worker tries the same image again. ${amount} ${isOne ? 'becomes' : 'become'} a charge only when it is delivered.`
          : `A worker tries the same image again. ${stays}`,
      }
    case 'attach-task':
      return {
        title: 'Attach a task',
        hint: 'You found at the provider which task it became.',
        button: isHeld ? `Attach the task; ${amount} on hold` : 'Attach the task; no credits move',
        consequence: `A worker asks the provider about this task first. If the task is there and is nobody else's, the attempt becomes it, for ever, and what the provider says of it decides. ${stays}`,
        fields: [{ name: 'taskId', label: 'Task id at the provider' }],
      }
    case 'fail':
      return {
        title: 'Record a confirmed failure',
        hint: 'You made sure that no image was made and none will be.',
        button: isHeld ? `Release ${amount}` : 'Record the failure; no credits move',
        consequence: isHeld
          ? `The attempt is failed for good, and ${goBack}.`
          : `The attempt is failed for good. ${stays}`,
        fields: [{ name: 'proof', label: 'What proves that it failed', isLong: true }],
      }
    case 'compensate':
      return {
        title: 'Compensate',
        hint: 'Nobody can tell, and the person has waited long enough.',
        button: `Compensate ${amount}; the outcome stays unknown`,
        consequence: `${goBack} by your decision. Workers keep looking: if the image turns up, it is delivered and not charged.`,
      }
  }
}
