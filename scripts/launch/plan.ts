import { EnvironmentError, parseEnvironment, type Environment } from '@/lib/env'

export type Mode = 'production' | 'development'

/** What the caller's environment asks for, before anything is started. */
export type Plan = {
  readonly mode: Mode
  /** Validated; what it leaves to the embedded default is filled with stand-ins. */
  readonly environment: Environment
  /** Given by the caller; otherwise PostgreSQL is started here. */
  readonly database: { readonly url: string; readonly ownerUrl: string } | undefined
  readonly simulator:
    | { readonly kind: 'off' }
    | { readonly kind: 'elsewhere'; readonly url: string }
    // Started here; at this port, or at any.
    | { readonly kind: 'ours'; readonly port: number | undefined }
  /** An operator's own database gets no accounts that nobody asked for. */
  readonly seedsDemoAccounts: boolean
}

const STAND_IN_URL = 'postgresql://embedded'
const STAND_IN_SECRET = 'made-at-the-first-start-of-the-data-folder'

/** Throws `EnvironmentError`. */
export function planLaunch(source: NodeJS.ProcessEnv, mode: Mode): Plan {
  const url = given(source['DATABASE_URL'])
  const environment = parseEnvironment({
    ...source,
    NODE_ENV: mode,
    DATABASE_URL: url ?? STAND_IN_URL,
    AUTH_SECRET: given(source['AUTH_SECRET']) ?? STAND_IN_SECRET,
  })
  const ownerUrl = given(source['DATABASE_OWNER_URL'])
  if (ownerUrl !== undefined && !/^postgres(ql)?:\/\//.test(ownerUrl)) {
    throw new EnvironmentError('DATABASE_OWNER_URL: expected a postgresql:// address')
  }
  return {
    mode,
    environment,
    database: url === undefined ? undefined : { url, ownerUrl: ownerUrl ?? url },
    simulator: planSimulator(environment, given(source['SIMULATOR_URL'])),
    seedsDemoAccounts: url === undefined || source.NODE_ENV !== 'production',
  }
}

function planSimulator({ SIMULATOR }: Environment, url: string | undefined): Plan['simulator'] {
  if (SIMULATOR === 'off') return { kind: 'off' }
  if (url === undefined) return { kind: 'ours', port: undefined }
  const { hostname, port, protocol } = new URL(url)
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  if (!isHere) return { kind: 'elsewhere', url }
  return { kind: 'ours', port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }
}

/** An empty variable counts as absent. */
export const given = (value: string | undefined): string | undefined =>
  value === '' ? undefined : value
