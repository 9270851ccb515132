import { z } from 'zod'

// The inputs of the official models as their schemas have them; other properties are refused.

const RATIOS = [
  '1:1',
  '16:9',
  '21:9',
  '3:2',
  '2:3',
  '4:5',
  '5:4',
  '3:4',
  '4:3',
  '9:16',
  '9:21',
] as const

const PIXELS: Record<(typeof RATIOS)[number], readonly [number, number]> = {
  '1:1': [1024, 1024],
  '16:9': [1344, 768],
  '21:9': [1536, 640],
  '3:2': [1216, 832],
  '2:3': [832, 1216],
  '4:5': [896, 1088],
  '5:4': [1088, 896],
  '3:4': [896, 1152],
  '4:3': [1152, 896],
  '9:16': [768, 1344],
  '9:21': [640, 1536],
}

const common = {
  prompt: z.string(),
  seed: z.int().optional(),
  output_format: z.enum(['webp', 'jpg', 'png']).default('webp'),
  output_quality: z.int().min(0).max(100).optional(),
}

const Open = z.strictObject({
  ...common,
  aspect_ratio: z.enum(RATIOS).default('1:1'),
  num_outputs: z.int().min(1).max(4).default(1),
  megapixels: z.enum(['1', '0.25']).optional(),
  num_inference_steps: z.int().min(1).max(50).optional(),
  go_fast: z.boolean().optional(),
  disable_safety_checker: z.boolean().optional(),
})

const side = z.int().min(256).max(1_440).multipleOf(32)
const Pro = z.strictObject({
  ...common,
  aspect_ratio: z.enum(['custom', ...RATIOS]).default('1:1'),
  width: side.optional(),
  height: side.optional(),
  safety_tolerance: z.int().min(1).max(6).optional(),
  prompt_upsampling: z.boolean().optional(),
})

type Input = z.infer<typeof Open> | z.infer<typeof Pro>

export const models: Readonly<Record<string, z.ZodType<Input> | undefined>> = {
  'black-forest-labs/flux-schnell': Open,
  'black-forest-labs/flux-dev': Open,
  'black-forest-labs/flux-1.1-pro': Pro,
}

/** Some models answer with a list of addresses, some with one. */
export const answersWithList = (model: string) => models[model] === Open

export function pictureOf(input: Input) {
  const [width, height] =
    input.aspect_ratio === 'custom'
      ? 'width' in input
        ? [input.width ?? 1_024, input.height ?? 1_024]
        : [1_024, 1_024]
      : PIXELS[input.aspect_ratio]
  return { prompt: input.prompt, width, height, seed: input.seed ?? 0 }
}
