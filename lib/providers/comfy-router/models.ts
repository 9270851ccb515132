import type { ModelFacts, Size } from '@/lib/domain/model'
import type { SubmitRequest } from '@/lib/domain/provider'
import { dataUrlOf } from '@/lib/providers/data-url'
import { seedWithin } from '@/lib/providers/seed-within'
import { readBfl, readGemini, readIdeogram, readOpenAi, type ReadOutput } from './read-output'

/** What Router calls a model, what the model is asked with, and how its answer is read. */
export type RouterWire = {
  readonly routerId: string
  readonly inputOf: (request: SubmitRequest) => object
  readonly read: ReadOutput
  /** For how long an image's address works at the least; undefined where it is not documented. */
  readonly resultForMs: number | undefined
}

const OFFERED = {
  provider: 'comfy-router',
  promptCodePointsMax: 4_000,
  seed: false,
  negativePrompt: false,
  qualities: [],
  referenceImagesMax: 0,
} as const
const IDEOGRAM_SEED_MAX = 2 ** 31 - 1

// https://ai.google.dev/gemini-api/docs/image-generation: the aspect ratios at the size 1K.
const NANO_BANANA_SHAPES = [
  { width: 1024, height: 1024, ratio: '1:1' },
  { width: 1264, height: 848, ratio: '3:2' },
  { width: 848, height: 1264, ratio: '2:3' },
  { width: 1200, height: 896, ratio: '4:3' },
  { width: 896, height: 1200, ratio: '3:4' },
  { width: 1376, height: 768, ratio: '16:9' },
  { width: 768, height: 1376, ratio: '9:16' },
] as const

/** https://docs.comfy.org/development/comfy-router/models */
export const comfyRouterModelFacts: readonly ModelFacts[] = [
  {
    ...OFFERED,
    id: 'comfy-router/flux-2-pro',
    name: 'FLUX.2 [pro] (Comfy Router)',
    description: 'Black Forest Labs’ model for finished work. Takes images to go by.',
    sizes: [
      { width: 1024, height: 1024 },
      { width: 1216, height: 832 },
      { width: 832, height: 1216 },
      { width: 1344, height: 768 },
      { width: 768, height: 1344 },
    ],
    seed: true,
    referenceImagesMax: 4,
    usualSeconds: 15,
  },
  {
    ...OFFERED,
    id: 'comfy-router/gpt-image-2',
    name: 'GPT Image 2 (Comfy Router)',
    description: 'OpenAI’s image model: follows instructions and writes legible text.',
    sizes: [
      { width: 1024, height: 1024 },
      { width: 1536, height: 1024 },
      { width: 1024, height: 1536 },
    ],
    qualities: ['medium', 'low'],
    usualSeconds: 40,
  },
  {
    ...OFFERED,
    id: 'comfy-router/nano-banana-2',
    name: 'Nano Banana 2 (Comfy Router)',
    description: 'Google’s quick image model. Takes images to change or to go by.',
    sizes: NANO_BANANA_SHAPES.map(({ width, height }) => ({ width, height })),
    referenceImagesMax: 4,
    usualSeconds: 15,
  },
  {
    ...OFFERED,
    id: 'comfy-router/ideogram-4.5',
    name: 'Ideogram 4.5 (Comfy Router)',
    description: 'Posters, logos and lettering that can be read. Takes images to go by.',
    sizes: [
      { width: 1024, height: 1024 },
      { width: 1248, height: 832 },
      { width: 832, height: 1248 },
      { width: 1280, height: 800 },
      { width: 800, height: 1280 },
      { width: 2048, height: 2048 },
    ],
    seed: true,
    qualities: ['medium', 'low', 'high'],
    referenceImagesMax: 4,
    usualSeconds: 20,
  },
]

export const ROUTER_WIRE: Readonly<Record<string, RouterWire>> = {
  'comfy-router/flux-2-pro': {
    routerId: 'bfl/flux-2-pro',
    inputOf: ({ prompt, settings, referenceImages }) => ({
      prompt,
      width: settings.width,
      height: settings.height,
      output_format: 'png',
      // What was typed is what is drawn.
      prompt_upsampling: false,
      ...seedIn(settings),
      ...Object.fromEntries(
        referenceImages.map(({ bytes }, index) => [
          index === 0 ? 'input_image' : `input_image_${index + 1}`,
          bytes.toString('base64'),
        ]),
      ),
    }),
    read: readBfl,
    // Where Comfy's copy of the image fails, its maker's address stays, for ten minutes.
    resultForMs: 10 * 60_000,
  },
  'comfy-router/gpt-image-2': {
    routerId: 'openai/gpt-image-2',
    inputOf: ({ prompt, settings }) => ({
      prompt,
      n: 1,
      size: pixels(settings),
      output_format: 'png',
      quality: settings.quality ?? 'medium',
    }),
    read: readOpenAi,
    resultForMs: undefined,
  },
  'comfy-router/nano-banana-2': {
    routerId: 'vertexai/gemini-3.1-flash-image',
    inputOf: ({ prompt, settings, referenceImages }) => ({
      contents: [
        {
          role: 'user',
          parts: [
            { text: prompt },
            ...referenceImages.map(({ contentType, bytes }) => ({
              inlineData: { mimeType: contentType, data: bytes.toString('base64') },
            })),
          ],
        },
      ],
      generationConfig: {
        responseModalities: ['IMAGE'],
        imageConfig: { aspectRatio: ratioOf(settings), imageSize: '1K' },
      },
    }),
    read: readGemini,
    resultForMs: undefined,
  },
  'comfy-router/ideogram-4.5': {
    routerId: 'ideogram/ideogram-4-5',
    inputOf: ({ prompt, settings, referenceImages }) => ({
      prompt,
      num_images: 1,
      size: pixels(settings),
      quality: settings.quality ?? 'medium',
      ...seedIn(settings, IDEOGRAM_SEED_MAX),
      ...(referenceImages.length === 0 ? {} : { images: referenceImages.map(dataUrlOf) }),
    }),
    read: readIdeogram,
    resultForMs: undefined,
  },
}

const pixels = ({ width, height }: Size) => `${width}x${height}`

const seedIn = ({ seed }: SubmitRequest['settings'], max = Number.MAX_SAFE_INTEGER) =>
  seed === undefined ? {} : { seed: seedWithin(seed, max) }

function ratioOf(size: Size): string {
  const shape = NANO_BANANA_SHAPES.find(
    ({ width, height }) => width === size.width && height === size.height,
  )
  return shape?.ratio ?? '1:1'
}
