import type {
  AttemptStateName,
  Failure,
  ReservedKind,
  SettlementKind,
  StatusWord,
} from '@/lib/domain/attempt'
import { isFinal, statusWordOf } from '@/lib/domain/attempt-states'
import { failureMessage } from './failure-words'
import { message, type Message, type Words } from './message'

// Every sentence about an attempt is chosen here and nowhere else, so that one test can hold each of
// them, in every language, against what is known of the work and what was decided about the money.

export type AttemptWords = {
  readonly title: Message
  /** What is known. */
  readonly text: Message
  /** What happens next, or what the person can do; undefined when nothing does. */
  readonly next: Message | undefined
  /** What became of the wish to cancel; undefined when there is none, or it is answered. */
  readonly cancel: Message | undefined
  /** What the credits are doing. Follows the settlement alone. */
  readonly money: Message
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

export const statusTitle = (status: StatusWord): Message => message(`attempt.status.${status}`)

/** What was reserved for an attempt is doing: never more than the settlement says. */
export function moneyWords(
  attempt: Pick<AttemptFacts, 'state' | 'settlement' | 'price' | 'reserved'>,
): Message {
  const { state, settlement, price, reserved } = attempt
  const isFree = reserved === 'allowance'
  const credits = { credits: price }
  switch (settlement) {
    case null:
      return isFree ? message('attempt.money.onHoldFree') : message('attempt.money.onHold', credits)
    case 'settled':
      return isFree
        ? message('attempt.money.chargedFree')
        : message('attempt.money.charged', credits)
    case 'released':
      return message(isFree ? 'attempt.money.notChargedFree' : 'attempt.money.notCharged')
    case 'compensated':
      return compensatedWords(statusWordOf(state), isFree, credits)
  }
}

function compensatedWords(
  status: StatusWord,
  isFree: boolean,
  credits: { readonly credits: number },
): Message {
  switch (status) {
    case 'delivered':
      return message('attempt.money.compensatedDelivered')
    case 'failed':
      return isFree
        ? message('attempt.money.compensatedFailedFree')
        : message('attempt.money.compensatedFailed', credits)
    case 'queued':
    case 'submitting':
    case 'generating':
    case 'unresolved':
    case 'delivering':
      return isFree
        ? message('attempt.money.compensatedOpenFree')
        : message('attempt.money.compensatedOpen', credits)
  }
}

function failureText({ failure, settlement }: AttemptFacts): Message {
  if (failure === null) return message('attempt.known.failed')
  if (failure.code === 'cancelled') {
    return message(
      settlement === 'released' ? 'attempt.failure.cancelledReleased' : 'attempt.failure.cancelled',
    )
  }
  return failureMessage(failure)
}

function nextWords({ state, settlement, failure }: AttemptFacts): Message | undefined {
  if (state === 'failed') {
    return failure === null || failure.code === 'cancelled'
      ? undefined
      : message(`attempt.nextAfterFailure.${failure.code}`)
  }
  if (state === 'completed') return undefined
  // Said only while the hold stands: once it was given back, delivery costs nothing.
  if (settlement === null) return message(`attempt.nextWhileHeld.${state}`)
  return settlement === 'compensated' ? message(`attempt.nextOnceCompensated.${state}`) : undefined
}

// After it was sent a wish is not a fact: what it may still cost is said with it.
function cancelWords(attempt: AttemptFacts): Message | undefined {
  if (!attempt.cancel_requested || isFinal(attempt.state)) return undefined
  if (attempt.settlement !== null) return message('attempt.cancel.onceCompensated')
  return message(
    attempt.reserved === 'allowance' ? 'attempt.cancel.whileHeldFree' : 'attempt.cancel.whileHeld',
  )
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

function knownText(attempt: AttemptFacts): Message {
  if (attempt.state === 'failed') return failureText(attempt)
  return message(
    typeof attempt.deleted_at === 'string'
      ? 'attempt.known.deleted'
      : `attempt.known.${attempt.state}`,
  )
}

/** Everything that is said about an attempt, from what is known of it. */
export function attemptWords(attempt: AttemptFacts): AttemptWords {
  return {
    title: statusTitle(statusWordOf(attempt.state)),
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
  say: Words,
): readonly string[] {
  const known = new Map(before.map((attempt) => [attempt.id, attempt]))
  return after.flatMap((attempt) => {
    const earlier = known.get(attempt.id)
    if (!earlier || !isNews(earlier, attempt)) return []
    const { title, text, cancel, money } = attemptWords(attempt)
    const said = {
      title: say(title),
      prompt: spokenPrompt(attempt.prompt),
      text: say(text),
      money: say(money),
    }
    return [
      say(
        cancel === undefined
          ? message('attempt.announcement', said)
          : message('attempt.announcementWithCancel', { ...said, cancel: say(cancel) }),
      ),
    ]
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
  say: Words,
): readonly Ending[] {
  const known = new Map(before.map((attempt) => [attempt.id, attempt]))
  return after.flatMap((attempt) => {
    const earlier = known.get(attempt.id)
    const isOver = isFinal(attempt.state) || attempt.state === 'status_unknown'
    if (!earlier || earlier.state === attempt.state || !isOver) return []
    const { title, money } = attemptWords(attempt)
    const body = { prompt: spokenPrompt(attempt.prompt), money: say(money) }
    return [{ id: attempt.id, title: say(title), body: say(message('attempt.ending', body)) }]
  })
}

/** "(2) Studio": how many are under way, in front of a page's title. */
export function badgedTitle(title: string, working: number): string {
  const bare = title.replace(/^\(\d+\) /, '')
  return working === 0 ? bare : `(${working}) ${bare}`
}
