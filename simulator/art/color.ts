/** Linear light, red, green and blue, where 1 is paper white. */
export type Rgb = readonly [number, number, number]

export const toLinear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

export const toDisplay = (light: number) =>
  light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055

export function hex(code: string): Rgb {
  const value = Number.parseInt(code.replace('#', ''), 16)
  return [
    toLinear(((value >> 16) & 255) / 255),
    toLinear(((value >> 8) & 255) / 255),
    toLinear((value & 255) / 255),
  ]
}

export function toHex([red, green, blue]: Rgb): string {
  const part = (light: number) =>
    Math.round(Math.min(1, Math.max(0, toDisplay(light))) * 255)
      .toString(16)
      .padStart(2, '0')
  return `#${part(red)}${part(green)}${part(blue)}`
}

// OKLab (Björn Ottosson): mixing in it keeps colours clean, where mixing light turns them grey.
function toOklab([red, green, blue]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromOklab([lightness, a, b]: Rgb): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    Math.max(0, 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    Math.max(0, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    Math.max(0, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

export function mixColors(from: Rgb, to: Rgb, part: number): Rgb {
  const a = toOklab(from)
  const b = toOklab(to)
  return fromOklab([
    a[0] + (b[0] - a[0]) * part,
    a[1] + (b[1] - a[1]) * part,
    a[2] + (b[2] - a[2]) * part,
  ])
}

/** Moves lightness by a sum and colourfulness by a factor. */
export function adjust(color: Rgb, lighter: number, colorful = 1): Rgb {
  const [lightness, a, b] = toOklab(color)
  return fromOklab([Math.max(0, lightness + lighter), a * colorful, b * colorful])
}

const RAMP_STEPS = 1_024

export type Ramp = (position: number) => Rgb

/** Colours spread evenly from 0 to 1, mixed in OKLab and read from a table. */
export function createRamp(colors: readonly Rgb[]): Ramp {
  const last = colors.length - 1
  const table: Rgb[] = Array.from({ length: RAMP_STEPS }, (_, step) => {
    const position = (step / (RAMP_STEPS - 1)) * last
    const index = Math.min(Math.floor(position), Math.max(0, last - 1))
    const from = colors[index] ?? [0, 0, 0]
    const to = colors[index + 1] ?? from
    const part = position - index
    return mixColors(from, to, part * part * (3 - 2 * part) * 0.5 + part * 0.5)
  })
  const black: Rgb = [0, 0, 0]
  return (position) => {
    const step = position <= 0 ? 0 : position >= 1 ? RAMP_STEPS - 1 : (position * RAMP_STEPS) | 0
    return table[step] ?? black
  }
}
