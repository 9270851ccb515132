import { cover, layShapes, shade } from '@/simulator/art/canvas'
import { mixColors } from '@/simulator/art/color'
import { createNoise, fractal, mix, smoothstep, type Noise } from '@/simulator/art/noise'
import type { Random } from '@/simulator/art/random'
import { createSky } from '@/simulator/art/sky'
import { soft, type Scene, type SceneInput } from './scene'
import { element, fillOf, gradient, path } from './svg'

const UNIT = 1_000
const ROWS = 6

type Pine = { readonly x: number; readonly foot: number; readonly tall: number }

/** A hillside of firs, row behind row, with the mist lying between the rows. */
export const paintPines: Scene = async (input) => {
  const { canvas, random, palette, traits } = input
  const noise = createNoise(random)
  const sky = createSky({
    canvas,
    random,
    palette,
    horizon: canvas.down * 0.72,
    clouds: traits.mist ? 0.2 : random.between(0.1, 0.6),
    sunHeight: random.between(0.42, 0.74),
  })
  shade(canvas, (x, y, pixel) => {
    sky.shade(x, y, pixel)
    const bank = 0.5 + 0.5 * fractal(noise, x * 1.3, y * 4.2, 4)
    const low = smoothstep(canvas.down * 0.18, canvas.down * 0.52, y)
    cover(pixel, palette.haze, low * bank * 0.85)
  })
  await layShapes(canvas, drawRows(input, noise) + drawBirds(input))
  // A last breath of mist over everything that is low and far.
  const amount = traits.mist ? 0.55 : 0.3
  shade(canvas, (x, y, pixel) => {
    const bank = smoothstep(-0.1, 0.7, fractal(noise, x * 1.1 + 9, y * 3.4, 4))
    const height = y / canvas.down
    cover(
      pixel,
      palette.haze,
      amount * bank * smoothstep(0.3, 0.55, height) * smoothstep(0.98, 0.7, height),
    )
  })
  return soft
}

function drawRows({ canvas, random, palette, traits }: SceneInput, noise: Noise): string {
  const wide = canvas.across * UNIT
  const tall = canvas.down * UNIT
  const small = Math.min(wide, tall)
  const lean = random.between(-0.16, 0.16)
  return Array.from({ length: ROWS }, (_, row) => {
    const depth = row / (ROWS - 1)
    const base = tall * mix(0.5, 1.04, depth ** 1.1)
    const height = small * mix(0.1, 0.46, depth ** 1.5)
    const color = mixColors(palette.haze, palette.near, mix(0.2, 1, depth ** 0.9))
    const pale = mixColors(color, palette.haze, mix(traits.mist ? 0.92 : 0.82, 0.12, depth ** 1.4))
    const offset = random.between(0, 60)
    const hill = (x: number) =>
      base +
      tall * 0.05 * fractal(noise, (x / UNIT) * 1.5 + offset, row, 3) +
      lean * (x - wide / 2) * (1 - depth)
    const trees: Pine[] = []
    for (let x = -height * 0.1; x < wide + height * 0.1; x += height * random.between(0.1, 0.26)) {
      trees.push({ x, foot: hill(x) + height * 0.06, tall: height * random.between(0.55, 1.12) })
    }
    // The nearest row leaves a view.
    const kept =
      depth < 1
        ? trees
        : trees.filter(({ x }) => Math.abs(x / wide - 0.5) > 0.17 || random.chance(0.2))
    const id = `row${row}`
    const fill = `url(#${id})`
    const ground = Array.from({ length: 25 }, (_unused, step) => (wide * step) / 24)
    const slope = element('path', {
      d: path(
        'M',
        0,
        tall + 9,
        ...ground.flatMap((x) => ['L', x, hill(x)]),
        'L',
        wide,
        tall + 9,
        'Z',
      ),
      fill,
    })
    const shadesOf = gradient(
      id,
      [
        [0, color],
        [0.45, mixColors(color, pale, 0.35)],
        [1, pale],
      ],
      { gradientUnits: 'userSpaceOnUse', x1: 0, x2: 0, y1: base - height, y2: base + tall * 0.09 },
    )
    const outlines = kept.map((pine) => pineOutline(pine, random)).join(' ')
    return element('defs', {}, shadesOf) + slope + element('path', { d: outlines, fill })
  }).join('')
}

/** Boughs that widen and droop on the way down, neither side like the other. */
function pineOutline({ x, foot, tall }: Pine, random: Random): string {
  const tiers = Math.round(Math.min(22, 9 + tall / 18))
  const side = (direction: number) =>
    Array.from({ length: tiers }, (_, tier) => {
      const part = (tier + 0.7) / tiers
      const half = tall * 0.19 * part ** 0.86 * random.between(0.68, 1.2)
      const y = foot - tall + tall * 0.95 * part
      return [
        [x + direction * half, y + tall * 0.022],
        [x + direction * half * 0.42, y - tall * 0.004],
      ] as const
    })
  const right = side(1).flat()
  const left = side(-1).flat().reverse()
  const points = [
    ...right,
    [x + tall * 0.014, foot] as const,
    [x - tall * 0.014, foot] as const,
    ...left,
  ]
  return path('M', x, foot - tall, ...points.flatMap(([px, py]) => ['L', px, py]), 'Z')
}

function drawBirds({ canvas, random, palette }: SceneInput): string {
  if (random.chance(0.35)) return ''
  const centreX = canvas.across * UNIT * random.between(0.25, 0.75)
  const centreY = canvas.down * UNIT * random.between(0.14, 0.3)
  return Array.from({ length: random.whole(4, 9) }, () => {
    const x = centreX + random.bell() * 75
    const y = centreY + random.bell() * 36
    const span = random.between(6, 11)
    return element('path', {
      d: path(
        'M',
        x - span,
        y - span * random.between(0.2, 0.5),
        'Q',
        x - span * 0.4,
        y - span * 0.45,
        x,
        y,
        'Q',
        x + span * 0.4,
        y - span * 0.45,
        x + span,
        y - span * random.between(0.2, 0.5),
      ),
      fill: 'none',
      stroke: fillOf(mixColors(palette.near, palette.haze, 0.25)),
      'stroke-width': 1.7,
      'stroke-linecap': 'round',
    })
  }).join('')
}
