import { cover, shade, type Canvas, type Pixel } from '@/simulator/art/canvas'
import { adjust, mixColors, type Rgb } from '@/simulator/art/color'
import {
  clamp01,
  createNoise,
  fractal,
  ridged,
  smoothstep,
  type Noise,
} from '@/simulator/art/noise'
import { firstVisible } from '@/simulator/art/layers'
import type { Random } from '@/simulator/art/random'
import { createSky } from '@/simulator/art/sky'
import { mirrorInWater } from '@/simulator/art/water'
import { soft, type Scene, type SceneInput } from './scene'

type Layer = {
  readonly crest: Float32Array
  /** The crest without its trees: mist lies on the ground and knows nothing of them. */
  readonly ground: Float32Array
  readonly color: Rgb
  readonly lit: Rgb
  readonly mist: number
  readonly roughness: number
}

/** Ranges behind ranges, each paler than the one before it, under a wide sky. */
export const paintMountains: Scene = (input) => {
  const { canvas, random, palette, traits } = input
  const waterline = traits.water ? canvas.down * random.between(0.66, 0.74) : canvas.down * 2
  const floor = Math.min(canvas.down, waterline)
  const horizon = floor * random.between(0.56, 0.68)
  const sky = createSky({
    canvas,
    random,
    palette,
    horizon: horizon + 0.06,
    clouds: traits.calm ? 0.15 : random.between(0.2, 0.85),
  })
  const layers = createLayers(input, { horizon, floor })
  const noise = createNoise(random)
  const sunSide = { x: sky.sunX }

  shade(canvas, (x, y, pixel) => {
    if (y > waterline) return
    const column = Math.min(canvas.width - 1, Math.floor(x / canvas.pixel))
    const first = firstVisible(layers, { column, y, pixel: canvas.pixel })
    if (first < 0) sky.shade(x, y, pixel)
    for (let index = Math.max(0, first); index < layers.length; index += 1) {
      const layer = layers[index]
      if (!layer) continue
      const part = clamp01((y - (layer.crest[column] ?? 0)) / canvas.pixel + 0.5)
      const below = y - (layer.ground[column] ?? 0)
      if (part <= 0) continue
      paintSlope(pixel, { layer, noise, x, y, below, part, sunX: sunSide.x, haze: palette.haze })
    }
  })
  if (traits.water) {
    const tint = mixColors(palette.near, palette.sky[1], 0.5)
    mirrorInWater({ canvas, random, waterline, tint, ripple: random.between(0.25, 0.8) })
  }
  return soft
}

type Slope = {
  readonly layer: Layer
  readonly noise: Noise
  readonly x: number
  readonly y: number
  readonly below: number
  readonly part: number
  readonly sunX: number
  readonly haze: Rgb
}

function paintSlope(pixel: Pixel, slope: Slope): void {
  const { layer, noise, x, y, below, part, sunX, haze } = slope
  cover(pixel, layer.color, part)
  if (layer.roughness > 0) {
    // Gullies run down the slope: noise stretched along the fall line, lit from the side of the sun.
    const scale = 9
    const lean = below * 0.55 * (sunX > x ? 1 : -1)
    const here = fractal(noise, (x + lean) * scale, y * scale * 0.55, 4)
    const towards = fractal(
      noise,
      (x + lean + (sunX > x ? 0.006 : -0.006)) * scale,
      y * scale * 0.55,
      4,
    )
    const light = clamp01(0.32 + (here - towards) * 7) * layer.roughness
    cover(pixel, layer.lit, part * light * smoothstep(0.34, 0, below))
  }
  const mist = layer.mist * smoothstep(0.01, 0.24, below)
  if (mist > 0) cover(pixel, haze, part * mist)
}

function createLayers(
  { canvas, random, palette, traits }: SceneInput,
  { horizon, floor }: { horizon: number; floor: number },
): readonly Layer[] {
  const count = random.whole(5, 7)
  const noise = createNoise(random)
  const peakX = canvas.across * random.between(0.3, 0.7)
  return Array.from({ length: count }, (_, index) => {
    const depth = index / (count - 1)
    const base = horizon + (floor - horizon) * depth ** 1.25 * 0.86
    const height = (0.24 - 0.12 * depth) * random.between(0.75, 1.25)
    const frequency = 1.5 + 1.3 * depth
    const offset = random.between(0, 100)
    const color = mixColors(palette.haze, palette.near, 0.14 + 0.86 * depth ** 1.15)
    const crest = Float32Array.from({ length: canvas.width }, (_unused, column) => {
      const x = (column + 0.5) * canvas.pixel
      const rise = ridged(noise, x * frequency + offset, index * 9.7, 6) - 0.55
      const roll = fractal(noise, x * frequency * 0.6 + offset, index * 3.3, 3)
      // The far range gathers to one summit, so that the picture has somewhere to look.
      const summit = index <= 1 ? 0.16 * Math.exp(-(((x - peakX) / 0.24) ** 2)) : 0
      return base - height * (rise * 1.15 + roll * 0.35) - summit
    })
    const ground = Float32Array.from(crest)
    if (depth > 0.72) growPines(crest, { canvas, random, tall: 0.018 + 0.03 * depth ** 3 })
    const snowy = traits.snow ? adjust(palette.sky[3], 0.02) : undefined
    return {
      crest,
      ground,
      color,
      lit: depth < 0.6 && snowy ? snowy : mixColors(color, palette.sun, 0.34 * (1 - depth)),
      mist: (traits.mist ? 0.97 : 0.82) * (1 - 0.8 * depth ** 1.5),
      roughness: depth > 0.72 ? 0 : traits.snow ? 1 : 0.75,
    }
  })
}

/** Turns a crest into a tree line. */
export function growPines(
  crest: Float32Array,
  { canvas, random, tall }: { canvas: Canvas; random: Random; tall: number },
): void {
  const ground = Float32Array.from(crest)
  const count = Math.round((canvas.across / tall) * 3.2)
  for (let tree = 0; tree < count; tree += 1) {
    const middle = random.between(-0.02, canvas.across + 0.02)
    const height = tall * random.between(0.45, 1.25)
    const half = height * random.between(0.17, 0.25)
    const from = Math.max(0, Math.ceil((middle - half) / canvas.pixel))
    const to = Math.min(canvas.width - 1, Math.floor((middle + half) / canvas.pixel))
    for (let column = from; column <= to; column += 1) {
      const aside = Math.abs((column + 0.5) * canvas.pixel - middle) / half
      // Branches step outwards, which a smooth cone would not show.
      const steps = 5
      const stepped = (Math.floor(aside * steps) + 0.35 * ((aside * steps) % 1)) / steps
      const top = (ground[column] ?? 0) - height * (1 - stepped)
      crest[column] = Math.min(crest[column] ?? 0, top)
    }
  }
}
