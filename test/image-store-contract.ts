import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ImageConflictError, type ImageStore } from '@/lib/storage/image-store'

export type OpenedStore = { readonly images: ImageStore; readonly end: () => Promise<void> }

/** What every image store promises. Keys are new in each test: a store may hold others' objects. */
export function testImageStore(open: () => Promise<OpenedStore>): void {
  let opened: OpenedStore
  let images: ImageStore
  let folder: string

  beforeEach(async () => {
    opened = await open()
    images = opened.images
    folder = randomUUID()
  })
  afterEach(() => opened.end())

  const first = Buffer.from('first')
  const key = (name: string) => `${folder}/${name}`

  test('gives back what was stored, and nothing where nothing was', async () => {
    await images.put(key('b/c.png'), first)
    expect(await images.get(key('b/c.png'))).toEqual(first)
    expect(await images.get(key('b/d.png'))).toBeUndefined()
  })

  test('keeps bytes of every value, none and many', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from(Array.from({ length: 256 }, (_, n) => n))]) {
      await images.put(key(`${bytes.length}.png`), bytes)
      expect(await images.get(key(`${bytes.length}.png`))).toEqual(bytes)
    }
    const large = Buffer.alloc(9_000_000, 'darkroom')
    await images.put(key('large.png'), large)
    expect((await images.get(key('large.png')))?.equals(large)).toBe(true)
  })

  test('what was removed is gone, and removing it again or what never was changes nothing', async () => {
    await images.put(key('c.png'), first)
    await images.put(key('d.png'), first)
    await images.remove(key('c.png'))
    await images.remove(key('c.png'))
    await images.remove(key('never/was.png'))
    expect(await images.get(key('c.png'))).toBeUndefined()
    expect(await images.get(key('d.png'))).toEqual(first)
  })

  test('storing the same again changes nothing, storing something else is refused', async () => {
    await images.put(key('c.png'), first)
    await images.put(key('c.png'), first)
    const other = images.put(key('c.png'), Buffer.from('other'))
    await expect(other).rejects.toThrow(ImageConflictError)
    expect(await images.get(key('c.png'))).toEqual(first)
  })

  test('of many that store at once one wins', async () => {
    const candidates = Array.from({ length: 20 }, (_, n) => Buffer.alloc(100_000, n))
    const puts = await Promise.allSettled(
      candidates.map((bytes) => images.put(key('c.png'), bytes)),
    )
    expect(puts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const winner = candidates[puts.findIndex(({ status }) => status === 'fulfilled')]
    expect(await images.get(key('c.png'))).toEqual(winner)
    for (const put of puts.filter(({ status }) => status === 'rejected')) {
      expect(put).toMatchObject({ reason: expect.any(ImageConflictError) as Error })
    }
  })

  test('lists every key that is there, and says that it can be written', async () => {
    await images.put(key('a.png'), first)
    await images.put(key('b/c d.png'), first)
    await expect(images.check()).resolves.toBeUndefined()
    const listed: string[] = []
    for await (const name of images.list()) listed.push(name)
    const ours = listed.filter((name) => name.startsWith(folder))
    expect(ours.toSorted()).toEqual([key('a.png'), key('b/c d.png')])
    // What a check leaves behind, or hides, is no image.
    expect(listed.filter((name) => name.startsWith('.'))).toEqual([])
  })
}
