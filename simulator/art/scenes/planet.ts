import { cover, glow, shade, type Pixel, type Shader } from '@/simulator/art/canvas'
import { adjust, createRamp, mixColors, type Ramp, type Rgb } from '@/simulator/art/color'
import {
  clamp01,
  createNoise,
  fractal,
  ridged,
  smoothstep,
  type Noise,
} from '@/simulator/art/noise'
import { createStars } from '@/simulator/art/sky'
import type { Scene, SceneInput } from './scene'

type Globe = {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly tilt: number
  readonly light: Rgb
}

/** One world in the dark, with its air, its storms and perhaps its rings. */
export const paintPlanet: Scene = (input) => {
  const { canvas, random, palette } = input
  const noise = createNoise(random)
  const azimuth = random.between(0.3, 0.9) * (random.chance(0.5) ? 1 : -1)
  const globe: Globe = {
    x: canvas.across * random.between(0.42, 0.58),
    y: canvas.down * random.between(0.46, 0.56),
    radius: random.between(0.25, 0.32) * Math.min(1, canvas.across * 1.05, canvas.down * 1.05),
    tilt: random.between(-0.5, 0.5),
    light: [Math.sin(azimuth), -0.42, 0.62],
  }
  const surface = createSurface(input, noise)
  const rings = random.chance(0.5) ? createRings(input, { globe, noise }) : undefined
  const space = createSpace(input, noise)
  const air = adjust(mixColors(palette.sky[2], palette.accents[1], 0.35), 0.04)

  shade(canvas, (x, y, pixel) => {
    space(x, y, pixel)
    rings?.(x, y, pixel, false)
    const dx = (x - globe.x) / globe.radius
    const dy = (y - globe.y) / globe.radius
    const square = dx * dx + dy * dy
    const length = Math.sqrt(square)
    const facing = (dx * globe.light[0] + dy * globe.light[1]) / (length + 0.0001)
    if (length > 1)
      glow(pixel, air, 0.5 * Math.exp((1 - length) * 14) * clamp01(0.25 + 0.9 * facing))
    const part = clamp01((1 - length) / (canvas.pixel / globe.radius) + 0.5)
    if (part > 0) {
      const dz = Math.sqrt(Math.max(0, 1 - square))
      const sun = dx * globe.light[0] + dy * globe.light[1] + dz * globe.light[2]
      const lit = smoothstep(-0.16, 0.9, sun)
      const color = surface(dx, dy, dz)
      const rim = (1 - dz) ** 3
      cover(
        pixel,
        [
          color[0] * (0.012 + lit * 1.1),
          color[1] * (0.014 + lit * 1.1),
          color[2] * (0.02 + lit * 1.1),
        ],
        part,
      )
      glow(pixel, air, part * rim * 0.8 * clamp01(sun + 0.35))
    }
    rings?.(x, y, pixel, true)
  })
  return { bloom: 0.5, vignette: 0.28, grain: 5 }
}

