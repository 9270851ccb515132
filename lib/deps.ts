import { join } from 'node:path'
import { v7 as newUuid } from 'uuid'
import { hashPassword } from '@/lib/auth/password'
import { createDatabase } from '@/lib/db/database'
import { simulatorModels } from '@/lib/domain/model'
import { environment, type Environment } from '@/lib/env'
import { createLogger } from '@/lib/logger'
import { createFileImageStore } from '@/lib/storage/file-image-store'
import type { Deps } from '@/lib/use-cases/deps'

export type AppDeps = Deps & { readonly hashPassword: typeof hashPassword }

export function createDeps(env: Environment, name: string): AppDeps {
  const log = createLogger(name, env.LOG_LEVEL)
  return {
    db: createDatabase({
      url: env.DATABASE_URL,
      applicationName: `darkroom-${name}`,
      onError: (error) => log.warn({ err: error }, 'database connection lost'),
    }),
    images: createFileImageStore(join(env.DATA_DIR, 'images')),
    models: env.SIMULATOR === 'on' ? simulatorModels : [],
    signupCredits: env.SIGNUP_CREDITS,
    dailyAllowance: env.DAILY_ALLOWANCE,
    callbackSecret: env.AUTH_SECRET,
    newId: newUuid,
    log,
    hashPassword,
  }
}

// Pages and routes are bundled apart, each with a copy of this module: what must exist once per
// process is kept where they all see it.
const shared: { darkroomDeps?: AppDeps } & typeof globalThis = globalThis

/** The web server's dependencies, made when first needed: a build needs none. */
export function deps(): AppDeps {
  shared.darkroomDeps ??= createDeps(environment(), 'web')
  return shared.darkroomDeps
}
