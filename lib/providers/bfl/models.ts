import type { ModelFacts, Size } from '@/lib/domain/model'

export type BflModel = {
  readonly facts: ModelFacts
  /** The model's own address is its name. */
  readonly path: string
}

// About a megapixel, in multiples of 32, which every model takes. The price is of the first megapixel.
const SIZES: readonly Size[] = [
  { width: 1024, height: 1024 },
  { width: 1216, height: 832 },
  { width: 832, height: 1216 },
  { width: 1344, height: 768 },
  { width: 768, height: 1344 },
]

const FLUX = {
  provider: 'bfl',
  sizes: SIZES,
  seed: true,
  negativePrompt: false,
  qualities: [],
} as const

/** FLUX.2 takes 32,000 tokens and images in base64 (https://github.com/black-forest-labs/skills). */
const FLUX_2 = { ...FLUX, promptCodePointsMax: 4_000, referenceImagesMax: 4 } as const

export const bflModels: readonly BflModel[] = [
  {
    path: 'flux-2-pro',
    facts: {
      ...FLUX_2,
      id: 'bfl/flux-2-pro',
      name: 'FLUX.2 [pro]',
      description: 'Black Forest Labs’ model for everyday work, with reference images.',
      usualSeconds: 10,
    },
  },
  {
    path: 'flux-2-max',
    facts: {
      ...FLUX_2,
      id: 'bfl/flux-2-max',
      name: 'FLUX.2 [max]',
      description: 'The best pictures of Black Forest Labs, at the highest price.',
      usualSeconds: 20,
    },
  },
  {
    path: 'flux-2-klein-9b',
    facts: {
      ...FLUX_2,
      id: 'bfl/flux-2-klein-9b',
      name: 'FLUX.2 [klein] 9B',
      description: 'Small and quick. Good for first ideas.',
      usualSeconds: 3,
    },
  },
  {
    path: 'flux-pro-1.1',
    facts: {
      ...FLUX,
      // No limit is documented. The text encoder reads some 500 tokens and passes over the rest.
      promptCodePointsMax: 2_000,
      referenceImagesMax: 0,
      id: 'bfl/flux-pro-1.1',
      name: 'FLUX1.1 [pro]',
      description: 'The model before FLUX.2, quick and dependable.',
      usualSeconds: 6,
    },
  },
]

export const findBflModel = (id: string): BflModel | undefined =>
  bflModels.find(({ facts }) => facts.id === id)
