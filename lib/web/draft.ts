import { qualityWords } from './quality-words'
import { message, type Message, type Words } from './message'
import type { Generation, Settings } from '@/lib/domain/generation'
import type { ModelFacts, OfferedModel, Size } from '@/lib/domain/model'
import { findModel, offersSize, REFERENCE_IMAGES_MAX } from '@/lib/domain/model'
import { isSeed, SEED_MAX } from '@/lib/domain/seed'
import { isRecord, parseJson, tryStore, type KeyValueStore } from './browser-storage'

export type SeedChoice =
  { readonly kind: 'random' } | { readonly kind: 'fixed'; readonly seed: number }

/** More of the same at one press are one decision; more than this are better looked at first. */
export const IMAGES_MAX = 4

/** What is being composed: everything that was ever wished for, whether its model offers it or not. */
export type Draft = {
  readonly prompt: string
  readonly model: string
  readonly width: number
  readonly height: number
  readonly seed: SeedChoice
  /** As typed. Empty where there is none. */
  readonly negativePrompt: string
  /** Undefined until one was chosen: then it is the model's first. */
  readonly quality: string | undefined
  /** Digests of uploaded images that the pictures are made after, in their order. */
  readonly referenceImages: readonly string[]
  /** How many pictures one press asks for, 1 to IMAGES_MAX. */
  readonly images: number
}

const FRESH = {
  prompt: '',
  seed: { kind: 'random' },
  negativePrompt: '',
  quality: undefined,
  referenceImages: [] as readonly string[],
  images: 1,
} as const

/** How far a size is from another in shape, and only then in area. */
function distance(a: Size, b: Size): number {
  const shape = Math.abs(Math.log((a.width * b.height) / (a.height * b.width)))
  const area = Math.abs(Math.log((a.width * a.height) / (b.width * b.height)))
  return shape * 100 + area
}

function nearestSize({ sizes }: ModelFacts, wish: Size): Size | undefined {
  return [...sizes].sort((a, b) => distance(a, wish) - distance(b, wish))[0]
}

/**
 * The draft as it can be made today. What is no longer offered gives way: a model to the first that
 * can be chosen, a size to the nearest in shape. A model that cannot be chosen just now stays, for
 * another one has another price.
 */
export function fitDraft(
  wish: Draft | undefined,
  models: readonly OfferedModel[],
): Draft | undefined {
  const model =
    (wish && findModel(models, wish.model)) ??
    models.find(({ unavailable }) => unavailable === undefined) ??
    models[0]
  const size = wish && model && !offersSize(model, wish) ? nearestSize(model, wish) : wish
  const { width, height } = size ?? model?.sizes[0] ?? {}
  if (!model || width === undefined || height === undefined) return undefined
  const quality = model.qualities.find((each) => each === wish?.quality) ?? model.qualities[0]
  return { ...FRESH, ...wish, model: model.id, width, height, quality }
}

/** Empty, and spaces alone, are no negative prompt. Anything else is sent exactly as typed. */
export function negativePromptOf(draft: Draft, model: ModelFacts): string | undefined {
  return model.negativePrompt && draft.negativePrompt.trim() !== ''
    ? draft.negativePrompt
    : undefined
}

/** As many of them as the model takes. */
export function referenceImagesOf(draft: Draft, model: ModelFacts): readonly string[] {
  return draft.referenceImages.slice(0, model.referenceImagesMax)
}

/** The settings that a fitted draft asks for: what the model does not offer is absent. */
export function settingsOf(draft: Draft, model: ModelFacts, seed: number): Settings {
  const negativePrompt = negativePromptOf(draft, model)
  const referenceImages = referenceImagesOf(draft, model)
  const hasQuality = draft.quality !== undefined && model.qualities.length > 0
  return {
    width: draft.width,
    height: draft.height,
    ...(model.seed && { seed }),
    ...(negativePrompt !== undefined && { negativePrompt }),
    ...(hasQuality && { quality: draft.quality }),
    ...(referenceImages.length > 0 && { referenceImages: [...referenceImages] }),
  }
}

/** With a fixed seed each further picture of a press has the next seed: the same one would be the same picture. */
export const nthSeed = (seed: number, nth: number): number => (seed + nth) % (SEED_MAX + 1)

/** True when pressing Generate on this draft would ask for this as its nth picture. */
export function isSameDraft(
  draft: Draft,
  model: ModelFacts,
  { prompt, settings, ...generation }: Generation,
  nth = 0,
): boolean {
  const drawn = settings.seed ?? 0
  const seed = draft.seed.kind === 'fixed' ? nthSeed(draft.seed.seed, nth) : drawn
  const asked = settingsOf(draft, model, seed)
  return (
    draft.model === generation.model &&
    draft.prompt === prompt &&
    asked.width === settings.width &&
    asked.height === settings.height &&
    asked.seed === settings.seed &&
    asked.negativePrompt === settings.negativePrompt &&
    asked.quality === settings.quality &&
    String(asked.referenceImages) === String(settings.referenceImages)
  )
}

