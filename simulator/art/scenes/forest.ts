import { cover, glow, shade, type Pixel } from '@/simulator/art/canvas'
import { adjust, createRamp, mixColors, type Rgb } from '@/simulator/art/color'
import { clamp01, createNoise, fractal, smoothstep, type Noise } from '@/simulator/art/noise'
import { soft, type Scene, type SceneInput } from './scene'

type Stand = {
  /** For each column, the middle and half the width of the trunk nearest to it. */
  readonly middle: Float32Array
  readonly half: Float32Array
  readonly depth: number
  readonly bark: Rgb
  readonly leaf: Rgb
  readonly leafLit: Rgb
  readonly ground: number
  /** For each column, where the ground begins. */
  readonly floor: Float32Array
  readonly offset: number
}

// How far a trunk leaves its straight line at most.
const SWAY_MAX = 0.016
// Beams of light are read from a table by their direction.
const BEAM_STEPS = 4_096

/** A wood in the morning: trunks that fade into the mist and light that falls between them. */
export const paintForest: Scene = (input) => {
  const { canvas, random, palette } = input
  const noise = createNoise(random)
  const air = createRamp([
    mixColors(palette.sky[1], palette.haze, 0.6),
    palette.haze,
    mixColors(palette.sky[3], palette.sun, 0.4),
    mixColors(palette.haze, palette.sky[2], 0.5),
  ])
  const lightX = canvas.across * random.between(0.25, 0.75)
  const lightY = canvas.down * random.between(0.24, 0.4)
  const stands = createStands(input, noise)
  const beams = Float32Array.from({ length: BEAM_STEPS }, (_, step) => {
    const angle = ((step / (BEAM_STEPS - 1)) * 2 - 1) * Math.PI
    return smoothstep(0.05, 0.75, fractal(noise, angle * 5 + 40, 3.3, 3) + 0.15)
  })
  const strength = palette.isNight ? 0.3 : 0.62

  shade(canvas, (x, y, pixel) => {
    const base = air(clamp01(y / canvas.down))
    pixel.r = base[0]
    pixel.g = base[1]
    pixel.b = base[2]
    const away = Math.hypot((x - lightX) * 0.9, y - lightY)
    glow(pixel, palette.sun, strength * Math.exp(-away * 3.4))
    const angle = Math.atan2(x - lightX, y - lightY + 0.5)
    const beam =
      (beams[Math.floor((angle / Math.PI + 1) * 0.5 * (BEAM_STEPS - 1))] ?? 0) *
      Math.exp(-away * 1.5) *
      strength *
      0.5
    const column = Math.min(canvas.width - 1, Math.floor(x / canvas.pixel))
    // Behind a trunk, and deep in the ground of a stand, nothing is seen of what is far behind it.
    const first = stands.findLastIndex(
      (stand) =>
        y - (stand.floor[column] ?? 9) > 0.06 ||
        Math.abs(x - (stand.middle[column] ?? 9)) < (stand.half[column] ?? 0) * 0.78 - SWAY_MAX,
    )
    for (let index = Math.max(0, first - 1); index < stands.length; index += 1) {
      const stand = stands[index]
      if (!stand) continue
      paintStand(pixel, { stand, noise, x, y, column, pixelSize: canvas.pixel })
      // Between one stand and the next there is lit air, so each one pales what is behind it.
      glow(pixel, palette.sun, beam * 0.22 * (1 - stand.depth * 0.5))
    }
  })
  return { ...soft, vignette: 0.36 }
}

type StandPlace = {
  readonly stand: Stand
  readonly noise: Noise
  readonly x: number
  readonly y: number
  readonly column: number
  readonly pixelSize: number
}

