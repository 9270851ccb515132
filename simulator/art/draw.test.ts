import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { createRenderPool } from '@/simulator/render-pool'
import type { PictureRequest } from '@/simulator/task-store'
import { TEST_TIMEOUT_MS } from '@/simulator/testing'
import { drawPicture, DRAWN_BY } from './draw'
import type { scenes } from './scenes/scenes'
import { subjectOf } from './subject'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS })

const base: PictureRequest = { prompt: 'mountains at dawn', width: 256, height: 320, seed: 1 }
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const hashOf = async (request: PictureRequest) => hash(await drawPicture(request))

// One prompt for each kind of picture, so that all of them are drawn here.
const prompts: Readonly<Record<keyof typeof scenes, string>> = {
  mountains: 'a mountain lake in winter',
  sea: 'the sea at sunset',
  'night-sky': 'aurora over the north',
  ink: 'ink in water',
  dunes: 'dunes in the sahara',
  forest: 'a misty forest',
  woods: 'a path in the woods',
  city: 'a city at night',
  planet: 'portrait of a planet',
  growth: 'a coral reef',
  silk: 'threads of silk',
  poster: 'a bauhaus poster',
  botanical: 'a fern in a herbarium',
  flower: 'a dahlia',
}

// Each prompt's picture is drawn once for all tests that only look at it.
const drawn = new Map<string, Promise<Uint8Array>>()
function pictureOf(prompt: string): Promise<Uint8Array> {
  const picture = drawn.get(prompt) ?? drawPicture({ ...base, prompt })
  drawn.set(prompt, picture)
  return picture
}

const pool = createRenderPool(1)
afterAll(() => pool.close())

test.each(Object.entries(prompts))(
  '%s: the same request is the same picture',
  async (scene, prompt) => {
    expect(subjectOf({ prompt, seed: 1, style: undefined }).scene).toBe(scene)
    expect(await hashOf({ ...base, prompt })).toBe(hash(await pictureOf(prompt)))
  },
)

test.each<[string, Partial<PictureRequest>]>([
  ['prompt', { prompt: 'mountains at dusk' }],
  ['seed', { seed: 2 }],
  ['width', { width: 272 }],
  ['height', { height: 336 }],
  ['style', { style: 'poster' }],
])('another %s is another picture', async (_, change) => {
  expect(await hashOf({ ...base, ...change })).not.toBe(hash(await pictureOf(base.prompt)))
})

test('pictures of different prompts look different, not only byte for byte', async () => {
  const tiny = await Promise.all(
    Object.values(prompts).map(async (prompt) =>
      sharp(await pictureOf(prompt))
        .resize(8, 8, { fit: 'fill' })
        .raw()
        .toBuffer(),
    ),
  )
  for (const [index, one] of tiny.entries()) {
    for (const other of tiny.slice(index + 1)) {
      const apart = one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0)
      expect(apart / one.length).toBeGreaterThan(8)
    }
  }
})

test.each([
  [256, 256],
  [256, 2_048],
  [2_048, 256],
  [832, 1_216],
])('a picture of %i by %i is a PNG of that size that says who drew it', async (width, height) => {
  const bytes = await drawPicture({ ...base, width, height })
  const metadata = await sharp(bytes).metadata()
  expect(metadata).toMatchObject({ format: 'png', width, height, channels: 3 })
  expect(metadata.exif?.toString('latin1')).toContain(DRAWN_BY)
})

test('no word of the prompt is written into the file', async () => {
  const bytes = await drawPicture({ ...base, prompt: 'Xylophonequartz at dawn' })
  expect(Buffer.from(bytes).toString('latin1')).not.toContain('Xylophonequartz')
})

test('a thread draws what this process draws', async () => {
  expect(hash(await pool.draw(base))).toBe(hash(await pictureOf(base.prompt)))
})

test('a drill in the prompt does not change what kind of picture it is', () => {
  const plain = subjectOf({ prompt: 'a lighthouse', seed: 3, style: undefined })
  expect(subjectOf({ prompt: 'a lighthouse #drill:slow', seed: 3, style: undefined })).toEqual(
    plain,
  )
})
