import { layShapes, set, shade } from '@/simulator/art/canvas'
import { mixColors, type Rgb } from '@/simulator/art/color'
import { printOnPaper } from './print'
import { printed, type Scene, type SceneInput } from './scene'
import { element, fillOf, path } from './svg'

// Shapes are measured in thousandths, like the view box they are drawn in.
const UNIT = 1_000

/** A printed poster in the manner of the Bauhaus and what came after. */
export const paintPoster: Scene = async (input) => {
  const { canvas, random, palette } = input
  const paper = palette.isNight ? mixColors(palette.ink, palette.near, 0.4) : palette.paper
  shade(canvas, (_x, _y, pixel) => set(pixel, paper))
  const compose = random.pick([
    composeTiles,
    composeSunAndHills,
    composeFloating,
    composeTiles,
    composeSunAndHills,
  ])
  await layShapes(canvas, compose(input, paper))
  printOnPaper(canvas, random, palette.isNight ? 0.4 : 1)
  return printed
}

const inksOf = ({ palette }: SceneInput): readonly [Rgb, ...Rgb[]] => [
  ...palette.accents,
  palette.isNight ? palette.sun : palette.ink,
]

/** A grid of quarter and half circles. */
function composeTiles(input: SceneInput, paper: Rgb): string {
  const { canvas, random } = input
  const inks = inksOf(input)
  const margin = 0.07 * UNIT
  const inner = Math.min(canvas.across, canvas.down) * UNIT - 2 * margin
  const size = inner / random.whole(3, 5)
  const columns = Math.max(1, Math.floor((canvas.across * UNIT - 2 * margin) / size + 0.01))
  const rows = Math.max(1, Math.floor((canvas.down * UNIT - 2 * margin) / size + 0.01))
  const left = (canvas.across * UNIT - columns * size) / 2
  const top = (canvas.down * UNIT - rows * size) / 2
  const tiles = Array.from({ length: columns * rows }, (_, index) => {
    const ground = random.chance(0.42) ? paper : random.pick(inks)
    const others = inks.filter((ink) => ink !== ground)
    const figure = random.pick([others[0] ?? inks[0], ...others])
    const second = random.pick([paper, ...others])
    const x = left + (index % columns) * size
    const y = top + Math.floor(index / columns) * size
    const turned = `translate(${x} ${y}) rotate(${random.whole(0, 3) * 90} ${size / 2} ${size / 2})`
    const square = element('rect', { width: size + 0.6, height: size + 0.6, fill: fillOf(ground) })
    const shape = random.pick(tileShapes)(size, fillOf(figure), fillOf(second))
    return element('g', { transform: turned }, square + shape)
  })
  return tiles.join('')
}

type TileShape = (size: number, figure: string, second: string) => string

const quarter = (radius: number, fill: string) =>
  element('path', {
    d: path('M', 0, 0, 'L', radius, 0, 'A', radius, radius, 0, 0, 1, 0, radius, 'Z'),
    fill,
  })

const tileShapes: readonly [TileShape, ...TileShape[]] = [
  (size, figure) => quarter(size, figure),
  (size, figure, second) => quarter(size, figure) + quarter(size * 0.5, second),
  (size, figure, second) =>
    [1, 0.8, 0.6, 0.4, 0.2]
      .map((part, index) => quarter(size * part, index % 2 ? second : figure))
      .join(''),
  (size, figure) =>
    element('path', {
      d: path('M', 0, 0, 'A', size / 2, size / 2, 0, 0, 0, size, 0, 'Z'),
      fill: figure,
    }) +
    element('path', {
      d: path('M', 0, size / 2, 'A', size / 2, size / 2, 0, 0, 0, size, size / 2, 'Z'),
      fill: figure,
    }),
  (size, figure, second) =>
    element('circle', { cx: size / 2, cy: size / 2, r: size * 0.42, fill: figure }) +
    element('circle', { cx: size / 2, cy: size / 2, r: size * 0.16, fill: second }),
  (size, figure) =>
    element('path', { d: path('M', 0, size, 'L', size, size, 'L', size, 0, 'Z'), fill: figure }),
  (size, figure) =>
    [0, 1, 2, 3]
      .map((index) =>
        element('rect', {
          x: 0,
          y: (index * size) / 4,
          width: size,
          height: size / 8,
          fill: figure,
        }),
      )
      .join(''),
  (size, figure, second) =>
    quarter(size, figure) +
    element('g', { transform: `rotate(180 ${size / 2} ${size / 2})` }, quarter(size * 0.5, second)),
  (size, figure) =>
    element('path', {
      d: path('M', 0, 0, 'A', size, size, 0, 0, 1, size, size, 'A', size, size, 0, 0, 1, 0, 0, 'Z'),
      fill: figure,
    }),
]

