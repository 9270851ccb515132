import type {
  AttemptStateName,
  Failure,
  FailureCode,
  ReservedKind,
  SettlementKind,
  StatusWord,
} from '@/lib/domain/attempt'
import { isFinal, statusWordOf } from '@/lib/domain/attempt-states'
import { creditWords } from './credit-words'

// Every sentence about an attempt is made here and nowhere else, so that one test can hold each of
// them against what is known of the work and what was decided about the money.

export type AttemptWords = {
  readonly title: string
  /** What is known. */
  readonly text: string
  /** What happens next, or what the person can do; undefined when nothing does. */
  readonly next: string | undefined
  /** What became of the wish to cancel; undefined when there is none, or it is answered. */
  readonly cancel: string | undefined
  /** What the credits are doing. Follows the settlement alone. */
  readonly money: string
}

export type AttemptFacts = {
  readonly state: AttemptStateName
  readonly settlement: SettlementKind | null
  readonly price: number
  readonly reserved: ReservedKind
  readonly failure: Failure | null
  readonly cancel_requested: boolean
  /** Undefined where it cannot have been. */
  readonly deleted_at?: string | null
}

export const statusTitles: Record<StatusWord, string> = {
  queued: 'Queued',
  submitting: 'Submitting',
  generating: 'Generating',
  unresolved: 'Unresolved',
  delivering: 'Delivering',
  delivered: 'Delivered',
  failed: 'Failed',
}

const KNOWN: Record<Exclude<AttemptStateName, 'failed'>, string> = {
  initializing: 'It is recorded and has not been sent yet.',
  submitting: 'We are handing it to the image service, once.',
  pending: 'The image service has it and is making the picture.',
  status_unknown: 'We sent it once and the answer got lost. We are finding out.',
  delivering: 'The picture is made. We are fetching and checking it…',
  storage_failed:
    'The picture is made. The last try to fetch and keep it did not work, so we are trying again.',
  completed: 'The picture is made, checked and kept.',
}

// Said only while the hold stands: once it was given back, delivery costs nothing.
const NEXT_WHILE_HELD: Record<AttemptStateName, string | undefined> = {
  initializing: 'It is sent to the image service, once.',
  submitting: 'The image service confirms that it has it.',
  pending: 'We fetch the picture and check it. Only then the hold is used up.',
  status_unknown:
    'It is never sent twice. If word comes that the picture exists, you get it. Once it is certain that there is none, the hold comes back.',
  delivering: 'Once it is safely kept, the hold is used up.',
  storage_failed:
    'The same picture is fetched again; it is never made twice. Once it is kept, the hold is used up.',
  completed: undefined,
  failed: undefined,
}

const NEXT_ONCE_COMPENSATED: Record<AttemptStateName, string | undefined> = {
  initializing: 'If it still turns into a picture, you get it for nothing.',
  submitting: 'If it still turns into a picture, you get it for nothing.',
  pending: 'If it still turns into a picture, you get it for nothing.',
  status_unknown: 'If word comes that the picture exists, you get it for nothing.',
  delivering: 'Once it is safely kept, you get it for nothing.',
  storage_failed: 'The same picture is fetched again, and you get it for nothing.',
  completed: undefined,
  failed: undefined,
}

const NEXT_AFTER_FAILURE: Record<FailureCode, string | undefined> = {
  moderated: 'The same prompt would be refused again.',
  invalid_input: 'The same input would be refused again.',
  provider_failed: 'You can generate it again; that is a new picture with its own price.',
  provider_unavailable: 'Nothing was made, so nothing can arrive later.',
  unusable_result: 'You can generate it again; that is a new picture with its own price.',
  cancelled: undefined,
}

// For a failure that came without words of its own.
const FAILURE_TEXT: Record<FailureCode, string> = {
  moderated: 'The image service refused it under its content rules.',
  invalid_input: 'The image service refused the input.',
  provider_failed: 'The image service could not make the picture.',
  provider_unavailable: 'The image service did not take the work.',
  unusable_result: 'What the image service made is not a usable picture.',
  cancelled: 'Cancelled. Nothing was made.',
}

const COMPENSATED: Record<StatusWord, (what: string) => string> = {
  queued: (what) => `${what} given back by decision; the outcome is still open.`,
  submitting: (what) => `${what} given back by decision; the outcome is still open.`,
  generating: (what) => `${what} given back by decision; the outcome is still open.`,
  unresolved: (what) => `${what} given back by decision; the outcome is still open.`,
  delivering: (what) => `${what} given back by decision; the outcome is still open.`,
  delivered: () => 'Delivered; nothing was charged.',
  failed: (what) => `You got ${what} back by decision; the outcome is recorded.`,
}

