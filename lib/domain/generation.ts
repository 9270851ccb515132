import { z } from 'zod'
import { RequestId } from './ids'
import { REFERENCE_IMAGES_MAX } from './model'
import {
  NEGATIVE_PROMPT_CODE_POINTS_MAX,
  PROMPT_CODE_POINTS_MAX,
  promptProblem,
  promptProblemWords,
} from './prompt'
import { SEED_MAX } from './seed'

const SIDE_PX_MIN = 256
const SIDE_PX_MAX = 2_048

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

const CREDITS_MAX = 1_000_000

/** A generation with the id that the client made for it before anything was sent. */
export const GenerationRequest = z.strictObject({
  requestId: RequestId,
  /** What its person was told that it takes at most, in credits. Shapes no picture, so it is in no fingerprint. */
  quotedCredits: z
    .int({ error: 'quotedCredits: expected a whole number of credits' })
    .min(0, 'quotedCredits: expected 0 or more')
    .max(CREDITS_MAX, `quotedCredits: expected at most ${CREDITS_MAX}`)
    .exactOptional(),
  ...Generation.shape,
})
export type GenerationRequest = Readonly<z.infer<typeof GenerationRequest>>
