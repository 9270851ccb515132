import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import {
  gifBytes,
  jpegBytes,
  pngBytes,
  svgBytes,
  truncatedPngBytes,
  webpBytes,
} from '@/test/images'
import { THUMBNAIL_SIDE_PX } from '@/lib/domain/delivery'
import { structureOf } from './image-structure'
import { inspectImage } from './inspect-image'
import { sha256Of } from './sha256'

const SIGNATURE = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')

function chunk(tag: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(tag, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const crc = Buffer.alloc(4)
  crc.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, crc])
}

/** A black PNG as small as it can be, with or without the pixels that it claims. */
function blackPng(
  width: number,
  height: number,
  options: { depth?: number; colour?: number; rows?: number; extra?: Buffer } = {},
): Buffer {
  const { depth = 1, colour = 0, rows = height, extra = Buffer.alloc(0) } = options
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(depth, 8)
  header.writeUInt8(colour, 9)
  const samples = colour === 6 ? 4 : 1
  const row = 1 + Math.ceil((width * depth * samples) / 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    extra,
    chunk('IDAT', deflateSync(Buffer.alloc(row * rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const wide = (width = 1_024, height = 512) =>
  sharp({ create: { width, height, channels: 3, background: '#c63' } })

const accepted = async (bytes: Buffer) => {
  const inspection = await inspectImage(bytes)
  if (!inspection.ok) throw new Error(`not accepted: ${inspection.reason}`)
  return inspection
}

const reasonOf = async (bytes: Buffer) => {
  const inspection = await inspectImage(bytes)
  if (inspection.ok) throw new Error('it was accepted')
  expect(inspection.sha256).toBe(sha256Of(bytes))
  return inspection.reason
}

test.each([
  ['image/png', pngBytes],
  ['image/jpeg', jpegBytes],
  ['image/webp', webpBytes],
])('reads %s with its size, its digest and a small blur', async (contentType, make) => {
  const bytes = await make()
  const { image, thumbnail } = await accepted(bytes)
  expect(image).toMatchObject({
    contentType,
    width: 64,
    height: 64,
    sizeBytes: bytes.length,
    sha256: sha256Of(bytes),
  })
  expect(image.blur).toMatch(/^data:image\/webp;base64,/)
  expect(image.blur.length).toBeLessThan(4_000)
  // It is small enough for lists itself.
  expect(thumbnail).toBeUndefined()
})

test.each<readonly [string, () => Promise<Buffer>]>([
  ['interlaced PNG', () => wide().png({ progressive: true }).toBuffer()],
  ['PNG with a palette', () => wide().png({ palette: true }).toBuffer()],
  ['PNG of 16 bits', () => wide().toColourspace('rgb16').png().toBuffer()],
  ['grey PNG', () => wide().greyscale().png().toBuffer()],
  ['PNG that lets light through', () => wide().ensureAlpha(0.5).png().toBuffer()],
  ['progressive JPEG', () => wide().jpeg({ progressive: true }).toBuffer()],
  ['CMYK JPEG', () => wide().toColourspace('cmyk').jpeg().toBuffer()],
  ['lossless WebP', () => wide().webp({ lossless: true }).toBuffer()],
  ['WebP that lets light through', () => wide().ensureAlpha(0.5).webp().toBuffer()],
  ['WebP with a profile', () => wide().withIccProfile('p3').webp().toBuffer()],
])('takes a %s', async (_kind, make) => {
  expect((await accepted(await make())).image).toMatchObject({ width: 1_024, height: 512 })
})

test('takes the largest picture on offer', async () => {
  const { image } = await accepted(blackPng(4_096, 4_096, { depth: 8 }))
  expect(image).toMatchObject({ width: 4_096, height: 4_096 })
})

// What is no picture, or more than one.

test.each<readonly [string, () => Promise<Buffer> | Buffer, RegExp]>([
  ['a GIF', gifBytes, /no PNG, JPEG or WebP: it begins with "GIF89a/],
  ['an SVG', svgBytes, /begins with "<svg/],
  [
    'a page',
    () => Buffer.from('<!doctype html><script>1</script>'),
    /begins with "<!doctype html>/,
  ],
  ['nothing', () => Buffer.alloc(0), /it is empty/],
  ['a document', () => Buffer.from('%PDF-1.7'), /begins with "%PDF-1.7"/],
  ['an AVIF', () => wide(64, 64).avif().toBuffer(), /no PNG, JPEG or WebP/],
  ['a TIFF', () => wide(64, 64).tiff().toBuffer(), /no PNG, JPEG or WebP/],
  ['a PNG without its end', truncatedPngBytes, /ends before the picture does/],
  [
    'a drawing that begins like a PNG',
    () => Buffer.concat([SIGNATURE, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')]),
    /ends before/,
  ],
  [
    'a file larger than an artwork may be',
    async () => Buffer.concat([await pngBytes(), Buffer.alloc(64 * 1_024 * 1_024)]),
    /bytes are too many/,
  ],
  [
    'an animated PNG',
    () => blackPng(64, 64, { extra: chunk('acTL', Buffer.of(0, 0, 0, 2, 0, 0, 0, 0)) }),
    /animated/,
  ],
  [
    'an animated WebP',
    async () =>
      sharp([await pngBytes('#111'), await pngBytes('#eee')], { join: { animated: true } })
        .webp()
        .toBuffer(),
    /animated/,
  ],
])('refuses %s, says why and keeps its digest', async (_what, make, reason) => {
  expect(await reasonOf(await make())).toMatch(reason)
})

const formats = [
  ['PNG', pngBytes],
  ['JPEG', jpegBytes],
  ['WebP', webpBytes],
] as const

test.each(
  formats.flatMap(([format, make]) =>
    ['<script>alert(1)</script>', 'PK\u0003\u0004 and an archive', '%PDF-1.7', '<?php'].map(
      (tail) => [format, tail, make] as const,
    ),
  ),
)('refuses a %s that is another file besides: %s', async (_format, tail, make) => {
  const bytes = Buffer.concat([await make(), Buffer.from(tail, 'latin1')])
  expect(await reasonOf(bytes)).toBe(`${tail.length} bytes follow the end of the picture`)
  const other = Buffer.concat([Buffer.from(tail, 'latin1'), await make()])
  expect(await reasonOf(other)).toMatch(/no PNG, JPEG or WebP/)
})

test.each(formats)('takes a %s that is padded with zeros, as it came', async (_format, make) => {
  const bytes = Buffer.concat([await make(), Buffer.alloc(512)])
  expect((await accepted(bytes)).image.sizeBytes).toBe(bytes.length)
})

test('takes a JPEG with a second one for wide screens behind it', async () => {
  await accepted(Buffer.concat([await jpegBytes(), await jpegBytes()]))
})

test.each(formats)('refuses a %s that is cut short, wherever', async (_format, make) => {
  const whole = await make()
  const cuts = Array.from({ length: 24 }, (_, n) => Math.floor((whole.length * (n + 0.5)) / 24))
  for (const length of [1, 2, 4, 8, 11, 12, 15, 20, ...cuts, whole.length - 1]) {
    expect(await inspectImage(whole.subarray(0, length))).toMatchObject({ ok: false })
  }
})

test('a PNG whose pixels do not match their checksum is no image', async () => {
  const bytes = await pngBytes('#123', 256)
  const at = bytes.indexOf('IDAT') + 12
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  expect(await inspectImage(bytes)).toMatchObject({ ok: false })
})

test('whatever the bytes, finding out what they are ends', () => {
  const beginnings = [SIGNATURE, Buffer.of(0xff, 0xd8, 0xff), Buffer.from('RIFF\0\0\0\0WEBP')]
  fc.assert(
    fc.property(
      fc.constantFrom(...beginnings),
      fc.uint8Array({ maxLength: 200 }),
      (beginning, rest) => {
        const bytes = Buffer.concat([beginning, rest])
        const end = structureOf(bytes)?.end
        expect(end === undefined || end <= bytes.length).toBe(true)
      },
    ),
  )
})

// Small files that unpack into much.

test.each([
  ['claims a side of two billion', blackPng(0x7fffffff, 1, { rows: 0 }), /corrupt header/],
  ['claims four billion pixels', blackPng(65_000, 65_000, { rows: 0 }), /pixel|limit/i],
  ['has 196 million pixels', blackPng(14_000, 14_000), /pixel/i],
  ['has 25 million pixels', blackPng(5_000, 5_000), /pixel/i],
  ['is one row', blackPng(8_193, 1), /8193 x 1 pixels are too many/],
  ['is one column', blackPng(1, 8_193), /1 x 8193 pixels are too many/],
  [
    'is very fine',
    blackPng(4_000, 4_000, { depth: 16, colour: 6 }),
    /4000 x 4000 pixels of 4 x ushort are too many bytes/,
  ],
  ['claims more rows than it has', blackPng(4_000, 4_000, { rows: 1 }), /./],
])('refuses a small file that %s, and spends no memory on it', async (_what, bytes, reason) => {
  expect(bytes.length).toBeLessThan(200_000)
  const before = process.memoryUsage().rss
  expect(await reasonOf(bytes)).toMatch(reason)
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_024 * 1_024)
})

// What is drawn for lists.

test('draws a thumbnail that has the picture’s shape and is much smaller', async () => {
  const bytes = await sharp({
    create: {
      width: 1_536,
      height: 1_024,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .png()
    .toBuffer()
  const { thumbnail } = await accepted(bytes)
  if (!thumbnail) throw new Error('no thumbnail')
  expect(await sharp(thumbnail).metadata()).toMatchObject({
    format: 'webp',
    width: THUMBNAIL_SIDE_PX,
    height: 427,
  })
  expect(thumbnail.length).toBeLessThan(bytes.length / 20)
})

test('a picture that says that it lies on its side has the size that it is shown in', async () => {
  const bytes = await wide().jpeg().withMetadata({ orientation: 6 }).toBuffer()
  const { image, thumbnail } = await accepted(bytes)
  expect(image).toMatchObject({ width: 512, height: 1_024 })
  expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 320, height: 640 })
})

test('a thumbnail carries pixels and nothing else, whatever the picture carries', async () => {
  const bytes = await wide()
    .withExif({
      IFD0: { Artist: 'Ada' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    .withIccProfile('p3')
    .jpeg()
    .toBuffer()
  const { exif, xmp, icc } = await sharp(bytes).metadata()
  expect([exif, xmp, icc]).not.toContain(undefined)

  const { image, thumbnail } = await accepted(bytes)
  expect(image.sha256).toBe(sha256Of(bytes))
  for (const drawn of [thumbnail, Buffer.from(image.blur.split(',')[1] ?? '', 'base64')]) {
    const metadata = await sharp(drawn).metadata()
    expect([metadata.exif, metadata.xmp, metadata.icc, metadata.iptc]).toEqual(
      Array.from({ length: 4 }),
    )
  }
})