/** A large sun over bands of hills, with its reflection of rings. */
function composeSunAndHills(input: SceneInput, paper: Rgb): string {
  const { canvas, random, palette } = input
  const inks = inksOf(input)
  const wide = canvas.across * UNIT
  const tall = canvas.down * UNIT
  const radius = Math.min(wide, tall) * random.between(0.2, 0.29)
  const sunX = wide * random.between(0.32, 0.68)
  const sunY = tall * random.between(0.3, 0.4)
  const sun = [
    ...(random.chance(0.6)
      ? [1.62, 1.4, 1.2].map((part, index) =>
          element('circle', {
            cx: sunX,
            cy: sunY,
            r: radius * part,
            fill: fillOf(mixColors(paper, inks[1] ?? inks[0], 0.14 + 0.16 * index)),
          }),
        )
      : []),
    element('circle', { cx: sunX, cy: sunY, r: radius, fill: fillOf(inks[0]) }),
  ]
  const count = random.whole(4, 6)
  const hillColors = [inks[1] ?? inks[0], inks[2] ?? inks[0], inks[3] ?? inks[0]]
  const hills = Array.from({ length: count }, (_, index) => {
    const part = index / (count - 1)
    const y = tall * (0.46 + 0.4 * part)
    const swing = tall * random.between(0.05, 0.13)
    const middle = wide * random.between(0.25, 0.75)
    const up = index % 2 === 0 ? -1 : 1
    const line = path(
      'M',
      0,
      y + swing * up,
      'C',
      middle * 0.5,
      y - swing * 1.4 * up,
      middle,
      y - swing * up,
      wide * 0.6,
      y,
      'S',
      wide * 0.9,
      y + swing * 1.5 * up,
      wide,
      y - swing * 0.4 * up,
    )
    const color = mixColors(hillColors[index % 3] ?? inks[0], palette.ink, 0.1 * index * part)
    const body = element('path', {
      d: `${line} L ${wide} ${tall} L 0 ${tall} Z`,
      fill: fillOf(color),
    })
    const contours =
      index % 2 === 1
        ? contourLines({
            line,
            count: 7,
            gap: tall * 0.018,
            color: fillOf(mixColors(color, paper, 0.45)),
          })
        : ''
    return body + contours
  })
  return sun.join('') + hills.join('') + frame(input, paper)
}

type Contours = {
  readonly line: string
  readonly count: number
  readonly gap: number
  readonly color: string
}

const contourLines = ({ line, count, gap, color }: Contours) =>
  Array.from({ length: count }, (_, index) =>
    element('path', {
      d: line,
      fill: 'none',
      stroke: color,
      'stroke-width': 1.6,
      transform: `translate(0 ${(index + 1) * gap})`,
    }),
  ).join('')

/** An even border of paper, as around a print. */
function frame({ canvas }: SceneInput, paper: Rgb): string {
  const width = 0.05 * UNIT
  return element('rect', {
    x: width / 2,
    y: width / 2,
    width: canvas.across * UNIT - width,
    height: canvas.down * UNIT - width,
    fill: 'none',
    stroke: fillOf(paper),
    'stroke-width': width,
  })
}

/** Discs, bars and arcs that hang in balance and tint each other where they cross. */
function composeFloating(input: SceneInput, paper: Rgb): string {
  const { canvas, random, palette } = input
  const inks = inksOf(input)
  const wide = canvas.across * UNIT
  const tall = canvas.down * UNIT
  const small = Math.min(wide, tall)
  const blend = `mix-blend-mode:${palette.isNight ? 'screen' : 'multiply'}`
  const tilt = random.between(-38, -18)
  const centre = { x: wide * 0.5, y: tall * 0.5 }
  const discs = [0.27, 0.17, 0.1].map((part, index) =>
    element('circle', {
      cx: centre.x + small * random.between(-0.24, 0.24),
      cy: centre.y + small * random.between(-0.26, 0.26),
      r: small * part * random.between(0.85, 1.15),
      fill: fillOf(inks[index % inks.length] ?? inks[0]),
      style: blend,
    }),
  )
  const bars = Array.from({ length: random.whole(5, 8) }, (_, index) => {
    const long = small * random.between(0.25, 0.85)
    return element('rect', {
      x: centre.x - long / 2 + small * random.between(-0.2, 0.2),
      y: centre.y + small * random.between(-0.36, 0.36),
      width: long,
      height: small * random.pick([0.006, 0.012, 0.03, 0.07]),
      fill: fillOf(inks[(index + 2) % inks.length] ?? inks[0]),
      transform: `rotate(${tilt + (index % 3 === 2 ? 90 : 0)} ${centre.x} ${centre.y})`,
      style: blend,
    })
  })
  const rings = Array.from({ length: random.whole(3, 6) }, (_, index) =>
    element('circle', {
      cx: centre.x,
      cy: centre.y,
      r: small * (0.33 + index * 0.022),
      fill: 'none',
      stroke: fillOf(palette.isNight ? palette.sun : palette.ink),
      'stroke-width': 2,
      'stroke-dasharray': `${small * random.between(0.3, 1.1)} ${small * 2}`,
      transform: `rotate(${random.between(0, 360)} ${centre.x} ${centre.y})`,
    }),
  )
  return discs.join('') + bars.join('') + rings.join('') + frame(input, paper)
}
