import { cover, shade, type Pixel } from '@/simulator/art/canvas'
import { adjust, mixColors, type Rgb } from '@/simulator/art/color'
import { clamp01, createNoise, smoothstep, type Noise } from '@/simulator/art/noise'
import { firstVisible } from '@/simulator/art/layers'
import type { Random } from '@/simulator/art/random'
import { createSky } from '@/simulator/art/sky'
import { soft, type Scene, type SceneInput } from './scene'

type Dune = {
  readonly crest: Float32Array
  /** Where the edge between light and shadow starts, on the crest. */
  readonly peaks: readonly { readonly x: number; readonly reach: number; readonly phase: number }[]
  readonly lit: Rgb
  readonly shadow: Rgb
  readonly depth: number
}

/** Sand in long curves, one side in the sun and the other in its own shadow. */
export const paintDunes: Scene = (input) => {
  const { canvas, random, palette } = input
  const horizon = canvas.down * random.between(0.42, 0.54)
  const sky = createSky({
    canvas,
    random,
    palette,
    horizon: horizon + 0.03,
    clouds: random.between(0, 0.45),
    sunHeight: random.between(0.2, 0.6),
  })
  const noise = createNoise(random)
  const dunes = createDunes(input, horizon)
  const side = sky.sunX > canvas.across / 2 ? 1 : -1

  shade(canvas, (x, y, pixel) => {
    const column = Math.min(canvas.width - 1, Math.floor(x / canvas.pixel))
    const first = firstVisible(dunes, { column, y, pixel: canvas.pixel })
    if (first < 0) sky.shade(x, y, pixel)
    for (let index = Math.max(0, first); index < dunes.length; index += 1) {
      const dune = dunes[index]
      if (!dune) continue
      const below = y - (dune.crest[column] ?? 0)
      const part = clamp01(below / canvas.pixel + 0.5)
      if (part > 0) paintSand(pixel, { dune, noise, x, below, part, side, haze: palette.haze })
    }
  })
  return soft
}

type Sand = {
  readonly dune: Dune
  readonly noise: Noise
  readonly x: number
  readonly below: number
  readonly part: number
  readonly side: number
  readonly haze: Rgb
}

function paintSand(pixel: Pixel, { dune, noise, x, below, part, side, haze }: Sand): void {
  let shadow = 0
  for (const peak of dune.peaks) {
    const meander =
      0.09 * noise(below * 2.6 + peak.phase, peak.phase) * smoothstep(0, 0.12, below) +
      below * 0.5 * Math.sin(peak.phase)
    const beyond = (x - peak.x - meander) * -side
    // Sharp at the edge, fading out where the slope meets the next one.
    const edge = smoothstep(-0.002 - below * 0.01, 0.003 + below * 0.012, beyond)
    const fade = Math.exp(-Math.max(0, beyond) / (peak.reach * (0.5 + below * 1.8)))
    shadow = Math.max(shadow, edge * fade * Math.exp(-below / (peak.reach * 1.9)))
  }
  const roll = noise(x * 2.1 + dune.depth * 30, below * 3.4 + dune.depth * 11)
  const bend = noise(x * 3.2, below * 5 + dune.depth * 7)
  const ripples = Math.sin(
    (below * (1.1 + dune.depth) * 190) / (1 + dune.depth * 1.6) + bend * 9 + x * 22,
  )
  const shaded = clamp01(shadow * 0.94 + 0.14 * (0.5 - roll))
  const r = dune.lit[0] + (dune.shadow[0] - dune.lit[0]) * shaded
  const g = dune.lit[1] + (dune.shadow[1] - dune.lit[1]) * shaded
  const b = dune.lit[2] + (dune.shadow[2] - dune.lit[2]) * shaded
  const texture = 1 + 0.045 * ripples * dune.depth * (1 - shaded * 0.6) + 0.05 * roll
  pixel.r += (r * texture - pixel.r) * part
  pixel.g += (g * texture - pixel.g) * part
  pixel.b += (b * texture - pixel.b) * part
  const air = (1 - dune.depth) * 0.5 * smoothstep(0.02, 0.22, below)
  cover(pixel, haze, part * air)
}

function createDunes({ canvas, random, palette }: SceneInput, horizon: number): readonly Dune[] {
  const count = random.whole(4, 6)
  const sand = palette.isNight
    ? mixColors(palette.haze, palette.sky[3], 0.5)
    : mixColors(palette.accents[1], palette.haze, 0.45)
  const dark = mixColors(palette.near, palette.accents[2], 0.3)
  const noise = createNoise(random)
  return Array.from({ length: count }, (_, index) => {
    const depth = index / (count - 1)
    const base = horizon + (canvas.down - horizon) * depth ** 1.5 * 0.8 + 0.02
    const peaks = createPeaks(random, canvas.across, depth)
    const crest = Float32Array.from({ length: canvas.width }, (_unused, column) => {
      const x = (column + 0.5) * canvas.pixel
      const rise = peaks.reduce((highest, peak) => {
        const away = Math.abs(x - peak.x) / peak.width
        return Math.max(highest, peak.height * Math.exp(-(away ** 1.15)))
      }, 0)
      return base - rise - 0.03 * noise(x * 1.6 + index * 20, index * 5)
    })
    return {
      crest,
      peaks,
      depth,
      lit: adjust(
        mixColors(palette.haze, mixColors(sand, palette.sun, 0.18), 0.45 + 0.55 * depth),
        0.01,
      ),
      shadow: mixColors(palette.haze, dark, 0.4 + 0.5 * depth),
    }
  })
}

function createPeaks(random: Random, across: number, depth: number) {
  const count = depth < 0.3 ? random.whole(2, 4) : random.whole(1, 2)
  const scale = 0.4 + depth * 0.9
  return Array.from({ length: count }, (_, index) => ({
    x: across * ((index + random.between(0.15, 0.85)) / count),
    height: random.between(0.1, 0.19) * (0.5 + 0.5 * scale),
    width: random.between(0.16, 0.34) * scale,
    reach: random.between(0.16, 0.3) * scale,
    phase: random.between(-0.9, 0.9),
  }))
}
