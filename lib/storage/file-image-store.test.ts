import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testImageStore } from '@/test/image-store-contract'
import { createFileImageStore } from './file-image-store'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'darkroom-images-'))
})
afterEach(() => rm(folder, { recursive: true }))

const first = Buffer.from('first')

describe('files below a folder', () => {
  testImageStore(async () => {
    const root = await mkdtemp(join(tmpdir(), 'darkroom-images-'))
    return { images: createFileImageStore(root), end: () => rm(root, { recursive: true }) }
  })
})

test('of many that store at once no half-written file is left', async () => {
  const images = createFileImageStore(folder)
  const candidates = Array.from({ length: 20 }, (_, n) => Buffer.alloc(100_000, n))
  await Promise.allSettled(candidates.map((bytes) => images.put('x/c.png', bytes)))
  expect(await readdir(join(folder, 'x'))).toEqual(['c.png'])
  expect(await readdir(join(folder, '.unfinished'))).toEqual([])
})

test('a store that cannot be written says so', async () => {
  const file = join(folder, 'file')
  await writeFile(file, 'where the folder should be')
  const images = createFileImageStore(file)
  await expect(images.check()).rejects.toThrow()
  await expect(images.put('c.png', first)).rejects.toThrow()
  await expect(createFileImageStore(join(folder, 'new')).check()).resolves.toBeUndefined()
})

test('what a process left unfinished is removed by a later one, and what another writes is not', async () => {
  const unfinished = join(folder, '.unfinished')
  await mkdir(unfinished)
  for (const name of ['of the dead', 'of the living']) await writeFile(join(unfinished, name), 'x')
  const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1_000)
  await utimes(join(unfinished, 'of the dead'), twoHoursAgo, twoHoursAgo)

  await createFileImageStore(folder).put('c.png', first)
  expect(await readdir(unfinished)).toEqual(['of the living'])
})

test('a folder taken away meanwhile is made anew', async () => {
  const images = createFileImageStore(folder)
  await images.put('a/b.png', first)
  await rm(folder, { recursive: true })
  expect(await images.get('a/b.png')).toBeUndefined()
  await images.put('a/b.png', first)
  expect(await images.get('a/b.png')).toEqual(first)
})
