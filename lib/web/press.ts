import type { Generation } from '@/lib/domain/generation'
import type { RequestId } from '@/lib/domain/ids'
import type { ModelFacts } from '@/lib/domain/model'
import { isSameDraft, nthSeed, settingsOf, type Draft } from './draft'
import { draftProblem } from './draft-problem'
import { message, type Message } from './message'
import type { Outbox, OutboxItem } from './outbox'
import type { Sender } from './sender'

export const STORAGE_WORDS = message('studio.problem.notKept')

type OpenGeneration = Generation & { readonly poll_after_ms: number | null }

const nths = ({ images }: Draft) => Array.from({ length: images }, (_, nth) => nth)

/** True while something that was made from this very draft has no final outcome. */
export function hasOpenTwin(
  draft: Draft,
  model: ModelFacts,
  attempts: readonly OpenGeneration[],
): boolean {
  return attempts.some(
    (attempt) =>
      attempt.poll_after_ms !== null &&
      nths(draft).some((nth) => isSameDraft(draft, model, attempt, nth)),
  )
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
  | { readonly kind: 'refused'; readonly message: Message }
  | { readonly kind: 'sent'; readonly requestIds: readonly RequestId[] }

type PressTools = {
  /** What each takes at most, as the button said. */
  readonly quotedCredits: number
  readonly outbox: Outbox
  readonly sender: Pick<Sender, 'isBusy' | 'send'>
  /** Of a request that is just being made, and so the one other place where such an id begins. */
  readonly newId: () => RequestId
  readonly drawSeed: () => number
  readonly now: () => Date
}
type PressOptions = PressTools & { readonly draft: Draft; readonly model: ModelFacts }

function createItems(options: PressOptions): readonly OutboxItem[] {
  const { draft, model, quotedCredits, newId, drawSeed, now } = options
  const { prompt, images, seed } = draft
  const createdAt = now().toISOString()
  return nths(draft).map((nth) => ({
    requestId: newId(),
    model: draft.model,
    prompt,
    settings: settingsOf(
      draft,
      model,
      seed.kind === 'fixed' ? nthSeed(seed.seed, nth) : drawSeed(),
    ),
    quotedCredits,
    seedChoice: seed.kind,
    ...(images > 1 && { place: { nth, of: images } }),
    createdAt,
  }))
}

/** A request that an earlier press on this very draft kept. */
function isOfDraft(item: OutboxItem, { draft, model }: PressOptions): boolean {
  const { nth, of } = item.place ?? { nth: 0, of: 1 }
  return (
    item.seedChoice === draft.seed.kind &&
    of === draft.images &&
    isSameDraft(draft, model, item, nth)
  )
}

/** All of them or none: what could be kept only in part is not what the button said. */
function keepAll(outbox: Outbox, items: readonly OutboxItem[]): boolean {
  if (items.every((item) => outbox.put(item))) return true
  for (const { requestId } of items) outbox.remove(requestId)
  return false
}

/**
 * One press is one decision, and one request for each picture that it asks for. A press on a draft
 * that is still unacknowledged sends those requests again under their ids; only an edited draft
 * makes new ones. All are kept before the first is sent.
 */
export function pressGenerate(options: PressOptions): PressOutcome {
  const { draft, model, outbox, sender } = options
  if (sender.isBusy()) return { kind: 'ignored' }
  const problem = draftProblem(draft, model)
  if (problem !== undefined) return { kind: 'refused', message: problem }

  const waiting = outbox.list().filter((item) => isOfDraft(item, options))
  const items = waiting.length > 0 ? waiting : createItems(options)
  if (waiting.length === 0 && !keepAll(outbox, items)) {
    return { kind: 'refused', message: STORAGE_WORDS }
  }
  for (const { requestId } of items) void sender.send(requestId)
  return { kind: 'sent', requestIds: items.map(({ requestId }) => requestId) }
}

/**
 * Asks for exactly what an attempt asked for, as a new attempt with a new id. Sent again under its
 * id while it is not acknowledged, like any other.
 */
export function pressAgain({
  generation: { model, prompt, settings },
  quotedCredits,
  outbox,
  sender,
  newId,
  now,
}: Omit<PressTools, 'drawSeed'> & { readonly generation: Generation }): PressOutcome {
  if (sender.isBusy()) return { kind: 'ignored' }
  const same = JSON.stringify([model, prompt, settings])
  const waiting = outbox
    .list()
    .find((item) => JSON.stringify([item.model, item.prompt, item.settings]) === same)
  const item: OutboxItem = waiting ?? {
    requestId: newId(),
    model,
    prompt,
    settings,
    quotedCredits,
    seedChoice: settings.seed === undefined ? 'random' : 'fixed',
    createdAt: now().toISOString(),
  }
  if (!waiting && !outbox.put(item)) return { kind: 'refused', message: STORAGE_WORDS }
  void sender.send(item.requestId)
  return { kind: 'sent', requestIds: [item.requestId] }
}
