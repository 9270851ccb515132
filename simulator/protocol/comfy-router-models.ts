import { z } from 'zod'
import type { PictureRequest, Task } from '@/simulator/task-store'
import type { ProtocolDeps } from './protocol'
import { resultBytes, resultUrl } from './results'

// Each model has input and output of its own: https://docs.comfy.org/development/comfy-router/models

type Picture = Pick<PictureRequest, 'prompt' | 'width' | 'height' | 'seed'>
type Model = {
  readonly input: z.ZodType<Picture>
  readonly output: (deps: ProtocolDeps, task: Task) => Promise<object>
}

const size = z
  .string()
  .regex(/^\d{3,4}x\d{3,4}$/)
  .transform((text) => text.split('x').map(Number))
  .pipe(z.tuple([z.int(), z.int()]))
const base64 = z.base64().min(1)
const side = z.int().min(256).max(2_048).multipleOf(16)
const SQUARE = [1_024, 1_024] as const

const flux: Model = {
  input: z
    .strictObject({
      prompt: z.string(),
      width: side.default(1_024),
      height: side.default(1_024),
      output_format: z.enum(['jpeg', 'png']).optional(),
      prompt_upsampling: z.boolean().optional(),
      safety_tolerance: z.int().min(0).max(5).optional(),
      seed: z.int().optional(),
      input_image: base64.optional(),
      input_image_2: base64.optional(),
      input_image_3: base64.optional(),
      input_image_4: base64.optional(),
    })
    .transform(({ prompt, width, height, seed }) => ({ prompt, width, height, seed: seed ?? 0 })),
  output: (deps, task) =>
    Promise.resolve({
      id: task.id,
      status: 'Ready',
      progress: null,
      cost: null,
      result: {
        sample: resultUrl(deps, task),
        prompt: task.request.prompt,
        seed: task.request.seed,
      },
    }),
}

const gptImage: Model = {
  input: z
    .strictObject({
      prompt: z.string(),
      n: z.literal(1).optional(),
      size: size.optional(),
      quality: z.enum(['low', 'medium', 'high']).optional(),
      output_format: z.enum(['png', 'webp', 'jpeg']).optional(),
      background: z.enum(['transparent', 'opaque']).optional(),
      moderation: z.enum(['low', 'auto']).optional(),
    })
    .transform(({ prompt, size: [width, height] = SQUARE }) => ({
      prompt,
      width,
      height,
      seed: 0,
    })),
  output: async (deps, task) => ({
    created: Math.floor((task.finished_at ?? 0) / 1_000),
    data: [{ b64_json: Buffer.from(await resultBytes(deps, task)).toString('base64') }],
    usage: { input_tokens: 12, output_tokens: 1_056, total_tokens: 1_068 },
  }),
}

const Part = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ inlineData: z.strictObject({ mimeType: z.string(), data: base64 }) }),
])
const nanoBanana: Model = {
  input: z
    .strictObject({
      contents: z.tuple([
        z.strictObject({ role: z.enum(['user', 'model']).optional(), parts: z.array(Part).min(1) }),
      ]),
      generationConfig: z
        .strictObject({
          responseModalities: z.array(z.enum(['TEXT', 'IMAGE'])),
          imageConfig: z.strictObject({
            aspectRatio: z.string().regex(/^\d{1,2}:\d{1,2}$/),
            imageSize: z.enum(['1K', '2K', '4K']).optional(),
          }),
        })
        .optional(),
    })
    .transform(({ contents: [{ parts }] }) => ({
      prompt: parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n'),
      width: 1_024,
      height: 1_024,
      seed: 0,
    })),
  output: async (deps, task) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: 'Here it is.' },
            {
              inlineData: {
                mimeType: 'image/png',
                data: Buffer.from(await resultBytes(deps, task)).toString('base64'),
              },
            },
          ],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 1_290, totalTokenCount: 1_302 },
  }),
}

const ideogram: Model = {
  input: z
    .strictObject({
      prompt: z.string().min(1).max(10_000),
      num_images: z.literal(1).optional(),
      size: size.optional(),
      quality: z.enum(['low', 'medium', 'high']).optional(),
      magic_prompt: z.enum(['auto', 'on', 'off']).optional(),
      seed: z
        .int()
        .min(0)
        .max(2 ** 31 - 1)
        .optional(),
      images: z
        .array(z.string().regex(/^data:image\/(png|webp|jpeg);base64,/))
        .max(5)
        .optional(),
    })
    .transform(({ prompt, seed, size: [width, height] = SQUARE }) => ({
      prompt,
      width,
      height,
      seed: seed ?? 0,
    })),
  output: (deps, task) =>
    Promise.resolve({
      generation_id: task.id,
      seed: task.request.seed,
      data: [
        {
          url: resultUrl(deps, task),
          prompt: task.request.prompt,
          resolution: `${task.request.width}x${task.request.height}`,
          seed: task.request.seed,
          is_image_safe: true,
        },
      ],
    }),
}

export const routerModels: Readonly<Record<string, Model>> = {
  'bfl/flux-2-pro': flux,
  'openai/gpt-image-2': gptImage,
  'vertexai/gemini-3.1-flash-image': nanoBanana,
  'ideogram/ideogram-4-5': ideogram,
}
