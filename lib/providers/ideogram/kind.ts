import { z } from 'zod'
import { baseUrl, key } from '@/lib/providers/provider-env'
import { defineProvider } from '@/lib/providers/provider-kind'
import { ideogramModelFacts } from './models'
import { createIdeogramProvider } from './provider'
import { createIdeogramVerifier } from './verifier'

export const ideogram = defineProvider({
  name: 'ideogram',
  title: 'Ideogram',
  environment: z.object({
    IDEOGRAM_API_KEY: key,
    IDEOGRAM_BASE_URL: baseUrl('https://api.ideogram.ai'),
  }),
  keys: ['IDEOGRAM_API_KEY'],
  isConfigured: (env) => env.IDEOGRAM_API_KEY !== undefined,
  models: () => ideogramModelFacts,
  create: (env, now) =>
    createIdeogramProvider({
      baseUrl: env.IDEOGRAM_BASE_URL,
      apiKey: env.IDEOGRAM_API_KEY ?? '',
      now,
    }),
  verifier: (env) => createIdeogramVerifier(env.IDEOGRAM_BASE_URL),
})
