import sharp, { type Sharp } from 'sharp'
import { THUMBNAIL_SIDE_PX, type StoredImage } from '@/lib/domain/delivery'
import { structureOf } from './image-structure'
import { sha256Of } from './sha256'

// What the database's rule on artworks allows.
const FILE_BYTES_MAX = 64 * 1024 * 1024
// The largest picture on offer has 4096 x 4096 pixels, and as many in other shapes, rounded up to
// the grid of the models that make them.
const PIXELS_MAX = 20_000_000
const SIDE_PX_MAX = 8_192
// What that takes unpacked, at four bytes a pixel: pictures of finer depth may have fewer pixels.
// Decoding takes up to twice as much (a progressive file is held whole), whatever the file's size.
const UNPACKED_BYTES_MAX = 4 * PIXELS_MAX

// A dozen pixels are enough for a blur and fit in a line of HTML.
const BLUR_SIDE_PX = 12

export type InspectedImage = Omit<StoredImage, 'objectKey'>
export type Inspection =
  | {
      readonly ok: true
      readonly image: InspectedImage
      /** A small WebP for lists. Undefined when the picture is small itself, or it went wrong. */
      readonly thumbnail: Buffer | undefined
    }
  | { readonly ok: false; readonly reason: string; readonly sha256: string }

sharp.cache(false)
// Bytes that nobody vouches for reach three decoders and no other.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`),
})

/** Why the bytes are not taken, in words for an admin. */
class Unusable extends Error {}

/**
 * Decodes every pixel: a header alone proves nothing. What the bytes say counts, never what a
 * header or a file name calls them. The bytes themselves stay as they came; what is drawn from them
 * for lists carries pixels and nothing else.
 */
export async function inspectImage(bytes: Buffer): Promise<Inspection> {
  const sha256 = sha256Of(bytes)
  try {
    const contentType = checkedType(bytes)
    const input = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    const { width, height } = await checkedSize(input)
    const small = await pixelsOf(input)
    const blur = await small
      .clone()
      .resize(BLUR_SIDE_PX, BLUR_SIDE_PX, { fit: 'inside' })
      .webp({ quality: 50 })
      .toBuffer()
    const isSmall = Math.max(width, height) <= THUMBNAIL_SIDE_PX
    return {
      ok: true,
      image: {
        sha256,
        contentType,
        width,
        height,
        sizeBytes: bytes.length,
        blur: `data:image/webp;base64,${blur.toString('base64')}`,
      },
      // Nothing depends on it: lists show the picture itself instead.
      thumbnail: isSmall
        ? undefined
        : await small
            .webp({ quality: 80 })
            .toBuffer()
            .catch(() => undefined),
    }
  } catch (error) {
    // sharp throws for whatever it cannot read: here that is an answer, not a fault.
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read'
    return { ok: false, reason, sha256 }
  }
}

function checkedType(bytes: Buffer): StoredImage['contentType'] {
  if (bytes.length === 0) throw new Unusable('it is empty')
  if (bytes.length > FILE_BYTES_MAX) throw new Unusable(`its ${bytes.length} bytes are too many`)
  const structure = structureOf(bytes)
  if (!structure) {
    const beginning = bytes.toString('latin1', 0, 24).replace(/[^\x20-\x7e]/g, '.')
    throw new Unusable(`it is no PNG, JPEG or WebP: it begins with ${JSON.stringify(beginning)}`)
  }
  const { contentType, isAnimated, end } = structure
  if (isAnimated) throw new Unusable('it is animated')
  if (end === undefined) throw new Unusable('it ends before the picture does')
  // Zeros pad; anything else makes it two files in one.
  if (bytes.subarray(end).some((byte) => byte !== 0)) {
    throw new Unusable(`${bytes.length - end} bytes follow the end of the picture`)
  }
  return contentType
}

/** The size as it is shown: a picture that says that it lies on its side is turned. */
async function checkedSize(input: Sharp): Promise<{ width: number; height: number }> {
  const { width, height, channels, depth, pages, autoOrient } = await input.metadata()
  if ((pages ?? 1) > 1) throw new Unusable('it is animated')
  if (width > SIDE_PX_MAX || height > SIDE_PX_MAX) {
    throw new Unusable(`${width} x ${height} pixels are too many`)
  }
  const unpackedBytes = width * height * channels * (depth === 'uchar' ? 1 : 2)
  if (unpackedBytes > UNPACKED_BYTES_MAX) {
    throw new Unusable(`${width} x ${height} pixels of ${channels} x ${depth} are too many bytes`)
  }
  return autoOrient
}

/** The whole picture decoded, and small. */
async function pixelsOf(input: Sharp): Promise<Sharp> {
  const { data, info } = await input
    .autoOrient()
    .resize(THUMBNAIL_SIDE_PX, THUMBNAIL_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return sharp(data, { raw: { width, height, channels } })
}
