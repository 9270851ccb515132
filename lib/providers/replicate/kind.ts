import { z } from 'zod'
import { baseUrl, key } from '@/lib/providers/provider-env'
import { defineProvider } from '@/lib/providers/provider-kind'
import { replicateModels } from './models'
import { createReplicateProvider } from './provider'
import { createReplicateVerifier } from './verifier'

export const replicate = defineProvider({
  name: 'replicate',
  title: 'Replicate',
  environment: z.object({
    REPLICATE_API_TOKEN: key,
    REPLICATE_BASE_URL: baseUrl('https://api.replicate.com'),
    /** From GET /v1/webhooks/default/secret. Without it callbacks are refused. */
    REPLICATE_WEBHOOK_SECRET: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/, 'expected whsec_ and base64')
      .optional(),
  }),
  keys: ['REPLICATE_API_TOKEN'],
  isConfigured: (env) => env.REPLICATE_API_TOKEN !== undefined,
  models: () => replicateModels.map(({ facts }) => facts),
  create: (env, now) =>
    createReplicateProvider({
      token: env.REPLICATE_API_TOKEN ?? '',
      baseUrl: env.REPLICATE_BASE_URL,
      verifiesCallbacks: env.REPLICATE_WEBHOOK_SECRET !== undefined,
      now,
    }),
  verifier: (env) =>
    env.REPLICATE_WEBHOOK_SECRET === undefined
      ? undefined
      : createReplicateVerifier(env.REPLICATE_WEBHOOK_SECRET),
})
