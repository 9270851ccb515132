import { z } from 'zod'
import { baseUrl } from '@/lib/providers/provider-env'
import { defineProvider } from '@/lib/providers/provider-kind'
import { simulatorModelFacts } from './models'
import { createSimulatorProvider } from './provider'
import { createSimulatorVerifier } from './verifier'

export const simulator = defineProvider({
  name: 'simulator',
  title: 'Simulator',
  environment: z.object({
    SIMULATOR: z.enum(['on', 'off']).default('on'),
    SIMULATOR_URL: baseUrl('http://127.0.0.1:3001'),
    /** Signs what the simulator calls back with. Without it its callbacks are refused. */
    SIMULATOR_WEBHOOK_SECRET: z.string().min(32, 'expected at least 32 characters').optional(),
  }),
  keys: [],
  isConfigured: (env) => env.SIMULATOR === 'on',
  models: () => simulatorModelFacts,
  create: (env, now) => createSimulatorProvider({ baseUrl: env.SIMULATOR_URL, now }),
  verifier: (env) =>
    env.SIMULATOR_WEBHOOK_SECRET === undefined
      ? undefined
      : createSimulatorVerifier(env.SIMULATOR_WEBHOOK_SECRET),
})
