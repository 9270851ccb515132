import { z } from 'zod'
import { invariant } from '@/lib/domain/invariant'
import { key } from '@/lib/providers/provider-env'
import { defineProvider } from '@/lib/providers/provider-kind'
import { compatibleModelFacts, compatibleModelId } from './models'
import { createCompatibleProvider } from './provider'

const MODELS = 'expected names of models, separated by commas, whose ids differ'

const models = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  .refine(
    (names) =>
      names.length > 0 &&
      names.every((name) => name.length <= 200) &&
      new Set(names.map(compatibleModelId)).size === names.length,
    MODELS,
  )

export const compatible = defineProvider({
  name: 'compatible',
  title: 'OpenAI-compatible',
  environment: z
    .object({
      /** Before `/images/generations`. */
      COMPATIBLE_BASE_URL: z
        .url({ protocol: /^https?$/, error: 'expected an http:// or https:// address' })
        .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
        .optional(),
      COMPATIBLE_API_KEY: key,
      COMPATIBLE_MODELS: models.optional(),
      /** What people read of who serves them. */
      COMPATIBLE_NAME: z.string().trim().min(1).max(60).default('an OpenAI-compatible server'),
    })
    .refine(
      (env) => (env.COMPATIBLE_BASE_URL === undefined) === (env.COMPATIBLE_MODELS === undefined),
      {
        path: ['COMPATIBLE_MODELS'],
        error: 'expected together with COMPATIBLE_BASE_URL, or neither',
      },
    ),
  keys: ['COMPATIBLE_API_KEY'],
  isConfigured: (env) => env.COMPATIBLE_BASE_URL !== undefined,
  models: (env) => compatibleModelFacts(env.COMPATIBLE_MODELS ?? [], env.COMPATIBLE_NAME),
  create: (env, now) => {
    invariant(env.COMPATIBLE_BASE_URL !== undefined, 'the server is spoken to at its address')
    return createCompatibleProvider({
      baseUrl: env.COMPATIBLE_BASE_URL,
      apiKey: env.COMPATIBLE_API_KEY,
      models: env.COMPATIBLE_MODELS ?? [],
      now,
    })
  },
})
