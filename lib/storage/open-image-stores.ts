import { join } from 'node:path'
import { createFileImageStore } from './file-image-store'
import type { ImageStore } from './image-store'
import { createMovingImageStore } from './moving-image-store'
import { createS3ImageStore, type S3Settings } from './s3-image-store'

export const IMAGE_STORES = ['files', 's3'] as const
export type ImageStoreName = (typeof IMAGE_STORES)[number]

export type ImageStoreSettings = {
  readonly dataDir: string
  readonly s3: S3Settings | undefined
  /** Where images are written. */
  readonly store: ImageStoreName
  /** Where they were written before, and are still read from. */
  readonly before: ImageStoreName | undefined
}

/** Each store by its name; undefined when nobody said where it is. */
export function openImageStores(
  settings: Pick<ImageStoreSettings, 'dataDir' | 's3'>,
): Readonly<Record<ImageStoreName, ImageStore | undefined>> {
  return {
    files: createFileImageStore(join(settings.dataDir, 'images')),
    s3: settings.s3 && createS3ImageStore(settings.s3),
  }
}

/** The store that everything else uses. */
export function chooseImageStore(
  stores: Readonly<Record<ImageStoreName, ImageStore | undefined>>,
  { store, before }: Pick<ImageStoreSettings, 'store' | 'before'>,
): ImageStore {
  const chosen = stores[store]
  const earlier = before && stores[before]
  if (!chosen) throw new Error(`nothing is known of the image store ${store}`)
  return earlier ? createMovingImageStore(chosen, earlier) : chosen
}
