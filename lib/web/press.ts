import {
  promptProblem,
  promptProblemWords,
  PROMPT_CODE_POINTS_MAX,
  type Generation,
} from '@/lib/domain/generation'
import { RequestId } from '@/lib/domain/ids'
import { creditWords } from './credit-words'
import { isSameDraft, type Draft } from './draft'
import type { Outbox, OutboxItem } from './outbox'
import type { Sender } from './sender'
import { insufficientWords } from './start-answer'

export const STORAGE_WORDS =
  'This browser could not keep the request, so nothing was sent. Free some space or allow this site to store data, then try again.'

const GUEST_USED_UP =
  'Today’s free images are used. Create an account to go on; everything you made stays yours.'

type Situation = {
  /** Undefined when no model is offered. */
  readonly draft: Draft | undefined
  readonly price: number
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
}

const disabled = (label: string, reason?: string): GenerateButton => ({
  label,
  isEnabled: false,
  allowsShortcut: false,
  reason,
})

/** The Generate button as it is now: what it costs, what stays, and why not when it cannot be pressed. */
export function generateButton(situation: Situation): GenerateButton {
  const { draft, price, available, freeToday } = situation
  if (!draft) return disabled('Generate', 'No model is offered just now.')
  const isFree = freeToday > 0
  const cost = isFree ? `1 of today’s ${freeToday.toLocaleString('en')} free` : creditWords(price)
  if (situation.isSignedOut)
    return disabled(`Generate: ${cost}`, 'You are signed out. Sign in again first.')
  if (situation.isSending) return disabled('Sending')
  if (situation.isJustQueued) return disabled('Queued')
  if (!isFree && available < price) {
    const reason = situation.isGuest
      ? GUEST_USED_UP
      : insufficientWords({ available, required: price })
    return disabled(`Generate: ${cost}`, reason)
  }
  const left = isFree ? '' : `, ${(available - price).toLocaleString('en')} left`
  const label = `${situation.isAgain ? 'Generate another' : 'Generate'}: ${cost}${left}`
  const problem = promptProblem(draft.prompt, PROMPT_CODE_POINTS_MAX)
  if (problem) return disabled(label, promptProblemWords[problem])
  return { label, isEnabled: true, allowsShortcut: !situation.isAgain, reason: undefined }
}

type OpenGeneration = Generation & { readonly poll_after_ms: number | null }

/** True while something that was made from this very draft has no final outcome. */
export function hasOpenTwin(draft: Draft, attempts: readonly OpenGeneration[]): boolean {
  return attempts.some((attempt) => attempt.poll_after_ms !== null && isSameDraft(draft, attempt))
}

type Keystroke = {
  readonly key: string
  readonly keyCode: number
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly repeat: boolean
  readonly isComposing: boolean
}

// What browsers report for a key that an input method is still using, some of them without isComposing.
const KEY_CODE_COMPOSING = 229

/** Ctrl+Enter or Cmd+Enter, pressed once and not meant for an input method. Enter alone is a line break. */
export function isSubmitShortcut(stroke: Keystroke): boolean {
  if (stroke.repeat || stroke.isComposing || stroke.keyCode === KEY_CODE_COMPOSING) return false
  return stroke.key === 'Enter' && (stroke.ctrlKey || stroke.metaKey)
}

export type PressOutcome =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'sent'; readonly requestId: RequestId }

type PressOptions = {
  readonly draft: Draft
  readonly outbox: Outbox
  readonly sender: Pick<Sender, 'isBusy' | 'send'>
  readonly newId: () => string
  readonly drawSeed: () => number
  readonly now: () => Date
}

function createItem({ draft, newId, drawSeed, now }: PressOptions): OutboxItem {
  return {
    requestId: RequestId.parse(newId()),
    model: draft.model,
    prompt: draft.prompt,
    settings: {
      width: draft.width,
      height: draft.height,
      seed: draft.seed.kind === 'fixed' ? draft.seed.seed : drawSeed(),
    },
    seedChoice: draft.seed.kind,
    createdAt: now().toISOString(),
  }
}

/**
 * One press is one request. A press on a draft that is still unacknowledged sends that request
 * again under its id; only an edited draft makes a new one. Nothing is sent that was not kept first.
 */
export function pressGenerate(options: PressOptions): PressOutcome {
  const { draft, outbox, sender } = options
  if (sender.isBusy()) return { kind: 'ignored' }
  const problem = promptProblem(draft.prompt, PROMPT_CODE_POINTS_MAX)
  if (problem) return { kind: 'refused', message: promptProblemWords[problem] }

  const waiting = outbox
    .list()
    .find((item) => item.seedChoice === draft.seed.kind && isSameDraft(draft, item))
  const item = waiting ?? createItem(options)
  if (!waiting && !outbox.put(item)) return { kind: 'refused', message: STORAGE_WORDS }
  void sender.send(item.requestId)
  return { kind: 'sent', requestId: item.requestId }
}
