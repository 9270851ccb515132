import type { ModelFacts, Size } from '@/lib/domain/model'
import type { SubmitRequest } from '@/lib/domain/provider'

export type ReplicateModel = {
  readonly facts: ModelFacts
  /** `{owner}/{name}` of an official model: those are run by name, without a version. */
  readonly slug: string
  readonly inputOf: (request: Pick<SubmitRequest, 'prompt' | 'settings'>) => object
}

/**
 * FLUX.1 [schnell] and [dev] take an aspect ratio and make these pixels of it
 * (https://github.com/replicate/cog-flux/blob/main/predict.py, ASPECT_RATIOS).
 */
const PIXELS_OF_RATIO: Readonly<Record<string, Size>> = {
  '1:1': { width: 1024, height: 1024 },
  '3:2': { width: 1216, height: 832 },
  '2:3': { width: 832, height: 1216 },
  '4:3': { width: 1152, height: 896 },
  '3:4': { width: 896, height: 1152 },
  '16:9': { width: 1344, height: 768 },
  '9:16': { width: 768, height: 1344 },
  '21:9': { width: 1536, height: 640 },
  '9:21': { width: 640, height: 1536 },
}

/** FLUX1.1 [pro] takes any multiples of 32 from 256 to 1440. */
const SIZES_PRO: readonly Size[] = [
  { width: 1024, height: 1024 },
  { width: 1216, height: 832 },
  { width: 832, height: 1216 },
  { width: 1344, height: 768 },
  { width: 768, height: 1344 },
]

const FLUX = {
  provider: 'replicate',
  // No limit is documented. The text encoder reads some 500 tokens and passes over the rest.
  promptCodePointsMax: 2_000,
  seed: true,
  negativePrompt: false,
  qualities: [],
  // Replicate takes images inline up to 256 kB only, which no photograph keeps to
  // (https://replicate.com/docs/reference/http#predictions.create).
  referenceImagesMax: 0,
} as const

const seedOf = ({ seed }: SubmitRequest['settings']) => (seed === undefined ? {} : { seed })

function ratioOf({ width, height }: Size): string | undefined {
  return Object.keys(PIXELS_OF_RATIO).find(
    (ratio) => PIXELS_OF_RATIO[ratio]?.width === width && PIXELS_OF_RATIO[ratio].height === height,
  )
}

const byRatio: ReplicateModel['inputOf'] = ({ prompt, settings }) => ({
  prompt,
  aspect_ratio: ratioOf(settings),
  num_outputs: 1,
  output_format: 'png',
  ...seedOf(settings),
})

const byPixels: ReplicateModel['inputOf'] = ({ prompt, settings }) => ({
  prompt,
  aspect_ratio: 'custom',
  width: settings.width,
  height: settings.height,
  output_format: 'png',
  ...seedOf(settings),
})

export const replicateModels: readonly ReplicateModel[] = [
  {
    slug: 'black-forest-labs/flux-schnell',
    inputOf: byRatio,
    facts: {
      ...FLUX,
      id: 'replicate/flux-schnell',
      name: 'FLUX.1 [schnell]',
      description:
        'The fastest model of Black Forest Labs, run by Replicate. Good for first ideas.',
      sizes: Object.values(PIXELS_OF_RATIO),
      usualSeconds: 3,
    },
  },
  {
    slug: 'black-forest-labs/flux-dev',
    inputOf: byRatio,
    facts: {
      ...FLUX,
      id: 'replicate/flux-dev',
      name: 'FLUX.1 [dev]',
      description: 'More detail than schnell, and more time. Run by Replicate.',
      sizes: Object.values(PIXELS_OF_RATIO),
      usualSeconds: 8,
    },
  },
  {
    slug: 'black-forest-labs/flux-1.1-pro',
    inputOf: byPixels,
    facts: {
      ...FLUX,
      id: 'replicate/flux-1.1-pro',
      name: 'FLUX1.1 [pro]',
      description: 'Follows long prompts closely. Run by Replicate.',
      sizes: SIZES_PRO,
      usualSeconds: 8,
    },
  },
]

export const findReplicateModel = (id: string): ReplicateModel | undefined =>
  replicateModels.find(({ facts }) => facts.id === id)
