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
import { inspectImage, sha256Of } from './inspect-image'

test.each([
  ['image/png', pngBytes],
  ['image/jpeg', jpegBytes],
  ['image/webp', webpBytes],
])('reads %s with its size, its digest and a small blur', async (contentType, make) => {
  const bytes = await make()
  const inspection = await inspectImage(bytes)
  expect(inspection).toMatchObject({
    ok: true,
    image: { contentType, width: 64, height: 64, sizeBytes: bytes.length, sha256: sha256Of(bytes) },
  })
  const blur = inspection.ok ? inspection.image.blur : ''
  expect(blur).toMatch(/^data:image\/webp;base64,/)
  expect(blur.length).toBeLessThan(4_000)
})

const bomb = () =>
  sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: 'black' } })
    .png({ compressionLevel: 1 })
    .toBuffer()

test.each<readonly [string, () => Promise<Buffer>, RegExp]>([
  ['a GIF', gifBytes, /gif is not allowed/],
  ['an SVG', svgBytes, /svg is not allowed|unsupported/],
  ['nothing', () => Promise.resolve(Buffer.alloc(0)), /./],
  ['text', () => Promise.resolve(Buffer.from('%PDF-1.7')), /unsupported/],
  ['a PNG without its end', truncatedPngBytes, /./],
  ['a small file that unpacks into too much', bomb, /pixel limit/i],
])('refuses %s and keeps its digest', async (_what, make, reason) => {
  const bytes = await make()
  const inspection = await inspectImage(bytes)
  expect(inspection).toMatchObject({ ok: false, sha256: sha256Of(bytes) })
  expect(inspection.ok ? '' : inspection.reason).toMatch(reason)
})

test('a PNG whose pixels do not match their checksum is no image', async () => {
  const bytes = await pngBytes('#123', 256)
  const at = bytes.indexOf('IDAT') + 12
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  expect(await inspectImage(bytes)).toMatchObject({ ok: false })
})
