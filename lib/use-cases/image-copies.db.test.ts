import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { AttemptKey } from '@/lib/domain/attempt'
import { THUMBNAIL_SIDE_PX } from '@/lib/domain/delivery'
import type { ImageStore } from '@/lib/storage/image-store'
import { copyKeyOf } from '@/lib/storage/object-keys'
import { sha256Of } from '@/lib/storage/sha256'
import { answering } from '@/test/fake-provider-server'
import { pngBytes } from '@/test/images'
import { openWorld } from '@/test/world'
import type { WorkerDeps } from './deps'
import { readImage } from './read-attempts'

// Copies in a modern format: nothing depends on them, and they carry pixels only.

const world = openWorld()

/** An attempt whose image is these bytes. */
async function delivered(bytes: Buffer, by?: WorkerDeps): Promise<AttemptKey> {
  world().provider.answer('image', answering(200, bytes))
  const key = await world().start(await world().openAccount(10))
  await world().step(key)
  await world().step(key)
  await world().step(key, by && { by })
  expect(await world().attempt(key)).toMatchObject({ state: 'completed', settlement: 'settled' })
  return key
}

async function objectKeyOf(key: AttemptKey): Promise<string> {
  const [row] = await world().rows('select object_key from artwork where attempt_id = $1', key.id)
  return String(row?.['object_key'])
}

/** A store whose parts a test replaces. */
const storing = (changed: Partial<ImageStore>): WorkerDeps => ({
  ...world().deps,
  images: { ...world().images, ...changed },
})

const largeJpeg = () =>
  sharp({ create: { width: 1_200, height: 900, channels: 3, background: '#a63' } })
    .withExif({
      IFD0: { Artist: 'Ada' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .jpeg()
    .toBuffer()

test('the image is kept as it came, and its small copy carries pixels only', async () => {
  const bytes = await largeJpeg()
  const key = await delivered(bytes)
  const read = (size: 'full' | 'thumb') => readImage(world(), key.accountId, key.id, size)
  expect(await read('full')).toMatchObject({ bytes, sha256: sha256Of(bytes) })

  await expect.poll(async () => (await read('thumb'))?.standsIn).toBe(false)
  const thumbnail = await read('thumb')
  if (!thumbnail) throw new Error('no copy')
  expect(thumbnail).toMatchObject({
    contentType: 'image/webp',
    sha256: sha256Of(thumbnail.bytes),
  })
  const { exif, width, height } = await sharp(thumbnail.bytes).metadata()
  expect({ exif, width, height }).toEqual({
    exif: undefined,
    width: THUMBNAIL_SIDE_PX,
    height: 480,
  })
})

test.each<readonly [string, ImageStore['put']]>([
  ['is refused', () => Promise.reject(new Error('ENOSPC'))],
  ['never ends', () => new Promise(() => undefined)],
])('a small copy whose storing %s costs the delivery nothing', async (_what, putCopy) => {
  const bytes = await largeJpeg()
  const { images } = world()
  const put: ImageStore['put'] = (at, copy) =>
    at.endsWith('.thumbnail.webp') ? putCopy(at, copy) : images.put(at, copy)
  const key = await delivered(bytes, storing({ put }))
  const inPlace = await readImage(world(), key.accountId, key.id, 'thumb')
  expect(inPlace).toMatchObject({ standsIn: true, contentType: 'image/jpeg' })
  expect(inPlace?.bytes.equals(bytes)).toBe(true)
})

test('the copy for pages is drawn when it is first asked for, once, and carries pixels only', async () => {
  const key = await delivered(await largeJpeg())
  const view = () => readImage(world(), key.accountId, key.id, 'view')
  const [first, second] = await Promise.all([view(), view()])
  expect(first).toMatchObject({ contentType: 'image/webp', standsIn: false })
  expect(second).toEqual(first)
  const { exif, width, height } = await sharp(first?.bytes).metadata()
  expect({ exif, width, height }).toEqual({ exif: undefined, width: 1_200, height: 900 })

  const objectKey = await objectKeyOf(key)
  const kept = () => world().images.get(copyKeyOf(objectKey, 'view'))
  await expect.poll(kept).toEqual(first?.bytes)
  expect(await view()).toEqual(first)
})

test('a copy for pages that cannot be kept is shown all the same', async () => {
  const key = await delivered(await largeJpeg())
  const put: ImageStore['put'] = () => Promise.reject(new Error('ENOSPC'))
  const shown = await readImage(storing({ put }), key.accountId, key.id, 'view')
  expect(shown).toMatchObject({ contentType: 'image/webp', standsIn: false })
})

test('a small picture needs no copy', async () => {
  const key = await delivered(await pngBytes())
  expect(await world().images.get(copyKeyOf(await objectKeyOf(key), 'thumb'))).toBeUndefined()
})
