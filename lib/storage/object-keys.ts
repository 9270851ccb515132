import type { AttemptKey } from '@/lib/domain/attempt'
import type { CopySize, StoredImage } from '@/lib/domain/delivery'
import type { AccountId } from '@/lib/domain/ids'

// Every key is made of the attempt, so that doing it again finds what was stored before. Spread
// over folders by the random end of the id: its start is the time.

const EXTENSION_OF: Record<StoredImage['contentType'], string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

/** Where a fetched result is kept. One for an attempt: the first object wins. */
export function artworkKeyOf({ id }: AttemptKey, contentType: StoredImage['contentType']): string {
  return `artworks/${id.slice(-2)}/${id}.${EXTENSION_OF[contentType]}`
}

/** Where bytes that came with an answer are kept before anything is known of them. */
export function answerKeyOf({ id }: AttemptKey, sha256: string): string {
  return `answers/${id.slice(-2)}/${id}-${sha256.slice(0, 16)}`
}

/** Where an image is kept that attempts are made after. */
export function referenceKeyOf(accountId: AccountId, sha256: string): string {
  return `references/${accountId.slice(-2)}/${accountId}/${sha256}`
}

const COPY_NAME: Record<CopySize, string> = { thumb: 'thumbnail', view: 'view' }

/** Beside the image, and never more than a copy of what is in it. */
export function copyKeyOf(objectKey: string, size: CopySize): string {
  return `${objectKey}.${COPY_NAME[size]}.webp`
}
