import { cover, glow, shade, type Pixel } from '@/simulator/art/canvas'
import { hex, mixColors, type Rgb } from '@/simulator/art/color'
import { cellUnit, clamp01, createNoise, fractal, smoothstep } from '@/simulator/art/noise'
import { createSky } from '@/simulator/art/sky'
import { mirrorInWater } from '@/simulator/art/water'
import type { Scene, SceneInput } from './scene'

type Building = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly salt: number
  readonly windowWidth: number
  readonly windowHeight: number
  readonly lit: number
}
type Block = {
  readonly building: readonly (Building | undefined)[]
  readonly mast: Float32Array
  readonly depth: number
  readonly color: Rgb
  readonly glass: number
}

const WINDOW_LIGHTS: readonly [Rgb, ...Rgb[]] = [
  hex('#ffd58a'),
  hex('#ffe7bd'),
  hex('#ffbf6b'),
  hex('#cfe4ff'),
]

/** A skyline in layers, with people still up behind some of the windows. */
export const paintCity: Scene = (input) => {
  const { canvas, random, palette, traits } = input
  const hasWater = traits.water || random.chance(0.6)
  const shore = canvas.down * (hasWater ? random.between(0.7, 0.78) : 0.97)
  const sky = createSky({
    canvas,
    random,
    palette,
    horizon: shore,
    clouds: random.between(0.1, 0.6),
    sunHeight: random.between(0.3, 0.66),
  })
  const blocks = createBlocks(input, shore)
  const lights = palette.isNight ? 1 : 0.6

  shade(canvas, (x, y, pixel) => {
    if (hasWater && y > shore) return
    sky.shade(x, y, pixel)
    const column = Math.min(canvas.width - 1, Math.floor(x / canvas.pixel))
    for (const block of blocks) {
      paintBlock(pixel, {
        block,
        x,
        y,
        column,
        pixelSize: canvas.pixel,
        shore,
        lights,
        haze: palette.haze,
      })
    }
  })
  if (hasWater) {
    mirrorInWater({
      canvas,
      random,
      waterline: shore,
      tint: mixColors(palette.near, palette.sky[0], 0.4),
      ripple: random.between(0.8, 1.5),
    })
  }
  return { bloom: palette.isNight ? 0.9 : 0.6, vignette: 0.3, grain: 5 }
}

type BlockPlace = {
  readonly block: Block
  readonly x: number
  readonly y: number
  readonly column: number
  readonly pixelSize: number
  readonly shore: number
  readonly lights: number
  readonly haze: Rgb
}

function paintBlock(pixel: Pixel, place: BlockPlace): void {
  const { block, x, y, column, pixelSize, shore, lights, haze } = place
  const mast = block.mast[column] ?? 9
  if (mast < 9) cover(pixel, block.color, 0.85 * clamp01((y - mast) / pixelSize + 0.5))
  const building = block.building[column]
  if (!building) return
  const part = clamp01((y - building.top) / pixelSize + 0.5)
  if (part <= 0) return
  cover(pixel, block.color, part)
  const sheen = (x - building.left) / (building.right - building.left)
  cover(pixel, haze, part * 0.1 * sheen * (1 - block.depth * 0.5))
  // The streets glow from below and the air thickens there.
  const street = smoothstep(0.34, 0, shore - y)
  cover(pixel, haze, part * street * street * (0.62 - 0.42 * block.depth))

  const u = (x - building.left - 0.004) / building.windowWidth
  const v = (y - building.top - 0.008) / building.windowHeight
  if (v < 0 || u < 0 || x > building.right - 0.004 || shore - y < 0.02) return
  const inX = u - Math.floor(u)
  const inY = v - Math.floor(v)
  if (inX < 0.22 || inX > 0.82 || inY < 0.25 || inY > 0.78) return
  const chance = cellUnit(Math.floor(u), Math.floor(v), building.salt)
  // Whole floors are lit or dark together more often than single rooms.
  const floor = cellUnit(7, Math.floor(v), building.salt + 1)
  if (chance > building.lit + (floor > 0.86 ? 0.4 : 0)) {
    cover(pixel, haze, part * 0.05)
    return
  }
  const tint =
    WINDOW_LIGHTS[Math.floor(cellUnit(Math.floor(u), Math.floor(v), building.salt + 2) ** 1.6 * 4)]
  const level = 0.35 + 0.85 * cellUnit(Math.floor(v), Math.floor(u), building.salt + 3)
  glow(pixel, tint ?? WINDOW_LIGHTS[0], part * level * lights * block.glass)
}

function createBlocks({ canvas, random, palette }: SceneInput, shore: number): readonly Block[] {
  const noise = createNoise(random)
  const count = 4
  const centre = canvas.across * random.between(0.35, 0.65)
  return Array.from({ length: count }, (_, index) => {
    const depth = index / (count - 1)
    const building: (Building | undefined)[] = []
    const mast = new Float32Array(canvas.width).fill(9)
    const offset = random.between(0, 50)
    let x = -0.02
    while (x < canvas.across) {
      const wide = random.between(0.028, 0.07) * (0.7 + 0.6 * depth)
      const middle = x + wide / 2
      const core = Math.exp(-(((middle - centre) / (canvas.across * 0.28)) ** 2))
      const envelope = 0.35 + 0.65 * core + 0.25 * fractal(noise, middle * 3 + offset, index, 2)
      const tall = shore * (0.56 - 0.34 * depth) * envelope * random.between(0.5, 1.08)
      const lit = random.between(0.1, 0.42)
      const windowWidth = random.between(0.006, 0.0095) * (0.65 + 0.55 * depth)
      const windowHeight = windowWidth * random.between(1.1, 1.6)
      const setbacks = random.chance(0.4) ? random.whole(1, 2) : 0
      const salt = random.whole(1, 1_000_000)
      const columns = [Math.floor(x / canvas.pixel), Math.ceil((x + wide) / canvas.pixel)] as const
      for (
        let column = Math.max(0, columns[0]);
        column < Math.min(canvas.width, columns[1]);
        column += 1
      ) {
        const aside = Math.abs(((column + 0.5) * canvas.pixel - middle) / wide)
        const step =
          setbacks === 0 ? 0 : Math.floor(clamp01(aside * 2) * (setbacks + 1)) * tall * 0.07
        const top = shore - Math.max(0.02, tall) + step
        building[column] = { left: x, right: x + wide, top, salt, windowWidth, windowHeight, lit }
      }
      if (random.chance(0.22 + 0.4 * core)) {
        const at = Math.round(middle / canvas.pixel)
        const thick = Math.max(1, Math.round(0.0016 / canvas.pixel))
        mast.fill(shore - tall * 1.16 - 0.015, Math.max(0, at), Math.max(0, at + thick))
      }
      x += wide + (random.chance(0.3) ? random.between(0, 0.02) : 0)
    }
    return {
      building,
      mast,
      depth,
      color: mixColors(palette.haze, palette.near, 0.22 + 0.74 * depth ** 0.8),
      glass: 0.35 + 0.75 * depth,
    }
  })
}
