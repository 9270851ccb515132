import type { OfferedModel } from '@/lib/domain/model'
import { creditsInEnglish } from './admin-credit-words'
import { draftProblem } from './draft-problem'
import type { Draft } from './draft'
import { insufficientWords } from './start-answer'

const GUEST_USED_UP =
  'Today’s free images are used. Create an account to go on; everything you made stays yours.'

type Situation = {
  /** Undefined when no model is offered. */
  readonly draft: Draft | undefined
  readonly model: OfferedModel | undefined
  readonly available: number
  /** Free images that are left today; they are taken before credits. */
  readonly freeToday: number
  /** Guests have free images only. */
  readonly isGuest: boolean
  readonly isSignedOut: boolean
  readonly isSending: boolean
  readonly isJustQueued: boolean
  /** A generation of this very draft is still open. */
  readonly isAgain: boolean
}

export type GenerateButton = {
  readonly label: string
  readonly isEnabled: boolean
  /** The keyboard shortcut is for the first of its kind; a second is bought only by a deliberate click. */
  readonly allowsShortcut: boolean
  /** Why it is disabled, for everybody to read. */
  readonly reason: string | undefined
  /** For how many of the pictures there is enough, when not for all and for some. */
  readonly enoughFor: number | undefined
}

const disabled = (label: string, reason?: string, enoughFor?: number): GenerateButton => ({
  label,
  isEnabled: false,
  allowsShortcut: false,
  reason,
  enoughFor,
})

type Cost = {
  readonly images: number
  readonly priceCredits: number
  readonly available: number
  readonly freeToday: number
}

const split = ({ images, priceCredits, freeToday }: Cost) => {
  const free = Math.min(freeToday, images)
  return { free, credits: (images - free) * priceCredits }
}

/** What a press takes, free images first, and what stays: "4 credits, 92 left". */
export function costWords(cost: Cost): string {
  const { free, credits } = split(cost)
  const { available, freeToday } = cost
  if (credits === 0) return `${free} of today’s ${freeToday.toLocaleString('en')} free`
  const words =
    free === 0 ? creditsInEnglish(credits) : `${free} free and ${creditsInEnglish(credits)}`
  return available < credits
    ? words
    : `${words}, ${(available - credits).toLocaleString('en')} left`
}

const enoughFor = ({ images, priceCredits, available, freeToday }: Cost) =>
  Math.min(images, freeToday + Math.max(0, Math.floor(available / priceCredits)))

function shortage(cost: Cost, isGuest: boolean): { reason: string; enough: number } | undefined {
  const enough = enoughFor(cost)
  if (enough >= cost.images) return undefined
  const need = isGuest
    ? enough === 0
      ? GUEST_USED_UP
      : 'So many free images are not left today.'
    : insufficientWords({ available: cost.available, required: split(cost).credits })
  return { reason: enough === 0 ? need : `${need} There is enough for ${enough}.`, enough }
}

function verb(images: number, isAgain: boolean): string {
  if (images === 1) return isAgain ? 'Generate another' : 'Generate'
  return isAgain ? `Generate ${images} more` : `Generate ${images}`
}

/** The Generate button as it is now: what it costs, what stays, and why not when it cannot be pressed. */
export function generateButton(situation: Situation): GenerateButton {
  const { draft, model, isAgain } = situation
  if (!draft || !model) return disabled('Generate', 'No model is offered just now.')
  const { images } = draft
  const cost = { ...situation, images, priceCredits: model.priceCredits }
  const label = `${verb(images, isAgain)}: ${costWords(cost)}`
  if (situation.isSignedOut) return disabled(label, 'You are signed out. Sign in again first.')
  if (situation.isSending) return disabled(images === 1 ? 'Sending' : `Sending ${images} images`)
  if (situation.isJustQueued) return disabled('Queued')
  if (model.unavailable !== undefined) return disabled(label, model.unavailable)
  const short = shortage(cost, situation.isGuest)
  if (short) return disabled(label, short.reason, short.enough === 0 ? undefined : short.enough)
  const problem = draftProblem(draft, model)
  if (problem !== undefined) return disabled(label, problem)
  return {
    label,
    isEnabled: true,
    allowsShortcut: !isAgain,
    reason: undefined,
    enoughFor: undefined,
  }
}

/** Buys what an attempt asked for once more, while that one may still arrive. The price is on the button. */
export function againButton(
  situation: Situation,
): Pick<GenerateButton, 'label' | 'isEnabled' | 'reason'> {
  const { isEnabled, reason } = generateButton({ ...situation, isAgain: false })
  const { model } = situation
  if (!model)
    return { label: 'Start a new one', isEnabled: false, reason: 'Its model is not offered now.' }
  const cost = costWords({ ...situation, images: 1, priceCredits: model.priceCredits })
  return { label: `Start a new one: ${cost}`, isEnabled, reason }
}
