import { z } from 'zod'
import { invariant } from '@/lib/domain/invariant'
import { baseUrl, key } from '@/lib/providers/provider-env'
import { defineProvider } from '@/lib/providers/provider-kind'
import { geminiModelFacts } from './models'
import { createGeminiProvider } from './provider'
import { createGeminiVerifier } from './verifier'

const claim = z.string().min(1).max(500).optional()

export const gemini = defineProvider({
  name: 'gemini',
  title: 'Google Gemini',
  environment: z
    .object({
      GEMINI_API_KEY: key,
      GEMINI_BASE_URL: baseUrl('https://generativelanguage.googleapis.com'),
      /** Offers each model a second time, in the background: Google does not say whether it works. */
      GEMINI_BACKGROUND: z.enum(['on', 'off']).default('off'),
      /** What Google's callbacks must say of whom they are for and from. Without both none are taken. */
      GEMINI_WEBHOOK_AUDIENCE: claim,
      GEMINI_WEBHOOK_ISSUER: claim,
    })
    .refine(
      (env) =>
        (env.GEMINI_WEBHOOK_AUDIENCE === undefined) === (env.GEMINI_WEBHOOK_ISSUER === undefined),
      {
        path: ['GEMINI_WEBHOOK_AUDIENCE'],
        error: 'expected together with GEMINI_WEBHOOK_ISSUER, or neither',
      },
    ),
  keys: ['GEMINI_API_KEY'],
  isConfigured: (env) => env.GEMINI_API_KEY !== undefined,
  models: (env) => geminiModelFacts(env.GEMINI_BACKGROUND === 'on'),
  create: (env, now) => {
    invariant(env.GEMINI_API_KEY !== undefined, 'Gemini is spoken to only with a key')
    return createGeminiProvider({
      baseUrl: env.GEMINI_BASE_URL,
      apiKey: env.GEMINI_API_KEY,
      hasWebhook: env.GEMINI_WEBHOOK_AUDIENCE !== undefined,
      now,
    })
  },
  verifier: ({ GEMINI_BASE_URL, GEMINI_WEBHOOK_AUDIENCE, GEMINI_WEBHOOK_ISSUER }) =>
    GEMINI_WEBHOOK_AUDIENCE === undefined || GEMINI_WEBHOOK_ISSUER === undefined
      ? undefined
      : createGeminiVerifier({
          baseUrl: GEMINI_BASE_URL,
          audience: GEMINI_WEBHOOK_AUDIENCE,
          issuer: GEMINI_WEBHOOK_ISSUER,
        }),
})
