import type { OfferedModel } from '@/lib/domain/model'
import { draftProblem } from './draft-problem'
import type { Draft } from './draft'
import { message, type Words } from './message'
import { insufficientWords } from './start-answer'

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
  /** What one of them takes at most, by what the label says: no more is agreed to. */
  readonly quotedCredits: number
  /** For how many of the pictures there is enough, when not for all and for some. */
  readonly enoughFor: number | undefined
}

const disabled = (label: string, reason?: string, enoughFor?: number): GenerateButton => ({
  label,
  isEnabled: false,
  allowsShortcut: false,
  reason,
  quotedCredits: 0,
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
export function costWords(cost: Cost, say: Words): string {
  const { free, credits } = split(cost)
  const { available, freeToday } = cost
  const values = { free, freeToday, credits, left: available - credits }
  if (credits === 0) return say(message('studio.cost.free', values))
  const isEnough = available >= credits
  if (free === 0) {
    return say(message(isEnough ? 'studio.cost.creditsLeft' : 'studio.cost.credits', values))
  }
  return say(message(isEnough ? 'studio.cost.bothLeft' : 'studio.cost.both', values))
}

const enoughFor = ({ images, priceCredits, available, freeToday }: Cost) =>
  Math.min(images, freeToday + Math.max(0, Math.floor(available / priceCredits)))

function shortage(
  cost: Cost,
  isGuest: boolean,
  say: Words,
): { reason: string; enough: number } | undefined {
  const enough = enoughFor(cost)
  if (enough >= cost.images) return undefined
  const need = isGuest
    ? message(enough === 0 ? 'studio.reason.guestUsedUp' : 'studio.reason.guestTooMany')
    : insufficientWords({ available: cost.available, required: split(cost).credits })
  const reason = say(need)
  if (enough === 0) return { reason, enough }
  return { reason: say(message('studio.reason.enoughFor', { reason, images: enough })), enough }
}

function verb(images: number, isAgain: boolean, say: Words): string {
  if (images === 1) {
    return say(message(isAgain ? 'studio.button.another' : 'studio.button.generate'))
  }
  return say(message(isAgain ? 'studio.button.more' : 'studio.button.several', { images }))
}

/** The Generate button as it is now: what it costs, what stays, and why not when it cannot be pressed. */
export function generateButton(situation: Situation, say: Words): GenerateButton {
  const { draft, model, isAgain } = situation
  const no = (...[key]: Parameters<typeof message>) => say(message(key))
  if (!draft || !model) return disabled(no('studio.button.generate'), no('studio.reason.noModel'))
  const { images } = draft
  const cost = { ...situation, images, priceCredits: model.priceCredits }
  const words = { verb: verb(images, isAgain, say), cost: costWords(cost, say) }
  const label = say(message('studio.button.label', words))
  if (situation.isSignedOut) return disabled(label, no('studio.reason.signedOut'))
  if (situation.isSending) {
    return disabled(
      say(
        images === 1
          ? message('studio.button.sending')
          : message('studio.button.sendingSeveral', { images }),
      ),
    )
  }
  if (situation.isJustQueued) return disabled(no('studio.button.queued'))
  if (model.unavailable !== undefined) {
    return disabled(label, no('studio.refusal.modelUnavailable'))
  }
  const short = shortage(cost, situation.isGuest, say)
  if (short) return disabled(label, short.reason, short.enough === 0 ? undefined : short.enough)
  const problem = draftProblem(draft, model)
  if (problem !== undefined) return disabled(label, say(problem))
  return {
    label,
    isEnabled: true,
    allowsShortcut: !isAgain,
    reason: undefined,
    // Which of several is free is decided when they arrive, so each may be the one that is not.
    quotedCredits: split(cost).credits === 0 ? 0 : model.priceCredits,
    enoughFor: undefined,
  }
}

/** Buys what an attempt asked for once more, while that one may still arrive. The price is on the button. */
export function againButton(
  situation: Situation,
  say: Words,
): Pick<GenerateButton, 'label' | 'isEnabled' | 'reason' | 'quotedCredits'> {
  const { isEnabled, reason, quotedCredits } = generateButton({ ...situation, isAgain: false }, say)
  const { model } = situation
  const newOne = say(message('studio.button.newOne'))
  if (!model) {
    const reason = say(message('studio.reason.modelGone'))
    return { label: newOne, isEnabled: false, reason, quotedCredits }
  }
  const cost = costWords({ ...situation, images: 1, priceCredits: model.priceCredits }, say)
  const label = say(message('studio.button.label', { verb: newOne, cost }))
  return { label, isEnabled, reason, quotedCredits }
}
