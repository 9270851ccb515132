/** An image that is stored, checked and read back. */
export type StoredImage = {
  readonly objectKey: string
  readonly sha256: string
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
  /** A tiny data URL shown until the image itself is there. */
  readonly blur: string
}

/** The longest side of the small copy that lists show of a larger image. */
export const THUMBNAIL_SIDE_PX = 640

/** The longest side of the copy that pages show of an image, which itself is for keeping and zooming. */
export const VIEW_SIDE_PX = 2_048

/** Copies of an image in a modern format, for showing. Without them the image itself is shown. */
export const COPY_SIZES = ['thumb', 'view'] as const
export type CopySize = (typeof COPY_SIZES)[number]

/** What one try to deliver told. */
export type DeliveryOutcome =
  | { readonly kind: 'stored'; readonly image: StoredImage }
  /** Fetching or storing did not work this time; the same result is tried again. */
  | { readonly kind: 'not-yet'; readonly stage: 'fetch' | 'store'; readonly reason: string }
  /** The provider does not hand it out any more. It was made, so this is no failure: a person looks. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** The bytes came whole and are no image of an allowed kind. */
  | { readonly kind: 'unusable'; readonly reason: string; readonly sha256: string }

// The same unusable bytes this often are the provider's final word, not a bad moment.
export const UNUSABLE_FETCHES_MAX = 3
