import { findReferenceImages, keepReferenceImage } from '@/lib/db/reference-image-store'
import type { Settings } from '@/lib/domain/generation'
import type { AccountId } from '@/lib/domain/ids'
import type { ReferenceImage } from '@/lib/domain/provider'
import { ok, refuse, type Result } from '@/lib/domain/result'
import { structureOf } from '@/lib/storage/image-structure'
import { referenceKeyOf } from '@/lib/storage/object-keys'
import { sha256Of } from '@/lib/storage/sha256'
import type { Deps } from './deps'

/** What the strictest provider that takes them inline allows, with room for base64. */
export const REFERENCE_IMAGE_BYTES_MAX = 8 * 1024 * 1024
// Above what anybody works with, below what would make us somebody's storage.
const REFERENCE_IMAGES_OF_ACCOUNT_MAX = 1_000

export type KeptReferenceImage = {
  /** What an attempt names it by. */
  readonly sha256: string
  readonly content_type: ReferenceImage['contentType']
  readonly size_bytes: number
}

export type ReferenceImageRefusal = {
  readonly code: 'too-large' | 'not-an-image' | 'too-many' | 'account-suspended'
  readonly message: string
}

/**
 * Keeps an image that attempts can be made after, under the digest of its bytes: the same image is
 * kept once, and a replay names the same one. It is not decoded here: only who draws after it does.
 */
export async function keepImageForReference(
  deps: Pick<Deps, 'db' | 'images'>,
  accountId: AccountId,
  bytes: Buffer,
): Promise<Result<KeptReferenceImage, ReferenceImageRefusal>> {
  if (bytes.length > REFERENCE_IMAGE_BYTES_MAX) {
    return refuse({ code: 'too-large', message: 'A reference image may have up to 8 MiB.' })
  }
  const structure = structureOf(bytes)
  if (structure?.end === undefined || structure.isAnimated) {
    const message = 'A reference image is a whole PNG, JPEG or WebP file, and not animated.'
    return refuse({ code: 'not-an-image', message })
  }
  const { contentType } = structure
  const sha256 = sha256Of(bytes)
  await deps.images.put(referenceKeyOf(accountId, sha256), bytes)
  const image = { sha256, contentType, sizeBytes: bytes.length }
  const kept = await keepReferenceImage(deps.db, accountId, image, REFERENCE_IMAGES_OF_ACCOUNT_MAX)
  switch (kept) {
    case 'kept':
    case 'present':
      return ok({ sha256, content_type: contentType, size_bytes: bytes.length })
    case 'full': {
      const message = `An account may keep up to ${REFERENCE_IMAGES_OF_ACCOUNT_MAX} reference images.`
      return refuse({ code: 'too-many', message })
    }
    case 'no_account':
      return refuse({ code: 'account-suspended', message: 'There is no such account.' })
  }
}

type MissingReference = {
  readonly field: string
  readonly code: 'reference-image-missing'
  readonly values: { readonly image: string }
  readonly message: string
}

/** Says which of the reference images the account does not have. */
export async function referenceProblems(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
  { referenceImages = [] }: Settings,
): Promise<readonly MissingReference[]> {
  if (referenceImages.length === 0) return []
  const found = await findReferenceImages(deps.db, accountId, referenceImages)
  const known = new Set(found.map(({ sha256 }) => sha256))
  const missing = referenceImages.filter((sha256) => !known.has(sha256))
  return missing.map((sha256) => {
    const image = `${sha256.slice(0, 12)}…`
    return {
      field: 'settings.referenceImages',
      code: 'reference-image-missing',
      values: { image },
      message: `There is no reference image ${image} of yours. Upload it first.`,
    }
  })
}

/** The bytes as they were uploaded, when the account has such an image and they are still what they were. */
export async function readReferenceImage(
  deps: Pick<Deps, 'db' | 'images'>,
  accountId: AccountId,
  sha256: string,
): Promise<(ReferenceImage & { readonly sha256: string }) | undefined> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined
  const loaded = await loadReferenceImages(deps, accountId, { referenceImages: [sha256] })
  return loaded.ok && loaded.value[0] ? { ...loaded.value[0], sha256 } : undefined
}

/** The images in the order in which they are named, or which one cannot be had. */
export async function loadReferenceImages(
  deps: Pick<Deps, 'db' | 'images'>,
  accountId: AccountId,
  { referenceImages = [] }: Pick<Settings, 'referenceImages'>,
): Promise<Result<readonly ReferenceImage[], string>> {
  const rows = await (referenceImages.length === 0
    ? []
    : findReferenceImages(deps.db, accountId, referenceImages))
  const loaded: ReferenceImage[] = []
  for (const sha256 of referenceImages) {
    const row = rows.find((one) => one.sha256 === sha256)
    const bytes = row && (await deps.images.get(referenceKeyOf(accountId, sha256)))
    if (!row || !bytes || sha256Of(bytes) !== sha256) return refuse(sha256)
    loaded.push({ contentType: row.contentType, bytes })
  }
  return ok(loaded)
}
