import { dim, lightAt, shade, type Canvas, type Pixel } from './canvas'
import type { Rgb } from './color'
import { clamp01, createNoise } from './noise'
import type { Random } from './random'

export type MirrorOptions = {
  readonly canvas: Canvas
  readonly random: Random
  readonly waterline: number
  readonly tint: Rgb
  /** 0 is glass. */
  readonly ripple: number
}

/** Still water from a line down: what is above it is mirrored, broken by ripples that grow towards us. */
export function mirrorInWater({ canvas, random, waterline, tint, ripple }: MirrorOptions): void {
  const noise = createNoise(random)
  const mirrored: Pixel = { r: 0, g: 0, b: 0 }
  shade(canvas, (x, y, pixel) => {
    if (y <= waterline) return
    const depth = y - waterline
    const far = 0.02 + depth
    const wave =
      noise((x * 2.2) / (far + 0.15), 2.6 / far) * 0.6 + noise((x * 7) / (far + 0.2), 9 / far) * 0.4
    const shift = wave * ripple * (0.004 + depth * 0.06)
    lightAt(canvas, x + shift * 0.5, waterline - depth * 0.94 + shift, mirrored)
    // Looking down into water shows its own colour; looking along it shows the sky.
    const own = 0.1 + 0.4 * clamp01(depth / (canvas.down - waterline + 0.001))
    pixel.r = mirrored.r + (tint[0] - mirrored.r) * own
    pixel.g = mirrored.g + (tint[1] - mirrored.g) * own
    pixel.b = mirrored.b + (tint[2] - mirrored.b) * own
    dim(pixel, 0.92)
  })
}
