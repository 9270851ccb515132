import sharp from 'sharp'
import type { PictureRequest } from '@/simulator/task-store'
import { createCanvas } from './canvas'
import { develop } from './finish'
import { palettes } from './palettes'
import { createRandom } from './random'
import { subjectOf } from './subject'
import { scenes } from './scenes/scenes'

export const DRAWN_BY = 'Drawn by the Darkroom simulator; not made by an AI model'

/** The same request is the same picture, byte for byte; the words choose, the seed varies. */
export async function drawPicture(request: PictureRequest): Promise<Uint8Array> {
  const { width, height, prompt, seed, style } = request
  const subject = subjectOf({ prompt, seed, style })
  const random = createRandom(JSON.stringify([prompt, seed, width, height, style ?? null]))
  const canvas = createCanvas(width, height)
  const finish = await scenes[subject.scene]({
    canvas,
    random,
    palette: palettes[subject.palette],
    traits: subject.traits,
  })
  const bytes = develop(canvas, finish, random)
  return sharp(bytes, { raw: { width, height, channels: 3 } })
    .withExif({ IFD0: { ImageDescription: DRAWN_BY, Software: 'Darkroom simulator' } })
    .png({ compressionLevel: 5 })
    .toBuffer()
}
