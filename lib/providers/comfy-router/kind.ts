import { z } from 'zod'
import { baseUrl, key } from '@/lib/providers/provider-env'
import { defineProvider } from '@/lib/providers/provider-kind'
import { comfyRouterModelFacts } from './models'
import { createComfyRouterProvider } from './provider'

export const comfyRouter = defineProvider({
  name: 'comfy-router',
  title: 'Comfy Router',
  environment: z.object({
    COMFY_ROUTER_API_KEY: key,
    COMFY_ROUTER_BASE_URL: baseUrl('https://api.comfy.org'),
  }),
  keys: ['COMFY_ROUTER_API_KEY'],
  isConfigured: (env) => env.COMFY_ROUTER_API_KEY !== undefined,
  models: () => comfyRouterModelFacts,
  create: (env, now) =>
    createComfyRouterProvider({
      baseUrl: env.COMFY_ROUTER_BASE_URL,
      apiKey: env.COMFY_ROUTER_API_KEY ?? '',
      now,
    }),
})
