import type { ReviewAct } from '@/lib/domain/operator-act'
import type { ActField, ActOffer } from './admin-act-words'
import { creditsInEnglish } from './admin-credit-words'
import type { AttemptView } from './views'

type Money = Pick<AttemptView, 'price' | 'reserved' | 'settlement'>

type Words = Pick<ActOffer, 'title' | 'hint' | 'button' | 'consequence'> & {
  readonly fields?: readonly ActField[]
}

/** What happens to the credits, in the pieces that sentences are made of. */
type Said = {
  readonly amount: string
  /** Whether its reservation stands. */
  readonly isHeld: boolean
  readonly goBack: string
  readonly become: string
  readonly stays: string
}

/** What an act on an attempt is called, and what will happen to how many credits. */
export function reviewActWords(act: ReviewAct, { price, reserved, settlement }: Money): Words {
  const amount = reserved === 'credits' ? creditsInEnglish(price) : '1 free image'
  const isOne = reserved !== 'credits' || price === 1
  return WORDS[act]({
    amount,
    isHeld: settlement === null,
    goBack: `${amount} ${isOne ? 'goes' : 'go'} back to the account`,
    become: isOne ? 'becomes' : 'become',
    stays:
      settlement === null
        ? `The hold of ${amount} stays as it is.`
        : `No credits move: its reservation has ended (${settlement}).`,
  })
}

const WORDS: Readonly<Record<ReviewAct, (said: Said) => Words>> = {
  'look-again': ({ amount, isHeld, stays }) => ({
    title: 'Look again',
    hint: 'The provider is asked now instead of later.',
    button: isHeld ? `Look again; ${amount} on hold` : 'Look again; no credits move',
    consequence: `A worker asks the provider at once, and sends nothing a second time. ${stays}`,
  }),
  'look-up': ({ amount, isHeld, stays }) => ({
    title: 'Search at the provider',
    hint: 'The provider is searched for our reference, once and now.',
    button: isHeld ? `Search for it; ${amount} on hold` : 'Search for it; no credits move',
    consequence: `A worker searches the provider for our reference. What it finds becomes the attempt's task; if it finds nothing, nothing changes. ${stays}`,
  }),
  'record-delivery': ({ amount, isHeld, become, stays }) => ({
    title: 'Record a delivery',
    hint: 'You have the image that was made, as a file.',
    button: isHeld ? `Deliver the file; charges ${amount}` : 'Deliver the file; no credits move',
    consequence: isHeld
      ? `A worker checks that the file is an image, stores it and delivers it to the account. Then ${amount} ${become} a charge.`
      : `A worker checks that the file is an image, stores it and delivers it to the account. ${stays}`,
    fields: [{ name: 'image', label: 'PNG, JPEG or WebP file', isFile: true }],
  }),
  'retry-delivery': ({ amount, isHeld, become, stays }) => ({
    title: 'Retry the delivery',
    hint: 'The same image is fetched and stored now instead of later.',
    button: isHeld ? `Retry now; ${amount} on hold` : 'Retry now; no credits move',
    consequence: isHeld
      ? `A worker tries the same image again. ${amount} ${become} a charge only when it is delivered.`
      : `A worker tries the same image again. ${stays}`,
  }),
  'attach-task': ({ amount, isHeld, stays }) => ({
    title: 'Attach a task',
    hint: 'You found at the provider which task it became.',
    button: isHeld ? `Attach the task; ${amount} on hold` : 'Attach the task; no credits move',
    consequence: `A worker asks the provider about this task first. If the task is there and is nobody else's, the attempt becomes it, for ever, and what the provider says of it decides. ${stays}`,
    fields: [{ name: 'taskId', label: 'Task id at the provider' }],
  }),
  fail: ({ amount, isHeld, goBack, stays }) => ({
    title: 'Record a confirmed failure',
    hint: 'You made sure that no image was made and none will be.',
    button: isHeld ? `Release ${amount}` : 'Record the failure; no credits move',
    consequence: isHeld
      ? `The attempt is failed for good, and ${goBack}.`
      : `The attempt is failed for good. ${stays}`,
    fields: [{ name: 'proof', label: 'What proves that it failed', isLong: true }],
  }),
  compensate: ({ amount, goBack }) => ({
    title: 'Compensate',
    hint: 'Nobody can tell, and the person has waited long enough.',
    button: `Compensate ${amount}; the outcome stays unknown`,
    consequence: `${goBack} by your decision. Workers keep looking: if the image turns up, it is delivered and not charged.`,
  }),
}