/** What was reserved for an attempt is doing: never more than the settlement says. */
export function moneyWords(
  attempt: Pick<AttemptFacts, 'state' | 'settlement' | 'price' | 'reserved'>,
): string {
  const { state, settlement, price, reserved } = attempt
  const isFree = reserved === 'allowance'
  const what = isFree ? '1 free image' : creditWords(price)
  switch (settlement) {
    case null:
      return `${what} ${isFree || price === 1 ? 'is' : 'are'} on hold.`
    case 'settled':
      return isFree ? 'Used 1 free image of that day.' : `Charged ${what}.`
    case 'released':
      return isFree ? 'You were not charged. The free image is back.' : 'You were not charged.'
    case 'compensated':
      return COMPENSATED[statusWordOf(state)](what)
  }
}

function failureText({ failure, settlement }: AttemptFacts): string {
  if (failure === null) return 'It failed.'
  if (failure.code === 'cancelled') {
    return settlement === 'released'
      ? 'Cancelled. Nothing was made, nothing is charged.'
      : FAILURE_TEXT.cancelled
  }
  return failure.message.trim() === '' ? FAILURE_TEXT[failure.code] : failure.message
}

function nextWords({ state, settlement, failure }: AttemptFacts): string | undefined {
  if (state === 'failed') return failure === null ? undefined : NEXT_AFTER_FAILURE[failure.code]
  if (isFinal(state)) return undefined
  if (settlement === null) return NEXT_WHILE_HELD[state]
  return settlement === 'compensated' ? NEXT_ONCE_COMPENSATED[state] : undefined
}

// After it was sent a wish is not a fact: what it may still cost is said with it.
function cancelWords(attempt: AttemptFacts): string | undefined {
  if (!attempt.cancel_requested || isFinal(attempt.state)) return undefined
  if (attempt.settlement !== null) return 'Cancel requested. It may still arrive, for nothing.'
  return attempt.reserved === 'allowance'
    ? 'Cancel requested. It may still arrive and use the free image.'
    : 'Cancel requested. It may still arrive and be charged.'
}

const CANCELLABLE: ReadonlySet<StatusWord> = new Set([
  'queued',
  'submitting',
  'generating',
  'unresolved',
])

/** Whether asking to cancel it can still do something. What is made already is fetched. */
export function canCancel({ state, cancel_requested }: AttemptFacts): boolean {
  return !cancel_requested && CANCELLABLE.has(statusWordOf(state))
}

function knownText(attempt: AttemptFacts): string {
  if (attempt.state === 'failed') return failureText(attempt)
  return typeof attempt.deleted_at === 'string'
    ? 'The picture was delivered, and you deleted it since.'
    : KNOWN[attempt.state]
}

/** Everything that is said about an attempt, from what is known of it. */
export function attemptWords(attempt: AttemptFacts): AttemptWords {
  return {
    title: statusTitles[statusWordOf(attempt.state)],
    text: knownText(attempt),
    next: nextWords(attempt),
    cancel: cancelWords(attempt),
    money: moneyWords(attempt),
  }
}

// Enough to tell one prompt from another when it is read aloud.
const SPOKEN_PROMPT_CODE_POINTS = 60

function spokenPrompt(prompt: string): string {
  const line = prompt.trim().replace(/\s+/g, ' ')
  const characters = Array.from(line)
  if (characters.length <= SPOKEN_PROMPT_CODE_POINTS) return line
  return `${characters.slice(0, SPOKEN_PROMPT_CODE_POINTS).join('')}…`
}

type Announced = AttemptFacts & { readonly id: string; readonly prompt: string }

/** What a screen reader hears when news arrives: each change of an attempt that was already known, once. */
export function announcements(
  before: readonly Announced[],
  after: readonly Announced[],
): readonly string[] {
  const known = new Map(before.map((attempt) => [attempt.id, attempt]))
  return after.flatMap((attempt) => {
    const earlier = known.get(attempt.id)
    if (!earlier) return []
    if (!isNews(earlier, attempt)) return []
    const { title, text, cancel, money } = attemptWords(attempt)
    const said = cancel === undefined ? text : `${text} ${cancel}`
    return [`${title}: ${spokenPrompt(attempt.prompt)}. ${said} ${money}`]
  })
}

function isNews(before: AttemptFacts, after: AttemptFacts): boolean {
  return (
    before.state !== after.state ||
    before.settlement !== after.settlement ||
    before.cancel_requested !== after.cancel_requested
  )
}

export type Ending = {
  readonly id: string
  readonly title: string
  readonly body: string
}

/** What is worth calling somebody back for: an attempt that ended, or whose outcome got lost. */
export function endings(
  before: readonly Announced[],
  after: readonly Announced[],
): readonly Ending[] {
  const known = new Map(before.map((attempt) => [attempt.id, attempt]))
  return after.flatMap((attempt) => {
    const earlier = known.get(attempt.id)
    const isOver = isFinal(attempt.state) || attempt.state === 'status_unknown'
    if (!earlier || earlier.state === attempt.state || !isOver) return []
    const { title, money } = attemptWords(attempt)
    return [{ id: attempt.id, title, body: `${spokenPrompt(attempt.prompt)}. ${money}` }]
  })
}

/** "(2) Studio": how many are under way, in front of a page's title. */
export function badgedTitle(title: string, working: number): string {
  const bare = title.replace(/^\(\d+\) /, '')
  return working === 0 ? bare : `(${working}) ${bare}`
}
