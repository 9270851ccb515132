import type { GenerationRequest, Settings } from '@/lib/domain/generation'
import type { RequestId } from '@/lib/domain/ids'
import { isSeed } from '@/lib/domain/seed'
import { isRecord, parseJson, tryStore, type KeyValueStore } from './browser-storage'

/**
 * A request that the server has not acknowledged yet, exactly as it is sent each time. Whether its
 * seed was drawn or chosen, and which of how many it was of its press, tell an unchanged draft from
 * an edited one.
 */
export type OutboxItem = GenerationRequest & {
  readonly seedChoice: 'random' | 'fixed'
  /** Absent when its press asked for one picture. */
  readonly place?: { readonly nth: number; readonly of: number }
  readonly createdAt: string
}

/** The input of the server action: the same for every send of one item. */
export function requestOf(item: OutboxItem): GenerationRequest {
  const { requestId, model, prompt, settings, quotedCredits } = item
  return {
    requestId,
    model,
    prompt,
    settings,
    ...(quotedCredits !== undefined && { quotedCredits }),
  }
}

export type Outbox = {
  /** Oldest first. The same array until something changes. */
  list(): readonly OutboxItem[]
  /** False when the browser did not keep it; then nothing may be sent. */
  put(item: OutboxItem): boolean
  remove(requestId: RequestId): void
  subscribe(listener: () => void): () => void
}

const NOTHING: readonly OutboxItem[] = []

/** The account is part of the key: another user of the same browser never sees or sends these. */
export const outboxPrefix = (accountId: string): string => `darkroom.outbox.${accountId}.`

function keysWith(store: KeyValueStore, prefix: string): readonly string[] {
  return Array.from({ length: store.length }, (_, index) => store.key(index)).filter(
    (key): key is string => key?.startsWith(prefix) ?? false,
  )
}

const hasOnly = (value: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.keys(value).every((name) => names.includes(name))
const isTextIfAny = (value: unknown) => value === undefined || typeof value === 'string'

function isSettings(value: unknown): value is Settings {
  if (!isRecord(value)) return false
  const { width, height, seed, negativePrompt, quality, referenceImages } = value
  return (
    hasOnly(value, ['width', 'height', 'seed', 'negativePrompt', 'quality', 'referenceImages']) &&
    Number.isInteger(width) &&
    Number.isInteger(height) &&
    (seed === undefined || isSeed(seed)) &&
    isTextIfAny(negativePrompt) &&
    isTextIfAny(quality) &&
    (referenceImages === undefined || Array.isArray(referenceImages))
  )
}

const isPlace = (value: unknown) =>
  value === undefined ||
  (isRecord(value) && Number.isInteger(value['nth']) && Number.isInteger(value['of']))

const ITEM_FIELDS = [
  'requestId',
  'model',
  'prompt',
  'settings',
  'quotedCredits',
  'seedChoice',
  'place',
  'createdAt',
] as const
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether it is an item of ours, whole. What its input is worth is the server's to say. */
export function isOutboxItem(value: unknown): value is OutboxItem {
  if (!isRecord(value) || !hasOnly(value, ITEM_FIELDS)) return false
  const { requestId, model, prompt, settings, quotedCredits, seedChoice, place, createdAt } = value
  return (
    typeof requestId === 'string' &&
    UUID.test(requestId) &&
    typeof model === 'string' &&
    typeof prompt === 'string' &&
    isSettings(settings) &&
    (quotedCredits === undefined || Number.isInteger(quotedCredits)) &&
    (seedChoice === 'random' || seedChoice === 'fixed') &&
    isPlace(place) &&
    typeof createdAt === 'string' &&
    !Number.isNaN(Date.parse(createdAt))
  )
}

function parseItem(key: string, prefix: string, text: string): OutboxItem | undefined {
  const item = parseJson(text)
  return isOutboxItem(item) && key === `${prefix}${item.requestId}` ? item : undefined
}

/**
 * One key per request, so that two tabs never rewrite each other's list. Storage is the truth and
 * is read each time; an item that does not parse is dropped, for it could not be sent unchanged.
 */
export function createOutbox(store: KeyValueStore | undefined, accountId: string): Outbox {
  const prefix = outboxPrefix(accountId)
  const listeners = new Set<() => void>()
  let snapshot = NOTHING
  let snapshotOf = ''

  const read = (): readonly OutboxItem[] => {
    if (!store) return NOTHING
    const entries = keysWith(store, prefix).map((key) => ({ key, text: store.getItem(key) ?? '' }))
    const contents = entries.map(({ text }) => text).join('\n')
    if (contents === snapshotOf) return snapshot
    const items: OutboxItem[] = []
    for (const { key, text } of entries) {
      const item = parseItem(key, prefix, text)
      if (item) items.push(item)
      else store.removeItem(key)
    }
    items.sort(
      (a, b) => a.createdAt.localeCompare(b.createdAt) || (a.place?.nth ?? 0) - (b.place?.nth ?? 0),
    )
    snapshot = items.length === 0 ? NOTHING : items
    snapshotOf = contents
    return snapshot
  }
  const tellAll = () => listeners.forEach((listener) => listener())
  const onStorage = (event: StorageEvent) => {
    if (event.key === null || event.key.startsWith(prefix)) tellAll()
  }

  return {
    list: read,
    put: (item) => {
      const kept = tryStore(store, `${prefix}${item.requestId}`, JSON.stringify(item))
      tellAll()
      return kept
    },
    remove: (requestId) => {
      store?.removeItem(`${prefix}${requestId}`)
      tellAll()
    },
    subscribe: (listener) => {
      if (listeners.size === 0 && typeof window !== 'undefined') {
        window.addEventListener('storage', onStorage)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && typeof window !== 'undefined') {
          window.removeEventListener('storage', onStorage)
        }
      }
    },
  }
}
