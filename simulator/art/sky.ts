import { cover, glow, set, type Canvas, type Pixel, type Shader } from './canvas'
import { adjust, createRamp, mixColors, type Rgb } from './color'
import { cellUnit, clamp01, createNoise, fractal, smoothstep } from './noise'
import type { Palette } from './palettes'
import type { Random } from './random'

export type SkyOptions = {
  readonly canvas: Canvas
  readonly random: Random
  readonly palette: Palette
  readonly horizon: number
  /** 0 is a clear sky, 1 a full one. */
  readonly clouds: number
  readonly sunRadius?: number
  /** Height of the sun over the horizon as a part of the sky. */
  readonly sunHeight?: number
}

export type Sky = { readonly shade: Shader; readonly sunX: number; readonly sunY: number }

type Disc = { readonly x: number; readonly y: number; readonly radius: number }

/** A sky with its sun or moon, high clouds lit from there and, at night, stars. */
export function createSky(options: SkyOptions): Sky {
  const { canvas, random, palette, horizon } = options
  const ramp = createRamp(palette.sky)
  const disc: Disc = {
    x: canvas.across * random.pick([random.between(0.24, 0.4), random.between(0.6, 0.76)]),
    y: horizon * (1 - (options.sunHeight ?? random.between(0.18, 0.62))),
    radius: options.sunRadius ?? random.between(0.03, 0.07),
  }
  const stars = palette.isNight ? createStars(canvas, random) : undefined
  const cloud = createClouds(options, disc)
  const discLight: Rgb = palette.isNight
    ? adjust(palette.sun, 0, 0.8)
    : [palette.sun[0] * 1.9, palette.sun[1] * 1.9, palette.sun[2] * 1.9]
  const halo = palette.isNight ? 0.22 : 0.5
  const edge = canvas.pixel * 1.2

  return {
    sunX: disc.x,
    sunY: disc.y,
    shade: (x, y, pixel) => {
      set(pixel, ramp(clamp01(y / horizon) ** 1.15))
      stars?.(x, y, pixel)
      const away = Math.hypot(x - disc.x, y - disc.y)
      glow(pixel, palette.sun, halo * (0.5 * Math.exp(-away * 3) + 0.7 * Math.exp(-away * 11)))
      if (away < disc.radius + edge) {
        const part = smoothstep(disc.radius + edge, disc.radius - edge, away)
        cover(pixel, discLight, part)
      }
      cloud(x, y, pixel)
    },
  }
}

function createClouds(
  { canvas, random, palette, horizon, clouds }: SkyOptions,
  disc: Disc,
): Shader {
  if (clouds <= 0) return () => undefined
  const noise = createNoise(random)
  const shadow = mixColors(palette.sky[1], palette.haze, 0.55)
  const lit = mixColors(palette.sun, palette.haze, palette.isNight ? 0.85 : 0.25)
  const threshold = 0.3 - clouds * 0.5
  const offset = random.between(0, 50)
  const density = (x: number, y: number) => {
    // Clouds lie on a ceiling: towards the horizon they are flatter and closer together.
    const far = 0.22 + Math.max(0, horizon - y)
    const u = (x - canvas.across / 2) / far + offset
    const v = 1.7 / far
    const bend = noise(u * 0.7, v * 0.9 + 3.1) * 0.5
    return fractal(noise, u * 0.75 + bend, v * 1.9 + bend, 5)
  }
  return (x, y, pixel) => {
    if (y > horizon) return
    const thick = density(x, y)
    const part = smoothstep(threshold, threshold + 0.34, thick)
    if (part <= 0.004) return
    const toSun = Math.hypot(disc.x - x, disc.y - y) + 0.001
    const step = 0.02 / toSun
    const towards = density(x + (disc.x - x) * step, y + (disc.y - y) * step)
    const light = clamp01(0.45 + (thick - towards) * 2.6 + 0.5 * Math.exp(-toSun * 2.4))
    const fade = smoothstep(horizon + 0.02, horizon - 0.16, y)
    const r = shadow[0] + (lit[0] - shadow[0]) * light
    const g = shadow[1] + (lit[1] - shadow[1]) * light
    const b = shadow[2] + (lit[2] - shadow[2]) * light
    const opacity = part * 0.82 * fade
    pixel.r += (r - pixel.r) * opacity
    pixel.g += (g - pixel.g) * opacity
    pixel.b += (b - pixel.b) * opacity
  }
}

const STAR_TINTS: readonly [Rgb, ...Rgb[]] = [
  [1, 0.96, 0.88],
  [0.82, 0.9, 1],
  [1, 0.86, 0.74],
]

/** Stars in a jittered grid: few bright, many faint. */
export function createStars(canvas: Canvas, random: Random): Shader {
  const cell = 0.011
  const salt = random.whole(1, 1_000_000)
  const size = Math.max(canvas.pixel * 0.75, 0.00072)
  return (x, y, pixel: Pixel) => {
    const column = Math.floor(x / cell)
    const row = Math.floor(y / cell)
    const chance = cellUnit(column, row, salt)
    if (chance > 0.34) return
    const starX = (column + 0.2 + 0.6 * cellUnit(column, row, salt + 1)) * cell
    const starY = (row + 0.2 + 0.6 * cellUnit(column, row, salt + 2)) * cell
    const away = Math.hypot(x - starX, y - starY)
    const magnitude = cellUnit(column, row, salt + 3) ** 7
    const radius = size * (0.75 + magnitude * 1.6)
    const light = (0.1 + 1.6 * magnitude) * Math.exp(-((away / radius) ** 2))
    if (light < 0.004) return
    const tint = STAR_TINTS[Math.floor(cellUnit(column, row, salt + 4) * 3)] ?? STAR_TINTS[0]
    glow(pixel, tint, light)
  }
}
