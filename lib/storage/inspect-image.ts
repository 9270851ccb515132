import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { StoredImage } from '@/lib/domain/delivery'

const TYPE_OF_FORMAT: Readonly<Record<string, StoredImage['contentType']>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
}
// Twice the largest size on offer. sharp's own limit of 268 megapixels would let one small file
// unpack into a gigabyte.
const PIXELS_MAX = 2 * 2_048 * 2_048
const SIDE_PX_MAX = 8_192
// A dozen pixels are enough for a blur and fit in a line of HTML.
const BLUR_SIDE_PX = 12

export type InspectedImage = Omit<StoredImage, 'objectKey'>
export type Inspection =
  | { readonly ok: true; readonly image: InspectedImage }
  | { readonly ok: false; readonly reason: string; readonly sha256: string }

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Decodes every pixel: a header alone proves nothing. What the bytes say counts, never what a
 * header or a file name calls them.
 */
export async function inspectImage(bytes: Buffer): Promise<Inspection> {
  const sha256 = sha256Of(bytes)
  try {
    const input = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    const { format, width, height } = await input.metadata()
    const contentType = TYPE_OF_FORMAT[format]
    if (!contentType) return { ok: false, reason: `the format ${format} is not allowed`, sha256 }
    if (width > SIDE_PX_MAX || height > SIDE_PX_MAX) {
      return { ok: false, reason: `${width} x ${height} pixels are too many`, sha256 }
    }
    await input.clone().stats()
    const blur = await input
      .clone()
      .resize(BLUR_SIDE_PX, BLUR_SIDE_PX, { fit: 'inside' })
      .webp({ quality: 50 })
      .toBuffer()
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
    }
  } catch (error) {
    // sharp throws for whatever it cannot read: here that is an answer, not a fault.
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read'
    return { ok: false, reason, sha256 }
  }
}
