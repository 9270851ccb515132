import type { Random } from './random'

/** Smooth noise of the plane, from -1 to 1. */
export type Noise = (x: number, y: number) => number

const TABLE_SIZE = 256
const MASK = TABLE_SIZE - 1

/** Gradient noise (Perlin) on a shuffled table. Typed arrays and no allocation: it is asked millions of times. */
export function createNoise(random: Random): Noise {
  const order = new Uint8Array(TABLE_SIZE * 2)
  for (let i = 0; i < TABLE_SIZE; i += 1) order[i] = i
  for (let i = MASK; i > 0; i -= 1) {
    const j = random.whole(0, i)
    const kept = order[i] ?? 0
    order[i] = order[j] ?? 0
    order[j] = kept
  }
  order.copyWithin(TABLE_SIZE, 0, TABLE_SIZE)
  const gradientX = new Float32Array(TABLE_SIZE)
  const gradientY = new Float32Array(TABLE_SIZE)
  for (let i = 0; i < TABLE_SIZE; i += 1) {
    const angle = (i / TABLE_SIZE) * Math.PI * 2
    gradientX[i] = Math.cos(angle)
    gradientY[i] = Math.sin(angle)
  }

  const corner = (ix: number, iy: number, dx: number, dy: number) => {
    const at = order[(order[ix & MASK] ?? 0) + (iy & MASK)] ?? 0
    return (gradientX[at] ?? 0) * dx + (gradientY[at] ?? 0) * dy
  }
  return (x, y) => {
    const ix = Math.floor(x)
    const iy = Math.floor(y)
    const fx = x - ix
    const fy = y - iy
    const sx = fx * fx * fx * (fx * (fx * 6 - 15) + 10)
    const sy = fy * fy * fy * (fy * (fy * 6 - 15) + 10)
    const a = corner(ix, iy, fx, fy)
    const b = corner(ix + 1, iy, fx - 1, fy)
    const c = corner(ix, iy + 1, fx, fy - 1)
    const d = corner(ix + 1, iy + 1, fx - 1, fy - 1)
    const top = a + (b - a) * sx
    // The square root of two brings the range to about -1 to 1.
    return (top + (c + (d - c) * sx - top) * sy) * Math.SQRT2
  }
}

/** Octaves turned a little against each other, so that no grid shows. About -1 to 1. */
export function fractal(noise: Noise, x: number, y: number, octaves: number, gain = 0.5): number {
  let sum = 0
  let weight = 1
  let total = 0
  let px = x
  let py = y
  for (let i = 0; i < octaves; i += 1) {
    sum += noise(px, py) * weight
    total += weight
    weight *= gain
    const turned = px * 1.6 - py * 1.2 + 17.3
    py = px * 1.2 + py * 1.6 + 9.1
    px = turned
  }
  return sum / total
}

/** Sharp crests, as of mountains. From 0 to 1. */
export function ridged(noise: Noise, x: number, y: number, octaves: number): number {
  let sum = 0
  let weight = 1
  let total = 0
  let px = x
  let py = y
  for (let i = 0; i < octaves; i += 1) {
    const crest = 1 - Math.abs(noise(px, py))
    sum += crest * crest * weight
    total += weight
    weight *= 0.5
    px = px * 2.03 + 31.7
    py = py * 2.03 + 11.9
  }
  return sum / total
}

/** A number from 0 up to 1 for each cell of a grid. */
export function cellUnit(x: number, y: number, salt: number): number {
  let hash =
    Math.imul(x | 0, 0x27d4eb2d) ^ Math.imul(y | 0, 0x165667b1) ^ Math.imul(salt, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

export const clamp01 = (value: number) => (value < 0 ? 0 : value > 1 ? 1 : value)
export const mix = (from: number, to: number, part: number) => from + (to - from) * part
/** 0 before the first edge, 1 after the second, and a soft step between. Edges may be given falling. */
export const smoothstep = (edge0: number, edge1: number, value: number) => {
  const part = clamp01((value - edge0) / (edge1 - edge0))
  return part * part * (3 - 2 * part)
}
