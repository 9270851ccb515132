import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  ModelId,
  Prompt,
  Settings,
  type Generation,
  type GenerationRequest,
} from '@/lib/domain/generation'
import { fingerprintOf } from '@/lib/domain/fingerprint'
import { RequestId } from '@/lib/domain/ids'
import type { Model } from '@/lib/domain/model'
import { PROMPT_CODE_POINTS_MAX } from '@/lib/domain/prompt'
import { defaultSizeOf } from './model-schema'

const { width, height, seed, negativePrompt, quality, referenceImages } = Settings.shape

/** What a program sends to start an attempt: the settings are members like model and prompt. */
export const NewAttempt = z.strictObject({
  model: ModelId.meta({ description: 'The id of a model that `GET /api/v1/models` lists.' }),
  prompt: Prompt.meta({
    // What the check refuses by name, as far as JSON Schema can say it.
    minLength: 1,
    maxLength: PROMPT_CODE_POINTS_MAX,
    description:
      'Kept and sent exactly as it is. Not only white space, no U+0000, no lone surrogates.',
  }),
  width: width
    .optional()
    .meta({ description: 'In pixels. Default: that of the model’s first size.' }),
  height: height
    .optional()
    .meta({ description: 'In pixels. Default: that of the model’s first size.' }),
  seed: seed
    .optional()
    .meta({ description: 'Default, where the model takes one: derived from the Idempotency-Key.' }),
  negativePrompt: negativePrompt
    .optional()
    .meta({ description: 'What should not be in the picture, where the model takes it.' }),
  referenceImages: referenceImages
    .optional()
    .meta({ description: 'SHA-256 of images that were uploaded, where the model takes them.' }),
  quality: quality.optional().meta({ description: 'Default: the first that the model offers.' }),
})
export type NewAttempt = Readonly<z.infer<typeof NewAttempt>>

/** The request id as it is kept, whatever the case in which it was written. */
export function parseIdempotencyKey(header: string | null): RequestId | undefined {
  return RequestId.safeParse(header?.trim().toLowerCase()).data
}

/**
 * The exact input of the attempt. What the program left out is filled from the model and from the
 * request id alone, so that the same call, sent again, is the same attempt with the same fingerprint.
 */
export function generationRequestOf(
  input: NewAttempt,
  requestId: RequestId,
  model: Model,
): GenerationRequest {
  const defaultSize = defaultSizeOf(model)
  const seed = input.seed ?? (model.seed ? seedOf(requestId) : undefined)
  const quality = input.quality ?? model.qualities[0]
  return {
    requestId,
    model: input.model,
    prompt: input.prompt,
    settings: {
      width: input.width ?? defaultSize.width,
      height: input.height ?? defaultSize.height,
      ...(seed === undefined ? {} : { seed }),
      ...(quality === undefined ? {} : { quality }),
      ...(input.referenceImages === undefined ? {} : { referenceImages: input.referenceImages }),
      ...(input.negativePrompt === undefined ? {} : { negativePrompt: input.negativePrompt }),
    },
  }
}

/**
 * Whether a call asks for what was asked for before. What it leaves out is what was filled in then,
 * whatever the model's defaults are now.
 */
export function asksForTheSame(
  { model, prompt, ...given }: NewAttempt,
  stored: Generation,
): boolean {
  const settings = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  )
  const now = { model, prompt, settings: { ...stored.settings, ...settings } }
  return fingerprintOf(now).equals(fingerprintOf(stored))
}

function seedOf(requestId: RequestId): number {
  return createHash('sha256').update(`seed:${requestId}`).digest().readUInt32BE(0)
}
