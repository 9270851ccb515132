import type { z } from 'zod'
import type { ModelFacts } from '@/lib/domain/model'
import type { CallbackVerifier, Provider } from '@/lib/domain/provider'

type Definition<Schema extends z.ZodObject> = {
  /** The first part of its models' ids, and its name in addresses. */
  readonly name: string
  /** As its makers write it. */
  readonly title: string
  /** The environment variables that configure it. */
  readonly environment: Schema
  /** Those of them that only the worker may hold. */
  readonly keys: readonly (keyof Schema['shape'] & string)[]
  readonly isConfigured: (env: z.infer<Schema>) => boolean
  readonly models: (env: z.infer<Schema>) => readonly ModelFacts[]
  readonly create: (env: z.infer<Schema>, now: () => Date) => Provider
  /** Must not need `keys`: it runs in the web server. */
  readonly verifier?: (env: z.infer<Schema>) => CallbackVerifier | undefined
}

export type ProviderKind = {
  readonly name: string
  readonly title: string
  readonly variables: readonly string[]
  readonly keys: readonly string[]
  readonly environment: z.ZodObject
  /** Throws `ZodError`. */
  readonly open: (source: Readonly<Record<string, string | undefined>>) => OpenedProvider
}

export type OpenedProvider = {
  readonly isConfigured: boolean
  readonly models: () => readonly ModelFacts[]
  readonly create: (now: () => Date) => Provider
  readonly verifier: () => CallbackVerifier | undefined
}

/** Binds a provider's parts to its own environment, so that nothing else needs to know of it. */
export function defineProvider<Schema extends z.ZodObject>(
  definition: Definition<Schema>,
): ProviderKind {
  return {
    name: definition.name,
    title: definition.title,
    variables: Object.keys(definition.environment.shape),
    keys: definition.keys,
    environment: definition.environment,
    open: (source) => {
      const env = definition.environment.parse(source)
      return {
        isConfigured: definition.isConfigured(env),
        models: () => definition.models(env),
        create: (now) => definition.create(env, now),
        verifier: () => definition.verifier?.(env),
      }
    },
  }
}
