import type { Settings } from './generation'

/** What a user chooses, with its price. Prices are whole credits for one image. */
export type Model = {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly description: string
  readonly priceCredits: number
  /** The sizes offered, in pixels, the first being the default. */
  readonly sizes: readonly Pick<Settings, 'width' | 'height'>[]
}

const SIZES_ONE_MEGAPIXEL = [
  { width: 1024, height: 1024 },
  { width: 1216, height: 832 },
  { width: 832, height: 1216 },
  { width: 1344, height: 768 },
  { width: 768, height: 1344 },
] as const

export const simulatorModels: readonly Model[] = [
  {
    id: 'simulator/safelight',
    name: 'Safelight',
    provider: 'simulator',
    description:
      'Draws procedural pictures on this machine. Nothing leaves it and nothing is bought.',
    priceCredits: 4,
    sizes: SIZES_ONE_MEGAPIXEL,
  },
  {
    id: 'simulator/proof',
    name: 'Proof',
    provider: 'simulator',
    description: 'Small, quick proofs of the same procedural pictures.',
    priceCredits: 1,
    sizes: [
      { width: 512, height: 512 },
      { width: 608, height: 416 },
      { width: 416, height: 608 },
    ],
  },
]

export function findModel(models: readonly Model[], id: string): Model | undefined {
  return models.find((model) => model.id === id)
}

export function offersSize(model: Model, size: Pick<Settings, 'width' | 'height'>): boolean {
  return model.sizes.some(({ width, height }) => width === size.width && height === size.height)
}
