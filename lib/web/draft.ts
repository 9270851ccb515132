import { z } from 'zod'
import type { Generation } from '@/lib/domain/generation'
import { ModelId, Seed, Settings } from '@/lib/domain/generation'
import type { Model } from '@/lib/domain/model'
import { findModel, offersSize } from '@/lib/domain/model'
import { parseJson, tryStore, type KeyValueStore } from './browser-storage'

const SeedChoice = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('random') }),
  z.strictObject({ kind: z.literal('fixed'), seed: Seed }),
])
export type SeedChoice = Readonly<z.infer<typeof SeedChoice>>

/** What is being composed. The prompt may still be unfit to send; everything else is always fit. */
const Draft = z.strictObject({
  prompt: z.string(),
  model: ModelId,
  width: Settings.shape.width,
  height: Settings.shape.height,
  seed: SeedChoice,
})
export type Draft = Readonly<z.infer<typeof Draft>>

/** The seed that typed text names, or undefined. */
export function parseSeed(text: string): number | undefined {
  if (!/^\d{1,10}$/.test(text.trim())) return undefined
  const parsed = Seed.safeParse(Number(text))
  return parsed.success ? parsed.data : undefined
}

/** The draft as it can be made today: a model or size that is no longer offered gives way to the first. */
export function fitDraft(draft: Draft | undefined, models: readonly Model[]): Draft | undefined {
  const model = (draft && findModel(models, draft.model)) ?? models[0]
  const size = draft && model && offersSize(model, draft) ? draft : model?.sizes[0]
  if (!model || !size) return undefined
  return {
    prompt: draft?.prompt ?? '',
    model: model.id,
    width: size.width,
    height: size.height,
    seed: draft?.seed ?? { kind: 'random' },
  }
}

/** True when pressing Generate on this draft would ask for the same thing again. */
export function isSameDraft(draft: Draft, { model, prompt, settings }: Generation): boolean {
  return (
    draft.model === model &&
    draft.prompt === prompt &&
    draft.width === settings.width &&
    draft.height === settings.height &&
    (draft.seed.kind === 'random' || draft.seed.seed === settings.seed)
  )
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
        const parsed = Draft.safeParse(parseJson(store?.getItem(key) ?? ''))
        current = parsed.success ? parsed.data : undefined
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
