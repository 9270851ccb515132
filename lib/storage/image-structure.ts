import type { StoredImage } from '@/lib/domain/delivery'

// What a file is by its own bytes, and where the picture in it ends. No decoder sees a file before
// it passed here: the formats that are not named below never reach one.

type Structure = {
  readonly contentType: StoredImage['contentType']
  readonly isAnimated: boolean
  /** One past the last byte of the picture. Undefined when the file ends before the picture does. */
  readonly end: number | undefined
}

const PNG_SIGNATURE = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')
const JPEG_SIGNATURE = Buffer.of(0xff, 0xd8, 0xff)

const startsWith = (bytes: Buffer, signature: Buffer, at = 0) =>
  bytes.subarray(at, at + signature.length).equals(signature)

/** Undefined when it is no PNG, JPEG or WebP. */
export function structureOf(bytes: Buffer): Structure | undefined {
  if (startsWith(bytes, PNG_SIGNATURE)) return structureOfPng(bytes)
  if (startsWith(bytes, JPEG_SIGNATURE)) {
    return { contentType: 'image/jpeg', isAnimated: false, end: endOfJpegs(bytes) }
  }
  const isWebp = tagAt(bytes, 0) === 'RIFF' && tagAt(bytes, 8) === 'WEBP'
  return isWebp ? structureOfWebp(bytes) : undefined
}

const tagAt = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4)

function structureOfPng(bytes: Buffer): Structure {
  let isAnimated = false
  let at = PNG_SIGNATURE.length
  while (at + 12 <= bytes.length) {
    const tag = tagAt(bytes, at + 4)
    at += 12 + bytes.readUInt32BE(at)
    if (tag === 'acTL') isAnimated = true
    if (tag === 'IEND') {
      return { contentType: 'image/png', isAnimated, end: at <= bytes.length ? at : undefined }
    }
  }
  return { contentType: 'image/png', isAnimated, end: undefined }
}

function structureOfWebp(bytes: Buffer): Structure {
  const end = bytes.length < 12 ? Infinity : 8 + bytes.readUInt32LE(4)
  let isAnimated = false
  for (let at = 12; at + 8 <= Math.min(end, bytes.length);) {
    if (tagAt(bytes, at) === 'ANIM') isAnimated = true
    const size = bytes.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  return { contentType: 'image/webp', isAnimated, end: end <= bytes.length ? end : undefined }
}

/** Phones and some services put a second JPEG after the first, for screens with a wide range. */
function endOfJpegs(bytes: Buffer): number | undefined {
  let end = endOfJpeg(bytes, 0)
  while (end !== undefined && startsWith(bytes, JPEG_SIGNATURE, end)) end = endOfJpeg(bytes, end)
  return end
}

function endOfJpeg(bytes: Buffer, start: number): number | undefined {
  let at = start + 2
  while (at + 1 < bytes.length) {
    // Between segments stands nothing but markers; in a scan, what is not one is passed over.
    const marker = bytes.readUInt8(at + 1)
    if (bytes.readUInt8(at) !== 0xff || marker === 0x00) {
      at = bytes.indexOf(0xff, at + 1)
      if (at === -1) return undefined
    } else if (marker === 0xd9) {
      return at + 2
    } else if (marker === 0xff) {
      at += 1
    } else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2
    } else {
      if (at + 4 > bytes.length) return undefined
      at += 2 + bytes.readUInt16BE(at + 2)
    }
  }
  return undefined
}
