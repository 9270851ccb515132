import type { Provider } from '@/lib/domain/provider'
import type { Environment } from '@/lib/env'
import { createSimulatorProvider } from './simulator/simulator-provider'

/** The providers that are configured here, by name. Adding one is a folder and a line. */
export function createProviders(env: Environment): ReadonlyMap<string, Provider> {
  const providers: Provider[] = []
  if (env.SIMULATOR === 'on') {
    providers.push(createSimulatorProvider({ baseUrl: env.SIMULATOR_URL, now: () => new Date() }))
  }
  return new Map(providers.map((provider) => [provider.name, provider]))
}
