import { dim, shade, type Canvas } from '@/simulator/art/canvas'
import { createNoise, fractal, smoothstep } from '@/simulator/art/noise'
import type { Random } from '@/simulator/art/random'

/** What paper does to ink: a faint cloudiness, fibres, and small places where the ink did not take. */
export function printOnPaper(canvas: Canvas, random: Random, wear = 1): void {
  const noise = createNoise(random)
  shade(canvas, (x, y, pixel) => {
    const cloud = fractal(noise, x * 2.1, y * 2.1, 3)
    const tooth = noise(x * 190, y * 190) * 0.6 + noise(x * 75, y * 110) * 0.4
    dim(pixel, 1 + 0.035 * cloud + 0.035 * tooth * wear)
    const missed = smoothstep(0.46, 0.72, tooth + cloud * 0.12) * 0.2 * wear
    pixel.r += (0.86 - pixel.r) * missed
    pixel.g += (0.83 - pixel.g) * missed
    pixel.b += (0.77 - pixel.b) * missed
  })
}
