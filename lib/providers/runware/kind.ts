import { z } from 'zod'
import { baseUrl, key } from '@/lib/providers/provider-env'
import { defineProvider } from '@/lib/providers/provider-kind'
import { runwareModelFacts } from './models'
import { createRunwareProvider } from './provider'
import { createRunwareVerifier } from './verifier'

export const runware = defineProvider({
  name: 'runware',
  title: 'Runware',
  environment: z.object({
    RUNWARE_API_KEY: key,
    RUNWARE_BASE_URL: baseUrl('https://api.runware.ai/v1'),
  }),
  keys: ['RUNWARE_API_KEY'],
  isConfigured: (env) => env.RUNWARE_API_KEY !== undefined,
  models: () => runwareModelFacts,
  create: (env, now) =>
    createRunwareProvider({
      baseUrl: env.RUNWARE_BASE_URL,
      apiKey: env.RUNWARE_API_KEY ?? '',
      now,
    }),
  verifier: () => createRunwareVerifier(),
})
