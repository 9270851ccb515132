import { findSpooled, spoolResult } from '@/lib/db/recovery-store'
import type { AttemptKey, ResultRef } from '@/lib/domain/attempt'
import type { DeliveryOutcome, StoredImage } from '@/lib/domain/delivery'
import type { Provider } from '@/lib/domain/provider'
import { fetchResult } from '@/lib/providers/fetch-result'
import { describeError } from '@/lib/providers/submit-once'
import { inspectImage, sha256Of } from '@/lib/storage/inspect-image'
import type { Deps } from './deps'

const EXTENSION_OF: Record<StoredImage['contentType'], string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

// At most this many results wait in the database for the image store: with images of a few
// megabytes, what an hour's outage brings on one machine, and a bound that a disk can bear.
const SPOOL_ROWS_MAX = 256

/**
 * Fetches, checks, stores and reads back, in that order. Repeating it writes the same object under
 * the same key, so a crash anywhere in it costs nothing but time. Bytes that could not be stored
 * wait in the spool, so that the provider may forget its copy.
 */
export async function deliverResult(
  deps: Pick<Deps, 'db' | 'images' | 'log'>,
  key: AttemptKey,
  result: ResultRef,
  provider: Pick<Provider, 'resultOrigins'>,
  storedBefore: boolean,
): Promise<DeliveryOutcome> {
  const spooled = storedBefore ? await findSpooled(deps.db, key) : undefined
  const fetched = spooled
    ? ({ ok: true, bytes: spooled } as const)
    : await fetchResult(result.url, provider.resultOrigins)
  if (!fetched.ok) return { kind: 'not-yet', stage: 'fetch', reason: fetched.reason }
  const inspection = await inspectImage(fetched.bytes)
  if (!inspection.ok) {
    return { kind: 'unusable', reason: inspection.reason, sha256: inspection.sha256 }
  }
  const { image } = inspection
  const objectKey = objectKeyOf(key, image.contentType)
  try {
    await deps.images.put(objectKey, fetched.bytes)
    const readBack = await deps.images.get(objectKey)
    if (readBack === undefined || sha256Of(readBack) !== image.sha256) {
      return {
        kind: 'not-yet',
        stage: 'store',
        reason: 'What was read back is not what was stored.',
      }
    }
  } catch (error) {
    // A full disk or an unreachable store: the image exists, and the same result is stored later.
    const kept = spooled ? 'kept' : await spoolResult(deps.db, key, fetched.bytes, SPOOL_ROWS_MAX)
    deps.log.warn({ err: error, attemptId: key.id, spool: kept }, 'image not stored')
    return { kind: 'not-yet', stage: 'store', reason: describeError(error) }
  }
  return { kind: 'stored', image: { ...image, objectKey } }
}

/** Spread over folders by the random end of the id: its start is the time. */
function objectKeyOf({ id }: AttemptKey, contentType: StoredImage['contentType']): string {
  return `artworks/${id.slice(-2)}/${id}.${EXTENSION_OF[contentType]}`
}