/** The draft that asks for this again: with its own seed, or with a new one for each picture. */
export function draftOf(
  { model, prompt, settings }: Generation,
  seed: 'same' | 'new' = 'same',
): Draft {
  return {
    ...FRESH,
    model,
    prompt,
    width: settings.width,
    height: settings.height,
    seed:
      seed === 'same' && settings.seed !== undefined
        ? { kind: 'fixed', seed: settings.seed }
        : FRESH.seed,
    negativePrompt: settings.negativePrompt ?? '',
    quality: settings.quality,
    referenceImages: settings.referenceImages ?? FRESH.referenceImages,
  }
}

/** What of a wish its model does not offer, and what is done about it. Nothing is dropped in silence. */
export function leftOutWords(
  wish: Draft | undefined,
  fitted: Draft,
  model: ModelFacts,
  say: Words,
): readonly Message[] {
  if (!wish) return []
  const { name } = model
  const values = { model: name }
  const size = ({ width, height }: Size) => `${width} × ${height}`
  const isOtherSize = wish.width !== fitted.width || wish.height !== fitted.height
  const isOtherQuality = wish.quality !== undefined && wish.quality !== fitted.quality
  return [
    ...(wish.model === fitted.model ? [] : [message('studio.leftOut.model', values)]),
    ...(isOtherSize
      ? [message('studio.leftOut.size', { ...values, asked: size(wish), nearest: size(fitted) })]
      : []),
    ...(wish.seed.kind === 'fixed' && !model.seed
      ? [message('studio.leftOut.seed', { ...values, seed: String(wish.seed.seed) })]
      : []),
    ...(wish.negativePrompt.trim() !== '' && !model.negativePrompt
      ? [message('studio.leftOut.negativePrompt', values)]
      : []),
    ...(isOtherQuality ? [qualityLeftOut(name, wish.quality, fitted.quality, say)] : []),
    ...(wish.referenceImages.length > model.referenceImagesMax
      ? [
          model.referenceImagesMax === 0
            ? message('studio.leftOut.noReferences', values)
            : message('studio.leftOut.references', { ...values, most: model.referenceImagesMax }),
        ]
      : []),
  ]
}

function qualityLeftOut(
  model: string,
  asked: string,
  used: string | undefined,
  say: Words,
): Message {
  const values = { model, asked: say(qualityWords(asked)) }
  return used === undefined
    ? message('studio.leftOut.noQuality', values)
    : message('studio.leftOut.quality', { ...values, used: say(qualityWords(used)) })
}

function parseSeedChoice(value: unknown): SeedChoice {
  if (!isRecord(value) || value['kind'] !== 'fixed' || !isSeed(value['seed'])) return FRESH.seed
  return { kind: 'fixed', seed: value['seed'] }
}

function parseReferenceImages(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return FRESH.referenceImages
  return value.filter((each) => typeof each === 'string').slice(0, REFERENCE_IMAGES_MAX)
}

/** A draft that an older page kept lacks what it did not know. */
export function parseDraft(value: unknown): Draft | undefined {
  if (!isRecord(value)) return undefined
  const { prompt, model, width, height, negativePrompt, quality, images } = value
  if (typeof prompt !== 'string' || typeof model !== 'string') return undefined
  if (typeof width !== 'number' || typeof height !== 'number') return undefined
  if (!(width > 0 && height > 0)) return undefined
  const count = typeof images === 'number' ? Math.round(images) : 1
  return {
    prompt,
    model,
    width,
    height,
    seed: parseSeedChoice(value['seed']),
    negativePrompt: typeof negativePrompt === 'string' ? negativePrompt : '',
    quality: typeof quality === 'string' ? quality : undefined,
    referenceImages: parseReferenceImages(value['referenceImages']),
    images: Math.min(IMAGES_MAX, Math.max(1, count)),
  }
}

export type DraftStore = {
  read(): Draft | undefined
  write(draft: Draft): void
  subscribe(listener: () => void): () => void
}

/** Keeps one draft per account through reload, failure and sign-out. Losing it loses no money. */
export function createDraftStore(store: KeyValueStore | undefined, accountId: string): DraftStore {
  const key = `darkroom.draft.${accountId}`
  const listeners = new Set<() => void>()
  // What is on the page counts, even where the browser keeps nothing. Storage is read once: a
  // second tab composes its own draft.
  let current: Draft | undefined
  let isRead = false
  return {
    read: () => {
      if (!isRead) {
        current = parseDraft(parseJson(store?.getItem(key) ?? ''))
        isRead = true
      }
      return current
    },
    write: (draft) => {
      current = draft
      isRead = true
      tryStore(store, key, JSON.stringify(draft))
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
