import { cover, glow, shade, type Shader } from '@/simulator/art/canvas'
import { createRamp, hex, mixColors, type Rgb } from '@/simulator/art/color'
import { clamp01, createNoise, fractal, ridged, smoothstep } from '@/simulator/art/noise'
import { firstVisible } from '@/simulator/art/layers'
import { palettes } from '@/simulator/art/palettes'
import { createStars } from '@/simulator/art/sky'
import { mirrorInWater } from '@/simulator/art/water'
import { growPines } from './mountains'
import type { Scene, SceneInput } from './scene'

const CURTAINS: readonly [readonly [Rgb, Rgb, Rgb], ...(readonly [Rgb, Rgb, Rgb])[]] = [
  [hex('#3dffb0'), hex('#2fd6c4'), hex('#7a4bd6')],
  [hex('#69ff9c'), hex('#35c9b0'), hex('#c03f9b')],
  [hex('#4fe3ff'), hex('#4a86f0'), hex('#9a4be0')],
]

/** A night sky: aurora or the Milky Way over a dark shore. */
export const paintNightSky: Scene = (input) => {
  const { canvas, random, traits } = input
  const palette = input.palette.isNight ? input.palette : palettes.night
  const hasWater = traits.water || random.chance(0.45)
  const waterline = hasWater ? canvas.down * random.between(0.74, 0.8) : canvas.down * 2
  const ground = Math.min(canvas.down * 0.9, waterline - 0.012)
  const sky = createRamp([...palette.sky.slice(0, 3), mixColors(palette.sky[2], palette.haze, 0.6)])
  const stars = createStars(canvas, random)
  const light = random.chance(0.72) ? createAurora(input, ground) : createMilkyWay(input)
  const shore = createShore(input, ground)
  const paintSky: Shader = (x, y, pixel) => {
    const color = sky(clamp01(y / ground) ** 1.6)
    pixel.r = color[0] * 0.85
    pixel.g = color[1] * 0.85
    pixel.b = color[2] * 0.85
    stars(x, y, pixel)
    light(x, y, pixel)
  }

  shade(canvas, (x, y, pixel) => {
    if (y > waterline) return
    const column = Math.min(canvas.width - 1, Math.floor(x / canvas.pixel))
    const first = firstVisible(shore, { column, y, pixel: canvas.pixel })
    if (first < 0) paintSky(x, y, pixel)
    for (let index = Math.max(0, first); index < shore.length; index += 1) {
      const layer = shore[index]
      if (!layer) continue
      const part = clamp01((y - (layer.crest[column] ?? 0)) / canvas.pixel + 0.5)
      if (part > 0) cover(pixel, layer.color, part)
    }
  })
  if (hasWater) mirrorInWater({ canvas, random, waterline, tint: palette.near, ripple: 0.45 })
  return { bloom: 0.85, vignette: 0.34, grain: 6 }
}

function createAurora({ canvas, random }: SceneInput, ground: number): Shader {
  const noise = createNoise(random)
  const colors = random.pick(CURTAINS)
  const ramp = createRamp([
    colors[0],
    colors[0],
    colors[1],
    colors[2],
    mixColors(colors[2], [0, 0, 0], 0.5),
  ])
  const curtains = Array.from({ length: random.whole(3, 4) }, (_, index) => ({
    base: ground * random.between(0.5, 0.86) - index * 0.05,
    sway: random.between(0.1, 0.2),
    lean: random.between(-0.18, 0.18),
    frequency: random.between(0.7, 1.3),
    tall: random.between(0.24, 0.5),
    strength: random.between(0.45, 0.85),
    offset: random.between(0, 60),
  }))
  return (x, y, pixel) => {
    for (const one of curtains) {
      const highest =
        one.base - one.sway * 1.6 - Math.abs(one.lean) * canvas.across - one.tall * 1.4
      if (y < highest) continue
      const fold = fractal(noise, x * one.frequency + one.offset, one.offset + y * 0.3, 3)
      const foot = one.base + one.sway * fold * 1.6 + one.lean * (x - canvas.across / 2)
      const above = foot - y
      if (above < -0.04 || above > one.tall * 1.7) continue
      const length = one.tall * (0.55 + 0.45 * noise(x * 4 + fold * 5, one.offset + 7))
      const rise = smoothstep(-0.035, 0.012, above)
      const fade = rise * Math.exp(-Math.max(0, above) / (length * 0.42)) * one.strength
      if (fade < 0.004) continue
      // Rays stand on the fold: fine across, long upwards.
      const ray = 0.55 + 0.45 * noise(x * 26 + fold * 9, one.offset + y * 0.7)
      const fine = 0.75 + 0.25 * noise(x * 90 + fold * 30, one.offset + y * 0.5)
      const patch = smoothstep(-0.55, 0.35, noise(x * 1.7 + one.offset, 4.4))
      const amount = fade * ray * fine * patch
      if (amount > 0.002) glow(pixel, ramp(clamp01(above / (length * 1.25))), amount)
    }
  }
}

function createMilkyWay({ canvas, random, palette }: SceneInput): Shader {
  const noise = createNoise(random)
  const angle = random.between(0.5, 1.1) * (random.chance(0.5) ? 1 : -1)
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const core: Rgb = mixColors(palette.sun, hex('#ffcfa6'), 0.6)
  const arm: Rgb = hex('#8fa6e0')
  return (x, y, pixel) => {
    const dx = x - canvas.across / 2
    const dy = y - canvas.down * 0.38
    const along = dx * cos + dy * sin
    const bend = 0.1 * noise(along * 1.2, 2.2)
    const beside = -dx * sin + dy * cos + bend
    const texture = fractal(noise, along * 3.2 + 11, beside * 6, 6)
    const width = 0.17 + 0.05 * noise(along * 2, 8)
    const band = Math.exp(-((beside / width) ** 2))
    const dust = smoothstep(
      0.0,
      0.5,
      fractal(noise, along * 4.4 - 3, beside * 9 + 5, 5) + 0.22 - Math.abs(beside) * 3.2,
    )
    const amount = band * clamp01(0.5 + texture * 0.9) * (1 - 0.75 * dust)
    glow(pixel, arm, amount * 0.2)
    glow(pixel, core, amount * amount * 0.5 * Math.exp(-((along / 0.55) ** 2)))
    const grain = noise(x * 210, y * 210)
    if (grain > 0.5) glow(pixel, [1, 1, 1], (grain - 0.5) * band * 0.9)
  }
}

function createShore({ canvas, random, palette }: SceneInput, ground: number) {
  const noise = createNoise(random)
  return [0, 1].map((index) => {
    const offset = random.between(0, 50)
    const tall = index === 0 ? random.between(0.1, 0.2) : 0.035
    const crest = Float32Array.from({ length: canvas.width }, (_, column) => {
      const x = (column + 0.5) * canvas.pixel
      const rise =
        index === 0
          ? ridged(noise, x * 1.7 + offset, 3, 6) - 0.3
          : 0.4 + 0.6 * noise(x * 1.3 + offset, 9)
      return ground - tall * rise
    })
    if (index === 1) growPines(crest, { canvas, random, tall: random.between(0.035, 0.06) })
    return {
      crest,
      color:
        index === 0
          ? mixColors(palette.near, [0.01, 0.02, 0.05], 0.3)
          : ([0.0015, 0.002, 0.004] as const),
    }
  })
}
