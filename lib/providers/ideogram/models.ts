import type { ModelFacts, Size } from '@/lib/domain/model'
import type { Settings } from '@/lib/domain/generation'
import { seedWithin } from '@/lib/providers/seed-within'

type Fields = Readonly<Record<string, string | number>>

/** Where a model is asked, and how it is told what shapes the picture. */
export type IdeogramWire = {
  readonly path: string
  readonly fieldsOf: (settings: Settings) => Fields
}

// https://api.ideogram.ai/openapi.json
const SEED_MAX = 2 ** 31 - 1
const seedOf = ({ seed }: Settings): Fields =>
  seed === undefined ? {} : { seed: seedWithin(seed, SEED_MAX) }
const qualityOf = ({ quality }: Settings, field: string): Fields =>
  quality === undefined ? {} : { [field]: quality }
const pixels = ({ width, height }: Size) => `${width}x${height}`

const OFFERED = {
  provider: 'ideogram',
  // Ideogram takes 10,000 characters, more than are ever asked for here.
  promptCodePointsMax: 4_000,
  seed: true,
  negativePrompt: false,
  qualities: [],
  referenceImagesMax: 0,
} as const

/**
 * Prices are those of the dearest size and quality on offer. Sizes of Ideogram 4.5 are presets whose
 * sides are multiples of 32, which it wants as soon as there are images to go by.
 */
export const ideogramModelFacts: readonly ModelFacts[] = [
  {
    ...OFFERED,
    id: 'ideogram/ideogram-4.5',
    name: 'Ideogram 4.5',
    description: 'Posters, logos and lettering that can be read. Takes images to go by.',
    sizes: [
      { width: 1024, height: 1024 },
      { width: 1248, height: 832 },
      { width: 832, height: 1248 },
      { width: 1280, height: 800 },
      { width: 800, height: 1280 },
      { width: 1152, height: 864 },
      { width: 864, height: 1152 },
      { width: 2048, height: 2048 },
    ],
    qualities: ['medium', 'low', 'high'],
    referenceImagesMax: 4,
    usualSeconds: 20,
  },
  {
    ...OFFERED,
    id: 'ideogram/ideogram-3',
    name: 'Ideogram 3.0',
    description: 'Design and photographs with good lettering. Takes what is not to be seen.',
    sizes: [
      { width: 1024, height: 1024 },
      { width: 1248, height: 832 },
      { width: 832, height: 1248 },
      { width: 1344, height: 768 },
      { width: 768, height: 1344 },
      { width: 1152, height: 864 },
      { width: 864, height: 1152 },
    ],
    negativePrompt: true,
    qualities: ['default', 'turbo', 'quality'],
    usualSeconds: 12,
  },
  {
    ...OFFERED,
    id: 'ideogram/p-image',
    name: 'P-Image Ideogram',
    description: 'Quick and cheap, for trying things out.',
    sizes: [
      { width: 1024, height: 1024 },
      { width: 1216, height: 832 },
      { width: 832, height: 1216 },
      { width: 1344, height: 768 },
      { width: 768, height: 1344 },
    ],
    usualSeconds: 4,
  },
]

export const IDEOGRAM_WIRE: Readonly<Record<string, IdeogramWire>> = {
  'ideogram/ideogram-4.5': {
    path: '/v2/image/generate/ideogram-4-5',
    fieldsOf: (settings) => ({
      size: pixels(settings),
      ...qualityOf(settings, 'quality'),
      ...seedOf(settings),
    }),
  },
  'ideogram/ideogram-3': {
    path: '/v2/image/generate/ideogram-3',
    fieldsOf: (settings) => ({
      resolution: pixels(settings),
      ...(settings.negativePrompt === undefined
        ? {}
        : { negative_prompt: settings.negativePrompt }),
      ...qualityOf(settings, 'rendering_speed'),
      ...seedOf(settings),
    }),
  },
  'ideogram/p-image': {
    path: '/v2/image/generate/p-image-ideogram',
    fieldsOf: (settings) => ({
      custom_width: settings.width,
      custom_height: settings.height,
      ...seedOf(settings),
    }),
  },
}
