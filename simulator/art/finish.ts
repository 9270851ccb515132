import type { Canvas } from './canvas'
import { toDisplay } from './color'
import { smoothstep } from './noise'
import type { Random } from './random'

export type Finish = {
  /** Light that bleeds from bright places, 0 to 1. */
  readonly bloom: number
  readonly vignette: number
  /** In display steps of 255. A little also hides banding. */
  readonly grain: number
}

const BLOOM_CELL_PX = 8
const BLOOM_THRESHOLD = 0.72

/** Glow is soft, so it is made at an eighth of the size and stretched. */
function addBloom(canvas: Canvas, amount: number): void {
  const columns = Math.ceil(canvas.width / BLOOM_CELL_PX)
  const rows = Math.ceil(canvas.height / BLOOM_CELL_PX)
  const small = gatherBright(canvas, columns, rows)
  const near = blur(small, { columns, rows, radius: 1 })
  const far = blur(near, { columns, rows, radius: Math.max(2, Math.round(columns / 22)) })
  const { width, height, light } = canvas
  for (let row = 0; row < height; row += 1) {
    const y = Math.min(rows - 1.001, Math.max(0, (row + 0.5) / BLOOM_CELL_PX - 0.5))
    const top = Math.floor(y)
    for (let column = 0; column < width; column += 1) {
      const x = Math.min(columns - 1.001, Math.max(0, (column + 0.5) / BLOOM_CELL_PX - 0.5))
      const left = Math.floor(x)
      const a = (top * columns + left) * 3
      const weights = [
        (1 - (x - left)) * (1 - (y - top)),
        (x - left) * (1 - (y - top)),
        (1 - (x - left)) * (y - top),
        (x - left) * (y - top),
      ] as const
      const at = (row * width + column) * 3
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0
        for (const source of [near, far]) {
          sum +=
            (source[a + channel] ?? 0) * weights[0] +
            (source[a + channel + 3] ?? 0) * weights[1] +
            (source[a + columns * 3 + channel] ?? 0) * weights[2] +
            (source[a + columns * 3 + channel + 3] ?? 0) * weights[3]
        }
        light[at + channel] = (light[at + channel] ?? 0) + sum * amount * 0.5
      }
    }
  }
}

function gatherBright(canvas: Canvas, columns: number, rows: number): Float32Array {
  const { width, height, light } = canvas
  const small = new Float32Array(columns * rows * 3)
  for (let row = 0; row < height; row += 1) {
    const start = Math.floor(row / BLOOM_CELL_PX) * columns
    for (let column = 0; column < width; column += 1) {
      const to = (start + Math.floor(column / BLOOM_CELL_PX)) * 3
      const from = (row * width + column) * 3
      const r = light[from] ?? 0
      const g = light[from + 1] ?? 0
      const b = light[from + 2] ?? 0
      const brightest = Math.max(r, g, b)
      if (brightest <= BLOOM_THRESHOLD) continue
      const share = Math.min(1, (brightest - BLOOM_THRESHOLD) / brightest) / BLOOM_CELL_PX ** 2
      small[to] = (small[to] ?? 0) + Math.min(r, 6) * share
      small[to + 1] = (small[to + 1] ?? 0) + Math.min(g, 6) * share
      small[to + 2] = (small[to + 2] ?? 0) + Math.min(b, 6) * share
    }
  }
  return small
}

type BlurOptions = { readonly columns: number; readonly rows: number; readonly radius: number }

/** Three box blurs in a row look like one Gaussian. */
function blur(source: Float32Array, { columns, rows, radius }: BlurOptions): Float32Array {
  let from = source
  for (let pass = 0; pass < 3; pass += 1) {
    const across = boxBlur(from, {
      lines: rows,
      length: columns,
      lineStep: columns,
      step: 1,
      radius,
    })
    from = boxBlur(across, { lines: columns, length: rows, lineStep: 1, step: columns, radius })
  }
  return from
}

type BoxOptions = {
  readonly lines: number
  readonly length: number
  readonly lineStep: number
  readonly step: number
  readonly radius: number
}

function boxBlur(source: Float32Array, options: BoxOptions): Float32Array {
  const { lines, length, lineStep, step, radius } = options
  const blurred = new Float32Array(source.length)
  for (let line = 0; line < lines; line += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const at = (index: number) =>
        source[(line * lineStep + Math.min(length - 1, Math.max(0, index)) * step) * 3 + channel] ??
        0
      let sum = 0
      for (let index = -radius; index <= radius; index += 1) sum += at(index)
      for (let index = 0; index < length; index += 1) {
        blurred[(line * lineStep + index * step) * 3 + channel] = sum / (radius * 2 + 1)
        sum += at(index + radius + 1) - at(index - radius)
      }
    }
  }
  return blurred
}

// Light up to here is shown as it is; what is brighter is compressed instead of clipped.
const SHOULDER = 0.62
const LIGHT_MAX = 5
const TONE_STEPS = 8_192

const tone = Float32Array.from({ length: TONE_STEPS + 1 }, (_, step) => {
  const light = (step / TONE_STEPS) * LIGHT_MAX
  const room = 1 - SHOULDER
  const held = light <= SHOULDER ? light : SHOULDER + room * Math.tanh((light - SHOULDER) / room)
  return toDisplay(held) * 255
})

/** From light to bytes: bloom, vignette, tone and grain. */
export function develop(canvas: Canvas, finish: Finish, random: Random): Uint8Array {
  if (finish.bloom > 0) addBloom(canvas, finish.bloom)
  const { width, height, light } = canvas
  const bytes = new Uint8Array(width * height * 3)
  const scale = TONE_STEPS / LIGHT_MAX
  let state = Math.floor(random.unit() * 2 ** 31) | 1
  for (let row = 0; row < height; row += 1) {
    const dy = (row / height - 0.5) * 2
    for (let column = 0; column < width; column += 1) {
      const dx = (column / width - 0.5) * 2
      const shadow = 1 - finish.vignette * smoothstep(0.35, 1.9, dx * dx + dy * dy)
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      const mixed = Math.imul(state, 0x9e3779b1)
      // Two halves of one number: their difference is triangular, which is kinder than flat noise.
      const grain = (((mixed & 0xffff) - (mixed >>> 16)) / 0xffff) * finish.grain
      const at = (row * width + column) * 3
      for (let channel = 0; channel < 3; channel += 1) {
        const step = Math.min(TONE_STEPS, Math.max(0, (light[at + channel] ?? 0) * shadow * scale))
        bytes[at + channel] = Math.min(255, Math.max(0, (tone[step | 0] ?? 0) + grain + 0.5))
      }
    }
  }
  return bytes
}
