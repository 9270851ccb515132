import { z } from 'zod'
import { RequestId } from './ids'

// Above what people type and below what any offered model refuses.
export const PROMPT_CODE_POINTS_MAX = 4_000
const SIDE_PX_MIN = 256
const SIDE_PX_MAX = 2_048
const SEED_MAX = 2 ** 32 - 1
export const NEGATIVE_PROMPT_CODE_POINTS_MAX = 2_000
export const REFERENCE_IMAGES_MAX = 4

/** Length as people count it: an emoji outside the basic plane is one, not two. */
export function codePointCount(text: string): number {
  return Array.from(text).length
}

export type PromptProblem = 'empty' | 'too-long' | 'nul-character' | 'lone-surrogate'

/**
 * Says why a prompt cannot be kept exactly as typed, or undefined when it can. A prompt is never
 * trimmed, normalised or cut: what is stored and sent is what was typed.
 */
export function promptProblem(prompt: string, codePointsMax: number): PromptProblem | undefined {
  if (prompt.trim() === '') return 'empty'
  if (prompt.includes('\u0000')) return 'nul-character'
  if (!prompt.isWellFormed()) return 'lone-surrogate'
  // A string has at most as many code points as code units, so the cheap test comes first.
  if (prompt.length > codePointsMax && codePointCount(prompt) > codePointsMax) return 'too-long'
  return undefined
}

export const promptProblemWords: Record<PromptProblem, string> = {
  empty: 'Write a prompt first.',
  'too-long': `The prompt is too long: at most ${PROMPT_CODE_POINTS_MAX.toLocaleString('en')} characters.`,
  'nul-character': 'The prompt contains a NUL character (U+0000), which cannot be kept. Remove it.',
  'lone-surrogate':
    'The prompt contains half of a character (a lone surrogate), which cannot be kept. Remove it.',
}

const side = (name: string) =>
  z
    .int({ error: `${name}: expected a whole number of pixels` })
    .min(SIDE_PX_MIN, `${name}: expected at least ${SIDE_PX_MIN} pixels`)
    .max(SIDE_PX_MAX, `${name}: expected at most ${SIDE_PX_MAX} pixels`)

export const Seed = z
  .int({ error: 'seed: expected a whole number' })
  .min(0, 'seed: expected 0 or more')
  .max(SEED_MAX, `seed: expected at most ${SEED_MAX}`)

/** Everything besides model and prompt that shapes the result. What a model does not offer is absent. */
export const Settings = z.strictObject({
  width: side('width'),
  height: side('height'),
  seed: Seed.exactOptional(),
  negativePrompt: z
    .string({ error: 'negativePrompt: expected text' })
    .refine((text) => promptProblem(text, NEGATIVE_PROMPT_CODE_POINTS_MAX) === undefined, {
      error: `negativePrompt: expected 1 to ${NEGATIVE_PROMPT_CODE_POINTS_MAX} characters, without U+0000 and lone surrogates`,
    })
    .exactOptional(),
  quality: z
    .string({ error: 'quality: expected one of the model’s qualities' })
    .regex(/^[a-z0-9-]{1,20}$/, 'quality: expected one of the model’s qualities')
    .exactOptional(),
  /** By content, in the order in which the model is shown them. */
  referenceImages: z
    .array(z.string().regex(/^[0-9a-f]{64}$/, 'referenceImages: expected SHA-256 in hexadecimal'))
    .min(1, 'referenceImages: expected at least one, or none at all')
    .max(REFERENCE_IMAGES_MAX, `referenceImages: expected at most ${REFERENCE_IMAGES_MAX}`)
    .exactOptional(),
})
export type Settings = Readonly<z.infer<typeof Settings>>

export const Prompt = z
  .string({ error: 'prompt: expected text' })
  .superRefine((prompt, context) => {
    const problem = promptProblem(prompt, PROMPT_CODE_POINTS_MAX)
    if (problem) {
      context.addIssue({
        code: 'custom',
        message: promptProblemWords[problem],
        params: { problem },
      })
    }
  })

export const ModelId = z
  .string({ error: 'model: expected a model id' })
  .regex(/^[a-z0-9-]{1,40}\/[a-z0-9._-]{1,80}$/, 'model: expected provider/name')

/** The exact input of one attempt: what the browser keeps, what is fingerprinted, what is sent. */
export const Generation = z.strictObject({ model: ModelId, prompt: Prompt, settings: Settings })
export type Generation = Readonly<z.infer<typeof Generation>>

/** A generation with the id that the client made for it before anything was sent. */
export const GenerationRequest = z.strictObject({
  requestId: RequestId,
  ...Generation.shape,
})
export type GenerationRequest = Readonly<z.infer<typeof GenerationRequest>>
