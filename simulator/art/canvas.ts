import sharp from 'sharp'
import { clamp01 } from './noise'
import { toLinear } from './color'

/**
 * A picture in linear light. Places are measured so that the area is 1 whatever the format: `across`
 * times `down` is 1, and a length looks as long in a tall picture as in a wide one.
 */
export type Canvas = {
  readonly width: number
  readonly height: number
  readonly across: number
  readonly down: number
  /** The size of a pixel in those measures. */
  readonly pixel: number
  readonly light: Float32Array
}

/** Written to by shaders instead of returning a new colour a million times. */
export type Pixel = { r: number; g: number; b: number }

export function createCanvas(width: number, height: number): Canvas {
  const unit = Math.sqrt(width * height)
  return {
    width,
    height,
    across: width / unit,
    down: height / unit,
    pixel: 1 / unit,
    light: new Float32Array(width * height * 3),
  }
}

export type Shader = (x: number, y: number, pixel: Pixel) => void

/** Calls the shader for each pixel with the light that is there. */
export function shade(canvas: Canvas, shader: Shader): void {
  const { width, height, light, pixel: size } = canvas
  const pixel: Pixel = { r: 0, g: 0, b: 0 }
  let at = 0
  for (let row = 0; row < height; row += 1) {
    const y = (row + 0.5) * size
    for (let column = 0; column < width; column += 1) {
      pixel.r = light[at] ?? 0
      pixel.g = light[at + 1] ?? 0
      pixel.b = light[at + 2] ?? 0
      shader((column + 0.5) * size, y, pixel)
      light[at] = pixel.r
      light[at + 1] = pixel.g
      light[at + 2] = pixel.b
      at += 3
    }
  }
}

type Color = readonly [number, number, number]

export function set(pixel: Pixel, color: Color): void {
  pixel.r = color[0]
  pixel.g = color[1]
  pixel.b = color[2]
}

export function cover(pixel: Pixel, color: Color, part: number): void {
  pixel.r += (color[0] - pixel.r) * part
  pixel.g += (color[1] - pixel.g) * part
  pixel.b += (color[2] - pixel.b) * part
}

export function glow(pixel: Pixel, color: Color, amount: number): void {
  pixel.r += color[0] * amount
  pixel.g += color[1] * amount
  pixel.b += color[2] * amount
}

export function dim(pixel: Pixel, factor: number): void {
  pixel.r *= factor
  pixel.g *= factor
  pixel.b *= factor
}

/** Adds light at one pixel by its column and row; outside the picture nothing happens. */
export function addLight(
  canvas: Canvas,
  place: { readonly column: number; readonly row: number; readonly amount: number },
  color: Color,
): void {
  const { column, row, amount } = place
  if (column < 0 || row < 0 || column >= canvas.width || row >= canvas.height) return
  const at = (row * canvas.width + column) * 3
  for (let channel = 0; channel < 3; channel += 1) {
    canvas.light[at + channel] = (canvas.light[at + channel] ?? 0) + (color[channel] ?? 0) * amount
  }
}

/** The light at a place between pixels, for reflections. Rows and columns beyond the edge repeat it. */
export function lightAt(canvas: Canvas, x: number, y: number, pixel: Pixel): void {
  const { width, height, light } = canvas
  const column = Math.min(width - 1.001, Math.max(0, x / canvas.pixel - 0.5))
  const row = Math.min(height - 1.001, Math.max(0, y / canvas.pixel - 0.5))
  const left = Math.floor(column)
  const top = Math.floor(row)
  const fx = column - left
  const fy = row - top
  const a = (top * width + left) * 3
  const b = a + width * 3
  const channel = (offset: number) => {
    const upper = (light[a + offset] ?? 0) * (1 - fx) + (light[a + offset + 3] ?? 0) * fx
    const lower = (light[b + offset] ?? 0) * (1 - fx) + (light[b + offset + 3] ?? 0) * fx
    return upper * (1 - fy) + lower * fy
  }
  pixel.r = channel(0)
  pixel.g = channel(1)
  pixel.b = channel(2)
}

const linearOf = Float32Array.from({ length: 256 }, (_, value) => toLinear(value / 255))

/** Rasterises shapes drawn as SVG and lays them over the picture. The markup is ours, never the user's. */
export async function layShapes(canvas: Canvas, shapes: string, strength = 1): Promise<void> {
  const { width, height, across, down, light } = canvas
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${across * 1_000} ${down * 1_000}">${shapes}</svg>`
  const { data } = await sharp(Buffer.from(svg))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixels = width * height
  for (let i = 0; i < pixels; i += 1) {
    const alpha = clamp01(((data[i * 4 + 3] ?? 0) / 255) * strength)
    if (alpha === 0) continue
    for (let channel = 0; channel < 3; channel += 1) {
      const at = i * 3 + channel
      const below = light[at] ?? 0
      light[at] = below + ((linearOf[data[i * 4 + channel] ?? 0] ?? 0) - below) * alpha
    }
  }
}
