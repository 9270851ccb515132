import type { ModelFacts } from '@/lib/domain/model'

// Both sides are multiples of 64, which every FLUX model takes.
const SIZES = [
  { width: 1024, height: 1024 },
  { width: 1216, height: 832 },
  { width: 832, height: 1216 },
  { width: 1344, height: 768 },
  { width: 768, height: 1344 },
] as const

const OFFERED = {
  provider: 'runware',
  sizes: SIZES,
  // https://runware.ai/docs/en/image-inference/api-reference#request-positiveprompt
  promptCodePointsMax: 3_000,
  seed: true,
  negativePrompt: false,
  qualities: [],
  referenceImagesMax: 0,
} as const

// FLUX.2 takes images to go by, within the request (https://runware.ai/docs/models/bfl-flux-2-dev).
const FLUX_2 = { ...OFFERED, referenceImagesMax: 4 } as const

/** The models' addresses at Runware: https://runware.ai/docs/models */
export const AIR_OF: Readonly<Record<string, string>> = {
  'runware/flux-1-dev': 'runware:101@1',
  'runware/flux-2-dev': 'runware:400@1',
  'runware/flux-2-klein-9b': 'runware:400@2',
}

export const runwareModelFacts: readonly ModelFacts[] = [
  {
    ...FLUX_2,
    id: 'runware/flux-2-dev',
    name: 'FLUX.2 [dev] (Runware)',
    description: 'Open-weight FLUX.2: follows long prompts closely and writes legible text.',
    usualSeconds: 8,
  },
  {
    ...FLUX_2,
    id: 'runware/flux-2-klein-9b',
    name: 'FLUX.2 [klein] 9B (Runware)',
    description: 'The four-step FLUX.2: quick and cheap, good for trying things out.',
    usualSeconds: 3,
  },
  {
    ...OFFERED,
    id: 'runware/flux-1-dev',
    name: 'FLUX.1 [dev] (Runware)',
    description: 'The first FLUX, still strong at people and photographs.',
    usualSeconds: 6,
  },
]
