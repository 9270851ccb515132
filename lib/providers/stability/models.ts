import type { ModelFacts, Size } from '@/lib/domain/model'
import { ratioOf, sizesOf, type Shape } from '@/lib/providers/shapes'

// What each aspect ratio is in pixels, says Stability's support:
// https://stableassistant.freshdesk.com/support/solutions/articles/150000193802. Its reference says
// 1.5 megapixels of Core, so Core's pictures may be larger, of the same shape.
const SHAPES: readonly Shape[] = [
  { width: 1024, height: 1024, ratio: '1:1' },
  { width: 1216, height: 832, ratio: '3:2' },
  { width: 832, height: 1216, ratio: '2:3' },
  { width: 1088, height: 896, ratio: '5:4' },
  { width: 896, height: 1088, ratio: '4:5' },
  { width: 1344, height: 768, ratio: '16:9' },
  { width: 768, height: 1344, ratio: '9:16' },
]

/** The aspect ratio that is asked for to get an offered size. */
export const ratioFor = (size: Size): string => ratioOf(SHAPES, size)

const STABLE_IMAGE = {
  provider: 'stability',
  sizes: sizesOf(SHAPES),
  // Documented: 10,000 characters.
  promptCodePointsMax: 4_000,
  seed: true,
  negativePrompt: true,
  qualities: [],
  // An image to start from comes with a strength, which we do not ask for, and SD 3.5 then takes its
  // shape instead of the chosen one.
  referenceImagesMax: 0,
} as const

export const stabilityModelFacts: readonly ModelFacts[] = [
  {
    ...STABLE_IMAGE,
    id: 'stability/core',
    name: 'Stable Image Core',
    description: 'Stability’s quick and cheap service. Prompts in English.',
    usualSeconds: 6,
  },
  {
    ...STABLE_IMAGE,
    id: 'stability/ultra',
    name: 'Stable Image Ultra',
    description:
      'Stability’s best service: photographs, lettering, fine detail. Prompts in English.',
    usualSeconds: 12,
  },
  {
    ...STABLE_IMAGE,
    id: 'stability/sd3.5-large',
    name: 'Stable Diffusion 3.5 Large',
    description: 'The large open model, for many styles. Prompts in English.',
    usualSeconds: 10,
  },
  {
    ...STABLE_IMAGE,
    id: 'stability/sd3.5-large-turbo',
    name: 'Stable Diffusion 3.5 Large Turbo',
    description: 'The large open model in four steps. Prompts in English.',
    usualSeconds: 5,
  },
  {
    ...STABLE_IMAGE,
    id: 'stability/sd3.5-medium',
    name: 'Stable Diffusion 3.5 Medium',
    description: 'The medium open model. Prompts in English.',
    usualSeconds: 8,
  },
  {
    ...STABLE_IMAGE,
    id: 'stability/sd3.5-flash',
    name: 'Stable Diffusion 3.5 Flash',
    description: 'The medium open model in four steps: the cheapest. Prompts in English.',
    usualSeconds: 4,
  },
]

/** Which service makes the model's pictures, and under which name where one makes several. */
export function serviceOf(modelId: string): { readonly path: string; readonly model?: string } {
  const name = modelId.slice(modelId.indexOf('/') + 1)
  return name.startsWith('sd3.5') ? { path: 'sd3', model: name } : { path: name }
}
