import type { ModelFacts } from '@/lib/domain/model'

const SIZES_ONE_MEGAPIXEL = [
  { width: 1024, height: 1024 },
  { width: 1216, height: 832 },
  { width: 832, height: 1216 },
  { width: 1344, height: 768 },
  { width: 768, height: 1344 },
] as const

const DRAWS = {
  provider: 'simulator',
  promptCodePointsMax: 4_000,
  seed: true,
  negativePrompt: false,
  qualities: [],
  referenceImagesMax: 0,
} as const

export const simulatorModelFacts: readonly ModelFacts[] = [
  {
    ...DRAWS,
    id: 'simulator/safelight',
    name: 'Safelight',
    description:
      'Draws procedural pictures on this machine. Nothing leaves it and nothing is bought.',
    sizes: SIZES_ONE_MEGAPIXEL,
    usualSeconds: 4,
  },
  {
    ...DRAWS,
    id: 'simulator/proof',
    name: 'Proof',
    description: 'Small, quick proofs of the same procedural pictures.',
    sizes: [
      { width: 512, height: 512 },
      { width: 608, height: 416 },
      { width: 416, height: 608 },
    ],
    usualSeconds: 3,
  },
]
