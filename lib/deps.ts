import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { v7 as newUuid } from 'uuid'
import { hashPassword, verifyPassword } from '@/lib/auth/password'
import { createDatabase } from '@/lib/db/database'
import { readProviderBlocks } from '@/lib/db/provider-store'
import { createThrottle, noThrottle, type Throttle } from '@/lib/db/throttle'
import type { Model } from '@/lib/domain/model'
import type { CallbackVerifier } from '@/lib/domain/provider'
import { environment, EnvironmentError, type Environment } from '@/lib/env'
import { createLogger } from '@/lib/logger'
import { parseJson } from '@/lib/providers/parse-json'
import { priceModels, Prices } from '@/lib/providers/prices'
import { createFileImageStore } from '@/lib/storage/file-image-store'
import { openTrace } from '@/lib/trace/open-trace'
import { tracedImages } from '@/lib/trace/traced-images'
import type { Deps } from '@/lib/use-cases/deps'
import type { Passwords } from '@/lib/use-cases/own-identity'

/** What signing in needs besides. */
export type AppDeps = Deps & Passwords & { readonly throttle: Throttle }

// A submission must not cost a look at the database for what changes a few times a year. What slips
// through in this time is refused by the provider, and released.
const BLOCKS_FRESH_MS = 1_000

export function createDeps(env: Environment, name: string): AppDeps {
  const log = createLogger(name, env.LOG_LEVEL)
  const trace = openTrace({
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    service: `darkroom-${name}`,
    onError: (error) => log.warn({ err: error }, 'trace not exported'),
  })
  const db = createDatabase({
    url: env.DATABASE_URL,
    applicationName: `darkroom-${name}`,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  return {
    db,
    readBlocks: keptFor(BLOCKS_FRESH_MS, () => readProviderBlocks(db)),
    images: tracedImages(createFileImageStore(join(env.DATA_DIR, 'images')), trace),
    models: offeredModels(env),
    signupCredits: env.SIGNUP_CREDITS,
    approvalAbove: env.APPROVAL_ABOVE,
    dailyAllowance: env.DAILY_ALLOWANCE,
    callbackSecret: env.AUTH_SECRET,
    newId: newUuid,
    log,
    trace,
    hashPassword,
    verifyPassword,
    throttle: env.RATE_LIMIT === 'off' ? noThrottle : createThrottle(db, env.AUTH_SECRET),
  }
}

/** One answer for all who ask within the time. A failure is kept for nobody. */
function keptFor<Value>(freshMs: number, read: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly at: number; readonly value: Promise<Value> } | undefined
  return () => {
    const now = performance.now()
    if (kept && now - kept.at < freshMs) return kept.value
    const value = read()
    const reading = { at: now, value }
    kept = reading
    value.catch(() => {
      if (kept === reading) kept = undefined
    })
    return value
  }
}

/** The models of the offered providers at this operator's prices. Throws `EnvironmentError`. */
export function offeredModels({ providers, PRICES_FILE }: Environment): readonly Model[] {
  const facts = providers.filter(({ isOffered }) => isOffered).flatMap(({ models }) => models())
  return priceModels(facts, PRICES_FILE === undefined ? {} : readPrices(PRICES_FILE))
}

function readPrices(file: string): Prices {
  const fail = (what: string) => new EnvironmentError(`PRICES_FILE: ${file}: ${what}`)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw fail(error instanceof Error ? error.message : 'cannot be read')
  }
  const prices = Prices.safeParse(parseJson(text))
  if (prices.success) return prices.data
  throw fail(
    prices.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '),
  )
}

// Pages and routes are bundled apart, each with a copy of this module: what must exist once per
// process is kept where they all see it.
const shared: { darkroomDeps?: AppDeps } & typeof globalThis = globalThis

/** The web server's dependencies, made when first needed: a build needs none. */
export function deps(): AppDeps {
  shared.darkroomDeps ??= createDeps(environment(), 'web')
  return shared.darkroomDeps
}

const verifiers: { byProvider?: ReadonlyMap<string, CallbackVerifier> } = {}

/** Checks the callbacks of the providers on offer. Made once: some keep the keys that they fetched. */
export function callbackVerifiers(): ReadonlyMap<string, CallbackVerifier> {
  verifiers.byProvider ??= new Map(
    environment().providers.flatMap(({ name, isOffered, verifier }) => {
      const made = isOffered ? verifier() : undefined
      return made ? [[name, made]] : []
    }),
  )
  return verifiers.byProvider
}
