import type { ModelFacts } from '@/lib/domain/model'
import { inBackgroundId } from '@/lib/providers/background-model'

// https://developers.openai.com/api/docs/guides/image-generation: sides are multiples of 16, at
// least 655,360 pixels. https://developers.openai.com/api/docs/deprecations: what is still served.

const SIZES = [
  { width: 1024, height: 1024 },
  { width: 1536, height: 1024 },
  { width: 1024, height: 1536 },
  { width: 1536, height: 864 },
  { width: 864, height: 1536 },
] as const

const GPT_IMAGE = {
  provider: 'openai',
  sizes: SIZES,
  // Documented: 32,000 characters.
  promptCodePointsMax: 4_000,
  seed: false,
  negativePrompt: false,
  // Documented: 16.
  referenceImagesMax: 4,
} as const

// OpenAI bills by tokens, and `high` costs four times what `medium` does. One price covers all
// qualities of a model, so each offers only those that the price is meant for.
const QUICK = ['medium', 'low'] as const
const FINE = ['high', 'medium'] as const

/** The answer to the one POST carries the image: quick, and not recoverable when it is lost. */
const AT_ONCE: readonly ModelFacts[] = [
  {
    ...GPT_IMAGE,
    id: 'openai/gpt-image-2.6-flare',
    name: 'GPT Image 2.6 Flare',
    description: 'The quick one of OpenAI’s current models: everyday pictures, posters, layouts.',
    qualities: QUICK,
    usualSeconds: 15,
  },
  {
    ...GPT_IMAGE,
    id: 'openai/gpt-image-2.6-sunburst',
    name: 'GPT Image 2.6 Sunburst',
    description: 'The careful one of OpenAI’s current models: fine detail, faithful references.',
    qualities: FINE,
    usualSeconds: 60,
  },
  {
    ...GPT_IMAGE,
    id: 'openai/gpt-image-2',
    name: 'GPT Image 2',
    description: 'OpenAI’s model of spring 2026, for pictures that should look as they did.',
    qualities: QUICK,
    usualSeconds: 40,
  },
]

export const openAiModelFacts: readonly ModelFacts[] = [
  ...AT_ONCE,
  ...AT_ONCE.map((model) => ({
    ...model,
    id: inBackgroundId(model.id),
    name: `${model.name}, in the background`,
    description: `${model.description} A text model hands it the prompt; a lost answer can be found again.`,
    usualSeconds: model.usualSeconds + 15,
  })),
]
