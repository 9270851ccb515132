import type { Canvas } from '@/simulator/art/canvas'
import type { Finish } from '@/simulator/art/finish'
import type { Palette } from '@/simulator/art/palettes'
import type { Random } from '@/simulator/art/random'

/** What the words ask for beside the scene itself. */
export type Traits = {
  readonly water: boolean
  readonly mist: boolean
  readonly snow: boolean
  readonly calm: boolean
}

export type SceneInput = {
  readonly canvas: Canvas
  /** Differs with prompt, seed, size and style, and is the same whenever they are. */
  readonly random: Random
  readonly palette: Palette
  readonly traits: Traits
}

/** Paints a whole picture and says how it wants to be developed. */
export type Scene = (input: SceneInput) => Finish | Promise<Finish>

export const soft: Finish = { bloom: 0.5, vignette: 0.3, grain: 5 }
export const printed: Finish = { bloom: 0, vignette: 0.12, grain: 6 }
