import { z } from 'zod'
import { createPublishedKeys } from '@/lib/providers/jwks'
import { baseUrl, key } from '@/lib/providers/provider-env'
import { defineProvider } from '@/lib/providers/provider-kind'
import { falModels } from './models'
import { createFalProvider } from './provider'
import { createFalVerifier } from './verifier'

const BASE_URL = 'https://queue.fal.run'
const JWKS_PATH = '/.well-known/jwks.json'

export const fal = defineProvider({
  name: 'fal',
  title: 'fal',
  environment: z.object({
    FAL_KEY: key,
    FAL_BASE_URL: baseUrl(BASE_URL),
    /** Where the keys are that callbacks are signed with. */
    FAL_JWKS_URL: z
      .url({ protocol: /^https?$/, error: 'expected an http:// or https:// address' })
      .optional(),
  }),
  keys: ['FAL_KEY'],
  isConfigured: (env) => env.FAL_KEY !== undefined,
  models: () => falModels.map(({ facts }) => facts),
  create: (env, now) =>
    createFalProvider({ key: env.FAL_KEY ?? '', baseUrl: env.FAL_BASE_URL, now }),
  verifier: (env) => createFalVerifier(createPublishedKeys(env.FAL_JWKS_URL ?? jwksUrl(env))),
})

/** fal has another host for them; whoever stands in for fal has them beside the queue. */
function jwksUrl(env: { readonly FAL_BASE_URL: string }): string {
  return env.FAL_BASE_URL === BASE_URL
    ? `https://rest.fal.ai${JWKS_PATH}`
    : `${env.FAL_BASE_URL}${JWKS_PATH}`
}
