import { z } from 'zod'
import { invariant } from '@/lib/domain/invariant'
import { baseUrl, key } from '@/lib/providers/provider-env'
import { defineProvider } from '@/lib/providers/provider-kind'
import { stabilityModelFacts } from './models'
import { createStabilityProvider } from './provider'

export const stability = defineProvider({
  name: 'stability',
  title: 'Stability AI',
  environment: z.object({
    STABILITY_API_KEY: key,
    STABILITY_BASE_URL: baseUrl('https://api.stability.ai'),
  }),
  keys: ['STABILITY_API_KEY'],
  isConfigured: (env) => env.STABILITY_API_KEY !== undefined,
  models: () => stabilityModelFacts,
  create: (env, now) => {
    invariant(env.STABILITY_API_KEY !== undefined, 'Stability is spoken to only with a key')
    return createStabilityProvider({
      baseUrl: env.STABILITY_BASE_URL,
      apiKey: env.STABILITY_API_KEY,
      now,
    })
  },
})