function paintStand(pixel: Pixel, { stand, noise, x, y, column, pixelSize }: StandPlace): void {
  const { depth, offset } = stand
  const half = (stand.half[column] ?? 0) * (0.78 + 0.42 * y)
  const middle = stand.middle[column] ?? 9
  if (Math.abs(x - middle) < half + 0.03) {
    const sway = (SWAY_MAX / 1.4) * noise(y * 1.7 + offset, middle * 7) * (0.4 + depth)
    const aside = x - middle - sway
    const trunk = clamp01((half - Math.abs(aside)) / pixelSize + 0.5)
    const round = 0.5 + 0.5 * (aside / (half + 0.0001))
    cover(pixel, stand.bark, trunk * (0.9 + 0.1 * depth))
    cover(pixel, stand.leafLit, trunk * 0.2 * (1 - depth * 0.6) * smoothstep(0.72, 1, round))
  }
  paintLeaves(pixel, { stand, noise, x, y, column, pixelSize })
  const floor = clamp01((y - (stand.floor[column] ?? 9)) / (pixelSize + 0.05 * (1 - depth)) + 0.5)
  if (floor > 0) {
    cover(pixel, stand.leaf, floor * 0.92)
    const moss = fractal(noise, x * 9 + offset, y * 26, 2)
    cover(pixel, stand.leafLit, floor * 0.35 * clamp01(moss + 0.1) * (1 - depth * 0.4))
  }
}

/** Leaves hang from above, in clouds with holes, and thin out downwards. */
function paintLeaves(pixel: Pixel, { stand, noise, x, y }: StandPlace): void {
  const { depth, offset } = stand
  const reach = stand.ground * (0.46 - 0.16 * depth)
  if (y > reach * 1.5) return
  const scale = 6 + 6 * (1 - depth)
  const hang = reach * (1 + 0.5 * noise(x * 2.3 + offset, offset))
  const thin = y / (hang + 0.001)
  if (thin > 1.12) return
  const leaf = fractal(noise, x * scale + offset, y * scale * 1.15 - offset, 4, 0.76)
  const threshold = -0.2 + 0.62 * thin ** 1.4
  const part = smoothstep(threshold - 0.03, threshold + 0.03, leaf)
  if (part <= 0) return
  cover(pixel, stand.leaf, part)
  const light = noise(x * scale * 4.6 - offset, y * scale * 4.6) * 0.7 + leaf
  cover(pixel, stand.leafLit, part * 0.7 * clamp01(light * 0.9 - 0.05))
}

function createStands({ canvas, random, palette }: SceneInput, noise: Noise): readonly Stand[] {
  const count = 5
  const leafColor = random.pick([
    palette.accents[2],
    palette.accents[2],
    palette.accents[1],
    palette.accents[0],
  ])
  return Array.from({ length: count }, (_, index) => {
    const depth = index / (count - 1)
    const trunks = Array.from(
      { length: Math.round((5 - index * 0.8) * 3.2 * canvas.across) },
      () => ({
        x: random.between(-0.05, canvas.across + 0.05),
        half: (0.005 + 0.024 * depth ** 1.5) * random.between(0.6, 1.4),
      }),
    )
    const nearest = Array.from({ length: canvas.width }, (_unused, column) => {
      const x = (column + 0.5) * canvas.pixel
      return trunks.reduce(
        (best, trunk) =>
          Math.abs(trunk.x - x) - trunk.half < Math.abs(best.x - x) - best.half ? trunk : best,
        { x: 9, half: 0 },
      )
    })
    const clear = 0.12 + 0.88 * depth ** 1.2
    const offset = random.between(0, 70)
    const ground = canvas.down * (0.7 + 0.22 * depth)
    const leaf = mixColors(palette.haze, mixColors(palette.near, leafColor, 0.3), clear)
    return {
      middle: Float32Array.from(nearest, ({ x }) => x),
      half: Float32Array.from(nearest, ({ half }) => half),
      depth,
      bark: mixColors(palette.haze, palette.near, 0.1 + 0.9 * depth ** 1.1),
      leaf,
      leafLit: mixColors(
        leaf,
        adjust(mixColors(leafColor, palette.sun, 0.35), 0),
        0.4 + 0.2 * depth,
      ),
      ground,
      floor: Float32Array.from({ length: canvas.width }, (_unused, column) => {
        const x = (column + 0.5) * canvas.pixel
        const fern = 0.022 * depth * Math.max(0, noise(x * 60, offset + 3) + 0.3)
        return ground + 0.035 * fractal(noise, x * 2.4 + offset, offset, 3) - fern
      }),
      offset,
    }
  })
}
