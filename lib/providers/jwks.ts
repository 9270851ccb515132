import { createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { look } from './look'

// fal and Ideogram ask for their keys to be kept no longer than a day.
const KEYS_FOR_MS = 24 * 60 * 60 * 1_000
// A forged callback costs a fetch at most this often, and a rotated key is known this soon.
const FETCH_PAUSE_MS = 60 * 1_000
// Callers wait for the answer of a callback; a sender that is not answered sends again.
const FETCH_TIMEOUT_MS = 5_000
const BYTES_MAX = 64 * 1_024
const KEYS_MAX = 32

export type PublishedKey = {
  /** `kid`, where the set names its keys. */
  readonly id: string | undefined
  readonly key: KeyObject
}

export type PublishedKeys = {
  /**
   * Whether one of the keys passes the test. When none of the known ones does, the set is fetched
   * again, at most once a minute: the key may be new. A set that cannot be had passes nothing.
   */
  readonly some: (isRight: (key: PublishedKey) => boolean, now: Date) => Promise<boolean>
}

// RFC 7517, 5: members that are not understood are ignored, and so are keys that cannot be used.
const KeySet = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().max(200).optional() })),
})

/** The public keys that a provider signs its callbacks with (RFC 7517), kept for a day. */
export function createPublishedKeys(url: string): PublishedKeys {
  let keys: readonly PublishedKey[] = []
  let fetchedAt = -Infinity
  let triedAt = -Infinity
  let fetching: Promise<void> | undefined

  async function fetchKeys(now: Date): Promise<void> {
    const fetched = await fetchKeySet(url, now)
    if (fetched === undefined) return
    keys = fetched
    fetchedAt = now.getTime()
  }

  /** One fetch at a time, which everybody waits for. */
  async function refresh(now: Date): Promise<void> {
    if (fetching === undefined) {
      if (now.getTime() - triedAt < FETCH_PAUSE_MS) return
      triedAt = now.getTime()
      fetching = fetchKeys(now).finally(() => {
        fetching = undefined
      })
    }
    await fetching
  }

  const isFresh = (now: Date) => now.getTime() - fetchedAt < KEYS_FOR_MS
  return {
    async some(isRight, now) {
      if (isFresh(now) && keys.some(isRight)) return true
      await refresh(now)
      return isFresh(now) && keys.some(isRight)
    },
  }
}

/** Undefined when there is none to be had. */
async function fetchKeySet(url: string, now: Date): Promise<readonly PublishedKey[] | undefined> {
  const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS)
  const looked = await look({ url, signal, now, bytesMax: BYTES_MAX })
  if (looked.kind === 'unavailable' || looked.status !== 200) return undefined
  const set = KeySet.safeParse(looked.json)
  if (!set.success) return undefined
  return set.data.keys.slice(0, KEYS_MAX).flatMap((jwk) => {
    try {
      return [{ id: jwk.kid, key: createPublicKey({ key: jwk, format: 'jwk' }) }]
    } catch {
      // A key of a kind that this Node does not know signs nothing that we could check.
      return []
    }
  })
}
