import { z } from 'zod'
import { GenerationRequest } from '@/lib/domain/generation'
import type { RequestId } from '@/lib/domain/ids'
import { parseJson, tryStore, type KeyValueStore } from './browser-storage'

/**
 * A request that the server has not acknowledged yet, exactly as it is sent each time. Whether its
 * seed was drawn or chosen tells an unchanged draft from an edited one.
 */
export const OutboxItem = z.strictObject({
  ...GenerationRequest.shape,
  seedChoice: z.enum(['random', 'fixed']),
  createdAt: z.iso.datetime(),
})
export type OutboxItem = Readonly<z.infer<typeof OutboxItem>>

/** The input of the server action: the same for every send of one item. */
export function requestOf({ requestId, model, prompt, settings }: OutboxItem): GenerationRequest {
  return { requestId, model, prompt, settings }
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

function parseItem(key: string, prefix: string, text: string): OutboxItem | undefined {
  const parsed = OutboxItem.safeParse(parseJson(text))
  if (!parsed.success || key !== `${prefix}${parsed.data.requestId}`) return undefined
  return parsed.data
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
    items.sort((a, b) => a.createdAt.localeCompare(b.createdAt))
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
