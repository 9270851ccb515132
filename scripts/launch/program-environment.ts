import { given } from './plan'

/** What next-auth reads under names of its own. */
export function withNames(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { APP_URL, AUTH_SECRET = '', PORT } = env
  const url = given(APP_URL) ?? `http://localhost:${given(PORT) ?? 3000}`
  return { ...env, NEXTAUTH_URL: url, NEXTAUTH_SECRET: AUTH_SECRET, NEXT_TELEMETRY_DISABLED: '1' }
}
