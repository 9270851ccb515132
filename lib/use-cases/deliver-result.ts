import { findSpooled, spoolResult } from '@/lib/db/recovery-store'
import type { AttemptKey, ResultRef } from '@/lib/domain/attempt'
import type { DeliveryOutcome, StoredImage } from '@/lib/domain/delivery'
import type { Provider } from '@/lib/domain/provider'
import { fetchResult } from '@/lib/providers/fetch-result'
import { describeError } from '@/lib/providers/submit-once'
import { ImageConflictError, type ImageStore } from '@/lib/storage/image-store'
import { inspectImage, sha256Of, type InspectedImage } from '@/lib/storage/inspect-image'
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
  const objectKey = objectKeyOf(key, inspection.image.contentType)
  try {
    const image = await storeImage(deps.images, objectKey, fetched.bytes, inspection.image)
    return image
      ? { kind: 'stored', image: { ...image, objectKey } }
      : { kind: 'not-yet', stage: 'store', reason: 'What was read back is not what was stored.' }
  } catch (error) {
    // A full disk or an unreachable store: the image exists, and the same result is stored later.
    const kept = spooled ? 'kept' : await spoolResult(deps.db, key, fetched.bytes, SPOOL_ROWS_MAX)
    deps.log.warn({ err: error, attemptId: key.id, spool: kept }, 'image not stored')
    return { kind: 'not-yet', stage: 'store', reason: describeError(error) }
  }
}

/**
 * Stores and reads back. A crash may have left an earlier fetch of the same result under the key,
 * and its bytes may differ: the first object wins, if it is an image.
 */
async function storeImage(
  images: ImageStore,
  objectKey: string,
  bytes: Buffer,
  image: InspectedImage,
): Promise<InspectedImage | undefined> {
  const conflict = await images.put(objectKey, bytes).then(
    () => false,
    (error: unknown) => {
      if (error instanceof ImageConflictError) return true
      throw error
    },
  )
  const readBack = await images.get(objectKey)
  if (readBack === undefined) return undefined
  if (sha256Of(readBack) === image.sha256) return image
  const inspection = conflict ? await inspectImage(readBack) : undefined
  return inspection?.ok === true ? inspection.image : undefined
}

/** Spread over folders by the random end of the id: its start is the time. */
function objectKeyOf({ id }: AttemptKey, contentType: StoredImage['contentType']): string {
  return `artworks/${id.slice(-2)}/${id}.${EXTENSION_OF[contentType]}`
}
