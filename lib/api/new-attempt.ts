import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  ModelId,
  Prompt,
  PROMPT_CODE_POINTS_MAX,
  Settings,
  type GenerationRequest,
} from '@/lib/domain/generation'
import { RequestId } from '@/lib/domain/ids'
import type { Model } from '@/lib/domain/model'
import { defaultSizeOf } from './model-schema'

const { width, height, seed } = Settings.shape

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
  seed: seed.optional().meta({ description: 'Default: derived from the Idempotency-Key.' }),
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
  return {
    requestId,
    model: input.model,
    prompt: input.prompt,
    settings: {
      width: input.width ?? defaultSize.width,
      height: input.height ?? defaultSize.height,
      seed: input.seed ?? seedOf(requestId),
    },
  }
}

function seedOf(requestId: RequestId): number {
  return createHash('sha256').update(`seed:${requestId}`).digest().readUInt32BE(0)
}
