import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startS3Server, type S3Server } from '@/test/s3-server'
import { copyImages } from './copy-images'
import { createFileImageStore } from './file-image-store'
import { ImageConflictError, type ImageStore } from './image-store'
import { createMovingImageStore } from './moving-image-store'
import { createS3ImageStore } from './s3-image-store'

let folder: string
let server: S3Server
let files: ImageStore
let s3: ImageStore

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'darkroom-moving-'))
  server = await startS3Server()
  files = createFileImageStore(folder)
  s3 = createS3ImageStore(server.settings)
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const bytesOf = (name: string) => Buffer.from(`bytes of ${name}`)
const NAMES = ['a/1.png', 'a/2.png', 'b/3.png', 'b/c/4.png', '5.png']

async function keysOf(images: ImageStore): Promise<readonly string[]> {
  const keys: string[] = []
  for await (const key of images.list()) keys.push(key)
  return keys.toSorted()
}

test('copies everything there and back, and done again finds it the same', async () => {
  for (const name of NAMES) await files.put(name, bytesOf(name))
  const all = { copied: NAMES.length, gone: 0, conflicts: [] }
  expect(await copyImages(files, s3)).toEqual(all)
  expect(await copyImages(files, s3)).toEqual(all)
  expect(await keysOf(s3)).toEqual(NAMES.toSorted())

  await rm(folder, { recursive: true })
  expect(await copyImages(s3, files)).toEqual(all)
  for (const name of NAMES) expect(await files.get(name)).toEqual(bytesOf(name))
})

test('what differs is named, and neither side is changed', async () => {
  for (const name of NAMES) await files.put(name, bytesOf(name))
  await s3.put('b/3.png', Buffer.from('another'))
  const { copied, conflicts } = await copyImages(files, s3)
  expect({ copied, conflicts }).toEqual({ copied: NAMES.length - 1, conflicts: ['b/3.png'] })
  expect(await s3.get('b/3.png')).toEqual(Buffer.from('another'))
  expect(await files.get('b/3.png')).toEqual(bytesOf('b/3.png'))
})

test('a store that fails half-way ends the copy, which goes on where it was when done again', async () => {
  for (const name of NAMES) await files.put(name, bytesOf(name))
  const dead = Array.from({ length: 200 }, () => ({ when: 'before', status: 500 }) as const)
  server.faults.push(...dead)
  await expect(copyImages(files, s3)).rejects.toThrow()
  server.faults.length = 0
  expect(await copyImages(files, s3)).toMatchObject({ copied: NAMES.length })
})

test('while it is copied, all is read, and what is new goes to the new place only', async () => {
  await files.put('old.png', bytesOf('old'))
  const moving = createMovingImageStore(s3, files)
  await moving.put('new.png', bytesOf('new'))
  expect(await moving.get('old.png')).toEqual(bytesOf('old'))
  expect(await moving.get('new.png')).toEqual(bytesOf('new'))
  expect(await moving.get('none.png')).toBeUndefined()
  expect(await files.get('new.png')).toBeUndefined()
  expect(await keysOf(moving)).toEqual(['new.png', 'old.png'])
  await expect(moving.put('old.png', Buffer.from('other'))).rejects.toThrow(ImageConflictError)
  await moving.put('old.png', bytesOf('old'))
  expect(await keysOf(moving)).toEqual(['new.png', 'old.png'])
})

test('a new place that does not answer never makes an image look absent', async () => {
  await files.put('old.png', bytesOf('old'))
  server.faults.push(
    ...Array.from({ length: 20 }, () => ({ when: 'before', status: 500 }) as const),
  )
  await expect(createMovingImageStore(s3, files).get('old.png')).rejects.toThrow()
})

test.each(['before', 'after'] as const)(
  'what is deleted %s its copy is written stays deleted',
  async (when) => {
    await files.put('a.png', bytesOf('a'))
    const moving = createMovingImageStore(s3, files)
    const racing: ImageStore = {
      ...s3,
      put: async (key, bytes) => {
        if (when === 'before') await moving.remove(key)
        await s3.put(key, bytes)
        if (when === 'after') await moving.remove(key)
      },
    }
    expect(await copyImages(files, racing)).toEqual({ copied: 0, gone: 1, conflicts: [] })
    expect(await moving.get('a.png')).toBeUndefined()
    expect(server.objects.size).toBe(0)
  },
)
