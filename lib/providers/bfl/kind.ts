import { z } from 'zod'
import { baseUrl, key } from '@/lib/providers/provider-env'
import { defineProvider } from '@/lib/providers/provider-kind'
import { bflModels } from './models'
import { createBflProvider } from './provider'
import { regionsBeside } from './task-address'
import { bflVerifier } from './verifier'

export const bfl = defineProvider({
  name: 'bfl',
  title: 'Black Forest Labs',
  environment: z.object({
    BFL_API_KEY: key,
    BFL_BASE_URL: baseUrl('https://api.bfl.ai'),
  }),
  keys: ['BFL_API_KEY'],
  isConfigured: (env) => env.BFL_API_KEY !== undefined,
  models: () => bflModels.map(({ facts }) => facts),
  create: (env, now) =>
    createBflProvider({
      key: env.BFL_API_KEY ?? '',
      baseUrl: env.BFL_BASE_URL,
      regions: regionsBeside(env.BFL_BASE_URL),
      now,
    }),
  verifier: () => bflVerifier,
})
