import { set, shade, type Pixel } from '@/simulator/art/canvas'
import { adjust, createRamp, mixColors, type Rgb } from '@/simulator/art/color'
import { clamp01, createNoise, fractal, smoothstep } from '@/simulator/art/noise'
import type { Scene, SceneInput } from './scene'

type Field = { readonly columns: number; readonly rows: number; readonly values: Float32Array }

/** The folds are smooth, so they are computed on a coarser grid and read between its points. */
const STEP_PX = 3

/** Ink in water: noise folded into itself twice, lit as if it had relief. */
export const paintInk: Scene = (input) => {
  const { canvas, random } = input
  const { height, fold } = createFields(input)
  const ramp = createRamp(inkColors(input))
  const dark = input.palette.isNight || random.chance(0.35)
  const relief = random.between(5, 9)
  const vein = random.chance(0.6) ? random.between(0.25, 0.6) : 0
  const base = mixColors(input.palette.ink, input.palette.near, 0.5)
  const metal: Rgb = adjust(input.palette.sun, 0, 1.2)

  shade(canvas, (x, y, pixel) => {
    const column = x / canvas.pixel / STEP_PX
    const row = y / canvas.pixel / STEP_PX
    const value = sample(height, column, row)
    const folded = sample(fold, column, row)
    const slope =
      (sample(height, column + 0.8, row) - sample(height, column - 0.8, row)) * -0.6 +
      (sample(height, column, row + 0.8) - sample(height, column, row - 0.8)) * -0.8
    const light = slope * relief * (canvas.width / 1_024 < 0.6 ? 0.6 : 1)
    const tone = clamp01(0.5 + value * 0.85 + folded * 0.28)
    set(pixel, ramp(tone))
    if (dark) blend(pixel, base, 0.55 * smoothstep(0.3, -0.5, folded))
    const shading = 1 + clamp01(light * 0.5 + 0.5) * 0.7 - 0.38
    pixel.r = pixel.r * shading + Math.max(0, light) * 0.06
    pixel.g = pixel.g * shading + Math.max(0, light) * 0.06
    pixel.b = pixel.b * shading + Math.max(0, light) * 0.06
    if (vein > 0) {
      const line = Math.abs(value - 0.08)
      const width = 0.012 + 0.02 * clamp01(folded)
      blend(
        pixel,
        metal,
        vein * smoothstep(width, width * 0.25, line) * (0.6 + 0.8 * clamp01(light)),
      )
    }
  })
  return { bloom: 0.25, vignette: 0.26, grain: 5 }
}

function blend(pixel: Pixel, color: Rgb, part: number): void {
  pixel.r += (color[0] - pixel.r) * part
  pixel.g += (color[1] - pixel.g) * part
  pixel.b += (color[2] - pixel.b) * part
}

function inkColors({ palette, random }: SceneInput): readonly Rgb[] {
  const [a, b, c, d] = palette.accents
  const deep = mixColors(palette.ink, c, 0.35)
  return random.pick([
    [deep, d, c, mixColors(c, b, 0.6), b, palette.paper],
    [palette.near, d, mixColors(d, c, 0.7), palette.paper, b, a],
    [palette.paper, mixColors(b, palette.paper, 0.5), a, deep, d, palette.near],
    [palette.near, d, mixColors(c, d, 0.4), b, palette.sky[3], palette.paper],
  ])
}

/** Two warps in the manner of Inigo Quilez: the second reads the first. */
function createFields({ canvas, random, traits }: SceneInput): { height: Field; fold: Field } {
  const noise = createNoise(random)
  const scale = random.between(0.62, 1.25) * (traits.calm ? 0.6 : 1)
  const angle = random.between(0, Math.PI)
  const stretch = random.pick([1, 1, 0.55])
  const first = random.between(0.6, 1.15)
  const second = random.between(0.9, 1.6)
  const shift = random.between(0, 40)
  const columns = Math.ceil(canvas.width / STEP_PX) + 3
  const rows = Math.ceil(canvas.height / STEP_PX) + 3
  const height = new Float32Array(columns * rows)
  const fold = new Float32Array(columns * rows)
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const rawX = column * STEP_PX * canvas.pixel * scale
      const rawY = row * STEP_PX * canvas.pixel * scale
      const x = rawX * Math.cos(angle) - rawY * Math.sin(angle) + shift
      const y = (rawX * Math.sin(angle) + rawY * Math.cos(angle)) * stretch
      const qx = fractal(noise, x, y, 4)
      const qy = fractal(noise, x + 5.2, y + 1.3, 4)
      const rx = fractal(noise, x + first * qx * 2 + 1.7, y + first * qy * 2 + 9.2, 4)
      const ry = fractal(noise, x + first * qx * 2 + 8.3, y + first * qy * 2 + 2.8, 4)
      const at = row * columns + column
      height[at] = fractal(noise, x + second * rx, y + second * ry, 6) * 1.4
      fold[at] = rx * 1.5 + qy * 0.5
    }
  }
  return { height: { columns, rows, values: height }, fold: { columns, rows, values: fold } }
}

function sample({ columns, rows, values }: Field, column: number, row: number): number {
  const x = Math.min(columns - 1.001, Math.max(0, column + 1))
  const y = Math.min(rows - 1.001, Math.max(0, row + 1))
  const left = Math.floor(x)
  const top = Math.floor(y)
  const at = top * columns + left
  const upper = (values[at] ?? 0) + ((values[at + 1] ?? 0) - (values[at] ?? 0)) * (x - left)
  const below = at + columns
  const lower =
    (values[below] ?? 0) + ((values[below + 1] ?? 0) - (values[below] ?? 0)) * (x - left)
  return upper + (lower - upper) * (y - top)
}
