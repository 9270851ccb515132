import { layShapes, set, shade } from '@/simulator/art/canvas'
import { adjust, createRamp, mixColors, type Ramp, type Rgb } from '@/simulator/art/color'
import { createNoise, fractal } from '@/simulator/art/noise'
import type { Random } from '@/simulator/art/random'
import type { Scene, SceneInput } from './scene'
import { element, fillOf, gradient, path } from './svg'

const UNIT = 1_000
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))
const RINGS = 12

type Bloom = {
  readonly id: number
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly colors: Ramp
}

/** Dahlias seen from above, each petal laid where a sunflower would put it. */
export const paintFlower: Scene = async (input) => {
  const { canvas, random, palette } = input
  paintGround(input)
  const wide = canvas.across * UNIT
  const tall = canvas.down * UNIT
  const small = Math.min(wide, tall)
  const single = random.chance(0.45)
  const main = {
    x: wide * (single ? 0.5 : random.between(0.36, 0.46)),
    y: tall * (single ? 0.5 : random.between(0.38, 0.48)),
    radius: small * (single ? random.between(0.36, 0.42) : random.between(0.27, 0.32)),
  }
  const others = single
    ? []
    : Array.from({ length: random.whole(2, 4) }, (_, index) => {
        const angle = random.between(0.1, 0.6) + index * 1.7
        const radius = small * random.between(0.12, 0.19)
        const away = main.radius + radius * 0.72
        return {
          x: main.x + Math.cos(angle) * away * 1.05,
          y: main.y + Math.sin(angle) * away * 1.05,
          radius,
        }
      })
  const blooms: readonly Bloom[] = [...others, main].map((one, id) => ({
    ...one,
    id,
    colors: petalColors(input, id),
  }))
  const leaf = mixColors(palette.accents[3], palette.ink, 0.4)
  const leaves = blooms.map((bloom) =>
    drawLeaves(bloom, random, palette.isNight ? adjust(leaf, 0.05) : leaf),
  )
  const flowers = blooms.map((bloom) => drawBloom(bloom, random))
  await layShapes(canvas, leaves.join('') + flowers.join(''))
  return { bloom: 0.25, vignette: 0.34, grain: 5 }
}

function paintGround({ canvas, random, palette }: SceneInput): void {
  const noise = createNoise(random)
  const dark = palette.isNight || random.chance(0.5)
  const from = dark ? mixColors(palette.ink, [0, 0, 0], 0.45) : palette.paper
  const to = dark
    ? mixColors(palette.ink, palette.accents[3], 0.4)
    : mixColors(palette.paper, palette.haze, 0.55)
  const ramp = createRamp([from, to])
  shade(canvas, (x, y, pixel) => {
    const cloud = fractal(noise, x * 1.4, y * 1.4, 4)
    set(pixel, ramp(0.5 + 0.45 * cloud + 0.35 * (0.5 - y / canvas.down)))
  })
}

function petalColors({ palette, random }: SceneInput, id: number): Ramp {
  const [a, b, c] = palette.accents
  const pale = mixColors(palette.paper, b, 0.35)
  const choices: readonly [readonly Rgb[], ...(readonly Rgb[])[]] = [
    [mixColors(a, palette.ink, 0.55), a, mixColors(a, b, 0.55), mixColors(b, pale, 0.6)],
    [mixColors(b, a, 0.7), b, pale, palette.paper],
    [mixColors(c, palette.ink, 0.5), c, mixColors(c, a, 0.4), mixColors(a, pale, 0.6)],
  ]
  const [first, ...rest] = choices
  return createRamp(id === 0 ? first : random.pick([first, ...rest]))
}

/** One petal along the y axis, from the origin upwards. */
const petal = (long: number, half: number) =>
  path(
    'M',
    0,
    0,
    'C',
    half * 0.5,
    -long * 0.2,
    half * 1.25,
    -long * 0.66,
    half * 0.3,
    -long * 0.95,
    'Q',
    0,
    -long * 1.03,
    -half * 0.3,
    -long * 0.95,
    'C',
    -half * 1.25,
    -long * 0.66,
    -half * 0.5,
    -long * 0.2,
    0,
    0,
    'Z',
  )

function drawBloom({ id, x, y, radius, colors }: Bloom, random: Random): string {
  const count = random.whole(130, 190)
  const roundness = random.between(0.26, 0.4)
  const shades = Array.from({ length: RINGS }, (_, ring) => {
    const color = colors(ring / (RINGS - 1))
    return gradient(`p${id}-${ring}`, [
      [0, adjust(color, 0.075)],
      [0.55, color],
      [1, adjust(color, -0.2, 1.15)],
    ])
  })
  const petals = Array.from({ length: count }, (_, place) => {
    // Outermost first, so that each lies on the ones before.
    const part = 1 - place / count
    const distance = radius * 0.56 * Math.max(0, part - 0.02) ** 0.66
    const long = radius * (0.1 + 0.36 * part ** 0.7)
    const half = long * roundness * (0.9 + 0.25 * part)
    const turn = place * GOLDEN_ANGLE + random.between(-0.05, 0.05)
    const ring = Math.min(RINGS - 1, Math.floor(part ** 0.8 * RINGS))
    const at = `translate(${(x + Math.sin(turn) * distance).toFixed(1)} ${(y - Math.cos(turn) * distance).toFixed(1)}) rotate(${((turn * 180) / Math.PI).toFixed(1)})`
    const shadow = element('path', {
      d: petal(long * 1.07, half * 1.16),
      fill: '#000',
      'fill-opacity': 0.16,
      transform: `translate(${(radius * 0.008).toFixed(1)} ${(radius * 0.014).toFixed(1)}) ${at}`,
    })
    const body = element('path', {
      d: petal(long, half),
      fill: `url(#p${id}-${ring})`,
      stroke: fillOf(adjust(colors(ring / (RINGS - 1)), -0.12)),
      'stroke-width': radius * 0.0024,
      transform: at,
    })
    return shadow + body
  })
  // The petals leave a small star open in the middle.
  const heart = element('circle', {
    cx: x,
    cy: y,
    r: radius * 0.1,
    fill: fillOf(adjust(colors(0), -0.14)),
  })
  return element('defs', {}, shades.join('')) + heart + petals.join('')
}

function drawLeaves({ x, y, radius }: Bloom, random: Random, color: Rgb): string {
  return Array.from({ length: random.whole(5, 8) }, (_, index) => {
    const turn = index * 50 + random.between(-16, 16) + 20
    const long = radius * random.between(1.15, 1.42)
    const half = long * random.between(0.13, 0.18)
    const tone = adjust(color, random.between(-0.04, 0.07))
    const vein = element('path', {
      d: path('M', 0, 0, 'L', 0, -long * 0.93),
      stroke: fillOf(adjust(tone, 0.09)),
      'stroke-width': radius * 0.008,
      fill: 'none',
    })
    return element(
      'g',
      { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)})` },
      element('path', { d: petal(long, half), fill: fillOf(tone) }) + vein,
    )
  }).join('')
}
