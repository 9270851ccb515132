import type { ModelFacts, Size } from '@/lib/domain/model'
import type { SubmitRequest } from '@/lib/domain/provider'
import { dataUrlOf } from '@/lib/providers/data-url'

export type FalModel = {
  readonly facts: ModelFacts
  /** `{owner}/{app}`: what statuses, results and cancellations are addressed by. */
  readonly app: string
  /** What follows the app in a submission's address. */
  readonly pathOf: (request: Pick<SubmitRequest, 'referenceImages'>) => string
  readonly inputOf: (request: SubmitRequest) => object
}

const SIZES: readonly Size[] = [
  { width: 1024, height: 1024 },
  { width: 1216, height: 832 },
  { width: 832, height: 1216 },
  { width: 1344, height: 768 },
  { width: 768, height: 1344 },
]

const FLUX = {
  provider: 'fal',
  sizes: SIZES,
  // FLUX.1 has no documented limit; its text encoder reads some 500 tokens and passes over the rest.
  promptCodePointsMax: 2_000,
  seed: true,
  negativePrompt: false,
  qualities: [],
  referenceImagesMax: 0,
} as const

// FLUX.2 reads 32,000 tokens (https://github.com/black-forest-labs/skills, endpoints.md).
const FLUX_2 = { ...FLUX, promptCodePointsMax: 4_000, referenceImagesMax: 4 } as const

/** Files may be given as data addresses (https://fal.ai/models/fal-ai/flux-2/edit/api, Files). */
const inputOf = ({ prompt, settings, referenceImages }: SubmitRequest) => ({
  prompt,
  image_size: { width: settings.width, height: settings.height },
  output_format: 'png',
  ...(settings.seed === undefined ? {} : { seed: settings.seed }),
  ...(referenceImages.length === 0 ? {} : { image_urls: referenceImages.map(dataUrlOf) }),
})

/** Those that could make several say that it is one. */
const inputOfOne = (request: SubmitRequest) => ({ ...inputOf(request), num_images: 1 })

/** Pictures after others are made by an endpoint of their own, of the same app. */
const editPath: FalModel['pathOf'] = ({ referenceImages }) =>
  referenceImages.length === 0 ? '' : '/edit'

export const falModels: readonly FalModel[] = [
  {
    app: 'fal-ai/flux',
    pathOf: () => '/schnell',
    inputOf: inputOfOne,
    facts: {
      ...FLUX,
      id: 'fal/flux-schnell',
      name: 'FLUX.1 [schnell]',
      description: 'The fastest model of Black Forest Labs, run by fal. Good for first ideas.',
      usualSeconds: 2,
    },
  },
  {
    app: 'fal-ai/flux',
    pathOf: () => '/dev',
    inputOf: inputOfOne,
    facts: {
      ...FLUX,
      id: 'fal/flux-dev',
      name: 'FLUX.1 [dev]',
      description: 'More detail than schnell, and more time. Run by fal.',
      usualSeconds: 5,
    },
  },
  {
    app: 'fal-ai/flux-2',
    pathOf: editPath,
    inputOf: inputOfOne,
    facts: {
      ...FLUX_2,
      id: 'fal/flux-2-dev',
      name: 'FLUX.2 [dev]',
      description: 'Follows long prompts and reference images. Run by fal.',
      usualSeconds: 8,
    },
  },
  {
    app: 'fal-ai/flux-2-pro',
    pathOf: editPath,
    inputOf,
    facts: {
      ...FLUX_2,
      id: 'fal/flux-2-pro',
      name: 'FLUX.2 [pro]',
      description: 'The production model of Black Forest Labs, with reference images. Run by fal.',
      usualSeconds: 10,
    },
  },
]

export const findFalModel = (id: string): FalModel | undefined =>
  falModels.find(({ facts }) => facts.id === id)
