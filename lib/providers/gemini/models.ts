import type { ModelFacts, Size } from '@/lib/domain/model'
import { inBackgroundId } from '@/lib/providers/background-model'
import { ratioOf, sizesOf, type Shape } from '@/lib/providers/shapes'

// https://ai.google.dev/gemini-api/docs/image-generation#aspect_ratios_and_image_size: what each
// aspect ratio is in pixels at the size 1K, the same for both models.
const SHAPES: readonly Shape[] = [
  { width: 1024, height: 1024, ratio: '1:1' },
  { width: 1264, height: 848, ratio: '3:2' },
  { width: 848, height: 1264, ratio: '2:3' },
  { width: 1200, height: 896, ratio: '4:3' },
  { width: 896, height: 1200, ratio: '3:4' },
  { width: 1376, height: 768, ratio: '16:9' },
  { width: 768, height: 1376, ratio: '9:16' },
]

export const IMAGE_SIZE = '1K'

/** The aspect ratio that is asked for to get an offered size. */
export const ratioFor = (size: Size): string => ratioOf(SHAPES, size)

const NANO_BANANA = {
  provider: 'gemini',
  sizes: sizesOf(SHAPES),
  promptCodePointsMax: 4_000,
  // A seed is taken, but whether it shapes pictures is not documented.
  seed: false,
  negativePrompt: false,
  qualities: [],
  // Documented: 14.
  referenceImagesMax: 4,
} as const

/** The answer to the one POST carries the image: quick, and not recoverable when it is lost. */
const AT_ONCE: readonly ModelFacts[] = [
  {
    ...NANO_BANANA,
    id: 'gemini/gemini-nano-banana-2.1',
    name: 'Nano Banana 2.1',
    description:
      'Google’s quick image model: everyday pictures, lettering, changes to photographs.',
    usualSeconds: 12,
  },
  {
    ...NANO_BANANA,
    id: 'gemini/gemini-3-pro-image',
    name: 'Nano Banana Pro',
    description: 'Google’s careful image model: it thinks about long prompts before it draws.',
    usualSeconds: 30,
  },
]

/** Offered only where the operator has found out that Google takes image models in the background. */
const IN_BACKGROUND: readonly ModelFacts[] = AT_ONCE.map((model) => ({
  ...model,
  id: inBackgroundId(model.id),
  name: `${model.name}, in the background`,
  description: `${model.description} A lost answer can be found again.`,
  usualSeconds: model.usualSeconds + 10,
}))

export const geminiModelFacts = (withBackground: boolean): readonly ModelFacts[] =>
  withBackground ? [...AT_ONCE, ...IN_BACKGROUND] : AT_ONCE