function createSurface(
  { palette, random }: SceneInput,
  noise: Noise,
): (x: number, y: number, z: number) => Rgb {
  const [a, b, c, d] = palette.accents
  const isGas = random.chance(0.6)
  const tilt = random.between(-0.5, 0.5)
  const offset = random.between(0, 60)
  const bands: Ramp = createRamp([
    d,
    c,
    b,
    palette.paper,
    a,
    mixColors(b, palette.paper, 0.5),
    c,
    mixColors(a, d, 0.5),
    d,
  ])
  const lands: Ramp = createRamp([
    mixColors(d, [0, 0, 0], 0.3),
    d,
    mixColors(d, c, 0.6),
    b,
    mixColors(a, b, 0.4),
    a,
    palette.paper,
  ])
  const cos = Math.cos(tilt)
  const sin = Math.sin(tilt)
  return (x, y, z) => {
    const u = x * cos - y * sin
    const v = x * sin + y * cos
    const longitude = Math.atan2(u, z + 0.0001) * 0.9 + offset
    if (isGas) {
      const latitude = Math.asin(Math.min(1, Math.max(-1, v)))
      const swirl = fractal(noise, longitude * 1.6, latitude * 5 + 3, 4)
      const fine = fractal(noise, longitude * 3.5 + swirl * 1.5, latitude * 17, 4)
      return bands(clamp01(0.5 + latitude * 0.31 + swirl * 0.12 + fine * 0.07))
    }
    const bend = fractal(noise, longitude * 1.8 + 9, v * 1.8, 3) * 0.7
    const height = fractal(noise, longitude * 1.5 + bend, v * 1.5 + bend, 6)
    const relief = ridged(noise, longitude * 4 + bend, v * 4, 4) - 0.5
    const cloud = smoothstep(0.1, 0.6, fractal(noise, longitude * 2 + 30, v * 3.6 + bend, 5) + 0.12)
    const ground = lands(clamp01(0.5 + height * 0.75 + (height > 0 ? relief * 0.24 : 0)))
    const white = cloud * 0.75
    return [
      ground[0] + (0.95 - ground[0]) * white,
      ground[1] + (0.95 - ground[1]) * white,
      ground[2] + (0.95 - ground[2]) * white,
    ]
  }
}

function createRings(
  { palette, random }: SceneInput,
  { globe, noise }: { readonly globe: Globe; readonly noise: Noise },
) {
  const cos = Math.cos(globe.tilt)
  const sin = Math.sin(globe.tilt)
  const flat = random.between(0.16, 0.32)
  const color = mixColors(palette.accents[1], palette.paper, 0.55)
  return (x: number, y: number, pixel: Pixel, inFront: boolean) => {
    const dx = (x - globe.x) / globe.radius
    const dy = (y - globe.y) / globe.radius
    const u = dx * cos + dy * sin
    const v = (-dx * sin + dy * cos) / flat
    if (v > 0 !== inFront) return
    const away = Math.hypot(u, v)
    if (away < 1.3 || away > 2.25) return
    const edge = smoothstep(1.3, 1.38, away) * smoothstep(2.25, 2.1, away)
    const gap = 1 - 0.92 * smoothstep(0.03, 0.012, Math.abs(away - 1.86))
    const grooves = 0.55 + 0.3 * noise(away * 26, 4) + 0.15 * noise(away * 80, 8)
    // The globe throws its shadow across the far side, away from its sun.
    const along = -(dx * globe.light[0] + dy * globe.light[1])
    const aside = Math.abs(dx * globe.light[1] - dy * globe.light[0])
    const shadow = inFront ? 1 : 1 - 0.88 * smoothstep(0, 0.4, along) * smoothstep(1.05, 0.9, aside)
    cover(
      pixel,
      [color[0] * shadow, color[1] * shadow, color[2] * shadow],
      edge * gap * grooves * 0.78,
    )
  }
}

function createSpace({ canvas, random, palette }: SceneInput, noise: Noise): Shader {
  const stars = createStars(canvas, random)
  const deep = mixColors(palette.ink, [0, 0, 0], 0.72)
  const dusts = [palette.accents[2], palette.accents[0]] as const
  const offset = random.between(0, 40)
  return (x, y, pixel) => {
    pixel.r = deep[0]
    pixel.g = deep[1]
    pixel.b = deep[2]
    const bend = fractal(noise, x * 1.3 + offset, y * 1.3, 3)
    const cloud = fractal(noise, x * 1.7 + bend * 1.4 + offset, y * 1.7 - bend, 5)
    const thick = smoothstep(-0.15, 0.75, cloud)
    glow(pixel, dusts[0], 0.3 * thick * thick)
    glow(pixel, dusts[1], 0.24 * smoothstep(0.15, 0.8, bend) * thick)
    stars(x, y, pixel)
  }
}
