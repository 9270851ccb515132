import { set, shade } from '@/simulator/art/canvas'
import { adjust, createRamp, mixColors, type Rgb } from '@/simulator/art/color'
import { cellUnit, clamp01, createNoise, fractal, smoothstep } from '@/simulator/art/noise'
import type { Scene, SceneInput } from './scene'

type Cell = { nearest: number; second: number; id: number; dx: number; dy: number }

/** Living tissue, coral or agate: cells that press against each other and grow in rings. */
export const paintGrowth: Scene = (input) => {
  const { canvas, random, palette } = input
  const noise = createNoise(random)
  const scale = random.between(3.4, 6.5)
  const warp = random.between(0.25, 0.6)
  const ringCount = random.chance(0.72) ? random.between(2.2, 5) : 0
  const salt = random.whole(1, 1_000_000)
  const ramp = createRamp(growthColors(input))
  const wall: Rgb =
    random.chance(0.5) || palette.isNight
      ? mixColors(palette.ink, palette.near, 0.5)
      : adjust(palette.paper, -0.02)
  const cell: Cell = { nearest: 0, second: 0, id: 0, dx: 0, dy: 0 }

  shade(canvas, (x, y, pixel) => {
    const bendX = fractal(noise, x * 1.7, y * 1.7, 3)
    const bendY = fractal(noise, x * 1.7 + 31, y * 1.7 + 7, 3)
    // Cells are small on one side and large on the other, as where something grows.
    const size = scale * (0.85 + 0.3 * noise(x * 0.9 + 4, y * 0.9))
    findCell(cell, { x: x * size + bendX * warp * 2, y: y * size + bendY * warp * 2, salt })
    const inside = cell.second - cell.nearest
    const round = clamp01(1 - cell.nearest * 0.85)
    const light = clamp01(0.55 - cell.dx * 0.55 - cell.dy * 0.75)
    const rings =
      ringCount > 0
        ? 0.5 + 0.5 * Math.sin((cell.nearest + bendX * 0.15) * ringCount * Math.PI * 2)
        : round
    const tone = clamp01(
      0.12 + 0.62 * cellUnit(cell.id, 3, salt) + 0.3 * (rings - 0.5) + bendY * 0.18,
    )
    set(pixel, ramp(tone))
    const shading = 0.5 + 0.62 * light * (0.4 + 0.6 * round) + 0.16 * round
    pixel.r *= shading
    pixel.g *= shading
    pixel.b *= shading
    const border = smoothstep(0.1, 0.045, inside)
    pixel.r += (wall[0] - pixel.r) * border
    pixel.g += (wall[1] - pixel.g) * border
    pixel.b += (wall[2] - pixel.b) * border
    const spark = smoothstep(0.2, 0.04, Math.hypot(cell.dx + 0.26, cell.dy + 0.3)) * 0.2
    pixel.r += spark
    pixel.g += spark
    pixel.b += spark
  })
  return { bloom: 0.3, vignette: 0.3, grain: 5 }
}

function findCell(
  cell: Cell,
  place: { readonly x: number; readonly y: number; readonly salt: number },
): void {
  const { x, y, salt } = place
  const column = Math.floor(x)
  const row = Math.floor(y)
  cell.nearest = 9
  cell.second = 9
  for (let j = row - 1; j <= row + 1; j += 1) {
    for (let i = column - 1; i <= column + 1; i += 1) {
      const dx = x - i - 0.12 - 0.76 * cellUnit(i, j, salt)
      const dy = y - j - 0.12 - 0.76 * cellUnit(i, j, salt + 1)
      const away = Math.sqrt(dx * dx + dy * dy)
      if (away < cell.nearest) {
        cell.second = cell.nearest
        cell.nearest = away
        cell.id = i * 131 + j * 977
        cell.dx = dx
        cell.dy = dy
      } else if (away < cell.second) {
        cell.second = away
      }
    }
  }
}

function growthColors({ palette, random }: SceneInput): readonly Rgb[] {
  const [a, b, c, d] = palette.accents
  return random.pick([
    [d, c, mixColors(c, palette.paper, 0.4), b, a],
    [palette.ink, d, a, b, palette.paper],
    [c, d, mixColors(d, b, 0.5), b, palette.paper],
  ])
}
