import { z } from 'zod'
import { invariant } from '@/lib/domain/invariant'
import { baseUrl, key } from '@/lib/providers/provider-env'
import { defineProvider } from '@/lib/providers/provider-kind'
import { openAiModelFacts } from './models'
import { createOpenAiProvider } from './provider'
import { createOpenAiVerifier } from './verifier'

export const openAi = defineProvider({
  name: 'openai',
  title: 'OpenAI',
  environment: z.object({
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: baseUrl('https://api.openai.com/v1'),
    /** Of the project's webhook. Without it a lost answer of a background model cannot be found. */
    OPENAI_WEBHOOK_SECRET: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/, 'expected whsec_ and a secret in base64')
      .optional(),
    /** The text model that hands prompts to the image tool of the background models. */
    OPENAI_RESPONSES_MODEL: z
      .string()
      .regex(/^[a-z0-9._-]{1,80}$/, 'expected the name of a model')
      .default('gpt-5.6-luna'),
  }),
  keys: ['OPENAI_API_KEY'],
  isConfigured: (env) => env.OPENAI_API_KEY !== undefined,
  models: () => openAiModelFacts,
  create: (env, now) => {
    invariant(env.OPENAI_API_KEY !== undefined, 'OpenAI is spoken to only with a key')
    return createOpenAiProvider({
      baseUrl: env.OPENAI_BASE_URL,
      apiKey: env.OPENAI_API_KEY,
      responsesModel: env.OPENAI_RESPONSES_MODEL,
      hasWebhook: env.OPENAI_WEBHOOK_SECRET !== undefined,
      now,
    })
  },
  verifier: (env) =>
    env.OPENAI_WEBHOOK_SECRET === undefined
      ? undefined
      : createOpenAiVerifier(env.OPENAI_WEBHOOK_SECRET),
})
