import { addLight, set, shade, type Canvas } from '@/simulator/art/canvas'
import { createRamp, mixColors, type Ramp, type Rgb } from '@/simulator/art/color'
import { createNoise, fractal } from '@/simulator/art/noise'
import type { Scene, SceneInput } from './scene'

/** Thousands of fine threads carried by one current; where they meet they shine. */
export const paintSilk: Scene = (input) => {
  const { canvas, random, palette } = input
  const ground = mixColors(palette.ink, [0, 0, 0], 0.6)
  const lift = mixColors(palette.ink, palette.accents[3], 0.5)
  const centreX = canvas.across * random.between(0.3, 0.7)
  const centreY = canvas.down * random.between(0.3, 0.7)
  shade(canvas, (x, y, pixel) => {
    const near = Math.exp(-Math.hypot(x - centreX, y - centreY) * 2.6) * 0.55
    set(pixel, [
      ground[0] + (lift[0] - ground[0]) * near,
      ground[1] + (lift[1] - ground[1]) * near,
      ground[2] + (lift[2] - ground[2]) * near,
    ])
  })
  drawThreads(input)
  return { bloom: 0.7, vignette: 0.3, grain: 5 }
}

function drawThreads({ canvas, random, palette }: SceneInput): void {
  const noise = createNoise(random)
  const [a, b, c, d] = palette.accents
  const ramps: readonly [Ramp, ...Ramp[]] = [
    createRamp([c, a, b]),
    createRamp([mixColors(d, c, 0.6), c, mixColors(b, palette.paper, 0.4)]),
  ]
  const scale = random.between(0.7, 1.3)
  const turn = random.between(1.1, 2)
  const heading = random.between(-0.5, 0.5)
  const bundles = random.whole(5, 7)
  const threadsEach = 300
  // Threads of one bundle start beside each other, so they fold like a sheet.
  for (let bundle = 0; bundle < bundles; bundle += 1) {
    const ramp = random.pick(ramps)
    const startX = random.between(-0.2, 0.3) * canvas.across
    const startY = random.between(0.05, 0.95) * canvas.down
    const spread = random.between(0.08, 0.26)
    const phase = random.between(0, 30)
    for (let thread = 0; thread < threadsEach; thread += 1) {
      const part = thread / threadsEach
      const light = ramp(part)
      drawThread(canvas, {
        x: startX + spread * 0.25 * Math.sin(part * 5 + phase),
        y: startY + spread * (part - 0.5) * 2,
        color: light,
        strength:
          (0.16 + 0.5 * Math.sin(part * Math.PI) ** 6 + (thread % 37 === 0 ? 0.5 : 0)) * 0.36,
        angleAt: (x, y) =>
          heading +
          turn * fractal(noise, x * scale + phase * 0.12, y * scale + part * 0.16, 2) * 1.5,
      })
    }
  }
}

type Thread = {
  readonly x: number
  readonly y: number
  readonly color: Rgb
  readonly strength: number
  angleAt(x: number, y: number): number
}

const STEPS_PER_TURN = 5

function drawThread(canvas: Canvas, thread: Thread): void {
  const step = canvas.pixel * 0.9
  const steps = Math.round((1.55 * canvas.across) / step)
  let { x, y } = thread
  let dx = step
  let dy = 0
  for (let index = 0; index < steps; index += 1) {
    // The current turns slowly: asking it at each step would cost five times as much.
    if (index % STEPS_PER_TURN === 0) {
      const angle = thread.angleAt(x, y)
      dx = Math.cos(angle) * step
      dy = Math.sin(angle) * step
    }
    x += dx
    y += dy
    const fade = Math.sin((index / steps) * Math.PI) ** 0.7 * thread.strength
    const px = x / canvas.pixel - 0.5
    const py = y / canvas.pixel - 0.5
    const column = Math.floor(px)
    const row = Math.floor(py)
    const fx = px - column
    const fy = py - row
    addLight(canvas, { column, row, amount: fade * (1 - fx) * (1 - fy) }, thread.color)
    addLight(canvas, { column: column + 1, row, amount: fade * fx * (1 - fy) }, thread.color)
    addLight(canvas, { column, row: row + 1, amount: fade * (1 - fx) * fy }, thread.color)
    addLight(canvas, { column: column + 1, row: row + 1, amount: fade * fx * fy }, thread.color)
  }
}
