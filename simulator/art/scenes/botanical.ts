import { layShapes, set, shade } from '@/simulator/art/canvas'
import { adjust, mixColors, type Rgb } from '@/simulator/art/color'
import { mix } from '@/simulator/art/noise'
import { printOnPaper } from './print'
import { printed, type Scene, type SceneInput } from './scene'
import { element, fillOf, path } from './svg'

const UNIT = 1_000

type Stem = {
  readonly x: number
  readonly y: number
  readonly long: number
  /** From upright, in radians, at the foot; the bend is added on the way up. */
  readonly lean: number
  readonly bend: number
}
type Point = { readonly x: number; readonly y: number; readonly angle: number }

/** A plate from a herbarium: a few stems fanned out before a quiet disc. */
export const paintBotanical: Scene = async (input) => {
  const { canvas, random, palette } = input
  const paper = palette.isNight ? mixColors(palette.ink, palette.near, 0.3) : palette.paper
  shade(canvas, (_x, _y, pixel) => set(pixel, paper))
  const wide = canvas.across * UNIT
  const tall = canvas.down * UNIT
  const small = Math.min(wide, tall)
  const disc = element('circle', {
    cx: wide * random.between(0.38, 0.62),
    cy: tall * random.between(0.34, 0.46),
    r: small * random.between(0.24, 0.32),
    fill: fillOf(
      mixColors(
        paper,
        random.pick([palette.accents[0], palette.accents[1]]),
        random.between(0.4, 0.8),
      ),
    ),
  })
  const count = random.whole(5, 8)
  const kinds = [random.pick(leafKinds), random.pick(leafKinds)] as const
  const colors = stemColors(input)
  const footX = wide * random.between(0.42, 0.58)
  const order = Array.from({ length: count }, (_, index) => index).sort(
    (one, other) => Math.abs(other - (count - 1) / 2) - Math.abs(one - (count - 1) / 2),
  )
  const stems = order.map((index) => {
    const part = count === 1 ? 0 : index / (count - 1) - 0.5
    const stem: Stem = {
      x: footX + part * small * 0.1,
      y: tall * 0.95,
      long: tall * random.between(0.62, 0.84) * (1 - Math.abs(part) * 0.45),
      lean: part * 1.15 * Math.min(1.3, canvas.across),
      bend: part * random.between(0.3, 1.1) + random.between(-0.15, 0.15),
    }
    const color = colors[index % colors.length] ?? palette.ink
    return drawStem({ stem, kind: kinds[index % 2 === 0 ? 0 : 1], color, input })
  })
  await layShapes(canvas, disc + stems.join(''))
  printOnPaper(canvas, random, palette.isNight ? 0.3 : 0.8)
  return printed
}

function stemColors({ palette, random }: SceneInput): readonly Rgb[] {
  const [, b, c, d] = palette.accents
  const dark = palette.isNight ? mixColors(c, palette.sun, 0.4) : mixColors(d, palette.ink, 0.35)
  return random.chance(0.5) ? [dark, c, d] : [dark, mixColors(c, dark, 0.4), mixColors(b, c, 0.5)]
}

function pointOn(stem: Stem, part: number): Point {
  const steps = 14
  let { x, y } = stem
  let angle = stem.lean
  for (let step = 0; step < steps * part; step += 1) {
    angle = stem.lean + stem.bend * (step / steps)
    x += (Math.sin(angle) * stem.long) / steps
    y -= (Math.cos(angle) * stem.long) / steps
  }
  return { x, y, angle }
}

type Leaf = { readonly long: number; readonly fill: string; readonly vein: string }
type LeafKind = {
  readonly pairs: number
  readonly angle: number
  /** Length as a part of the stem's, at its foot and at its tip. */
  readonly foot: number
  readonly tip: number
  draw(leaf: Leaf): string
}

/** A pointed leaf along the y axis, upwards from the origin. */
function blade({ long, fill, vein }: Leaf, width: number, belly: number): string {
  const half = long * width
  const shape = path(
    'M',
    0,
    0,
    'C',
    half,
    -long * belly * 0.5,
    half,
    -long * (belly + 0.25),
    0,
    -long,
    'C',
    -half,
    -long * (belly + 0.25),
    -half,
    -long * belly * 0.5,
    0,
    0,
    'Z',
  )
  const midrib = path('M', 0, 0, 'L', 0, -long * 0.9)
  return (
    element('path', { d: shape, fill }) +
    element('path', {
      d: midrib,
      stroke: vein,
      'stroke-width': Math.max(0.8, long * 0.014),
      fill: 'none',
    })
  )
}

const leafKinds: readonly [LeafKind, ...LeafKind[]] = [
  { pairs: 11, angle: 0.85, foot: 0.2, tip: 0.08, draw: (leaf) => blade(leaf, 0.24, 0.4) },
  { pairs: 17, angle: 1.05, foot: 0.17, tip: 0.05, draw: (leaf) => blade(leaf, 0.13, 0.5) },
  { pairs: 7, angle: 0.8, foot: 0.2, tip: 0.12, draw: (leaf) => blade(leaf, 0.42, 0.45) },
  {
    pairs: 9,
    angle: 1.1,
    foot: 0.13,
    tip: 0.06,
    draw: ({ long, fill, vein }) =>
      element('ellipse', { cx: 0, cy: -long * 0.55, rx: long * 0.42, ry: long * 0.46, fill }) +
      element('path', {
        d: path('M', 0, 0, 'L', 0, -long * 0.8),
        stroke: vein,
        'stroke-width': 1,
        fill: 'none',
      }),
  },
  {
    pairs: 12,
    angle: 0.6,
    foot: 0.2,
    tip: 0.1,
    draw: ({ long, fill, vein }) =>
      element('path', {
        d: path('M', 0, 0, 'Q', long * 0.1, -long * 0.5, 0, -long),
        stroke: vein,
        'stroke-width': 1.6,
        fill: 'none',
      }) + element('circle', { cx: 0, cy: -long, r: long * 0.11, fill }),
  },
]

type StemDrawing = {
  readonly stem: Stem
  readonly kind: LeafKind
  readonly color: Rgb
  readonly input: SceneInput
}

function drawStem({ stem, kind, color, input }: StemDrawing): string {
  const { random, palette } = input
  const line = Array.from({ length: 15 }, (_, step) => pointOn(stem, step / 14))
  const first = line[0] ?? { x: stem.x, y: stem.y }
  const stalk = element('path', {
    d: path('M', first.x, first.y, ...line.slice(1).flatMap(({ x, y }) => ['L', x, y])),
    fill: 'none',
    stroke: fillOf(adjust(color, -0.04)),
    'stroke-width': 3.4,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  })
  const vein = fillOf(adjust(color, palette.isNight ? -0.12 : 0.12))
  const leafAt = (part: number, side: number) => {
    const { x, y, angle } = pointOn(stem, part)
    const long = stem.long * mix(kind.foot, kind.tip, part) * random.between(0.9, 1.1)
    const turn = ((angle + side * kind.angle * mix(1.05, 0.75, part)) * 180) / Math.PI
    const tone = adjust(color, random.between(-0.035, 0.045) + (side > 0 ? 0.025 : 0))
    return element(
      'g',
      { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)})` },
      kind.draw({ long, fill: fillOf(tone), vein }),
    )
  }
  const leaves = Array.from({ length: kind.pairs }, (_, pair) => {
    const part = 0.22 + 0.74 * (pair / kind.pairs)
    return leafAt(part, -1) + leafAt(Math.min(1, part + 0.3 / kind.pairs), 1)
  })
  return stalk + leaves.join('') + leafAt(1, 0)
}
