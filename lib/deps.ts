import { readFileSync } from 'node:fs'
import { v7 as newUuid } from 'uuid'
import type { z } from 'zod'
import { hashPassword, verifyPassword } from '@/lib/auth/password'
import { createDatabase } from '@/lib/db/database'
import { readProviderBlocks } from '@/lib/db/provider-store'
import { createThrottle, noThrottle, type Throttle } from '@/lib/db/throttle'
import type { Model } from '@/lib/domain/model'
import { Packs } from '@/lib/domain/pack'
import type { CallbackVerifier } from '@/lib/domain/provider'
import type { Payments } from '@/lib/domain/purchase'
import { environment, EnvironmentError, type Environment } from '@/lib/env'
import { createLogger } from '@/lib/logger'
import { standardPacks } from '@/lib/payments/standard-packs'
import { createStripePayments } from '@/lib/payments/stripe-payments'
import { parseJson } from '@/lib/providers/parse-json'
import { priceModels, Prices } from '@/lib/providers/prices'
import { chooseImageStore, openImageStores } from '@/lib/storage/open-image-stores'
import type { S3Settings } from '@/lib/storage/s3-image-store'
import { openTrace } from '@/lib/trace/open-trace'
import { tracedImages } from '@/lib/trace/traced-images'
import type { Deps } from '@/lib/use-cases/deps'
import type { Passwords } from '@/lib/use-cases/own-identity'

/** What signing in needs besides. */
export type AppDeps = Deps &
  Passwords & {
    readonly throttle: Throttle
    /** Each that is known, whichever is in use. */
    readonly imageStores: ReturnType<typeof openImageStores>
  }

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
    isPooled: env.DATABASE_POOLED === '1',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  const stores = openImageStores({ dataDir: env.DATA_DIR, s3: s3Of(env) })
  return {
    db,
    readBlocks: keptFor(BLOCKS_FRESH_MS, () => readProviderBlocks(db)),
    images: tracedImages(
      chooseImageStore(stores, { store: env.IMAGE_STORE, before: env.IMAGE_STORE_BEFORE }),
      trace,
    ),
    imageStores: stores,
    models: offeredModels(env),
    signupCredits: env.SIGNUP_CREDITS,
    approvalAbove: env.APPROVAL_ABOVE,
    dailyAllowance: env.DAILY_ALLOWANCE,
    callbackSecret: env.AUTH_SECRET,
    payments: paymentsOf(env),
    newId: newUuid,
    log,
    trace,
    hashPassword,
    verifyPassword,
    throttle: env.RATE_LIMIT === 'off' ? noThrottle : createThrottle(db, env.AUTH_SECRET),
  }
}

function s3Of(env: Environment): S3Settings | undefined {
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env
  if (S3_BUCKET === undefined) return undefined
  return {
    bucket: S3_BUCKET,
    region: env.S3_REGION,
    endpoint: env.S3_ENDPOINT,
    credentials:
      S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined
        ? undefined
        : { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    isPathStyle: env.S3_FORCE_PATH_STYLE === '1',
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
  return priceModels(
    facts,
    PRICES_FILE === undefined ? {} : readJsonFile('PRICES_FILE', PRICES_FILE, Prices),
  )
}

/** How credits are sold; undefined where they are not. Throws `EnvironmentError`. */
export function paymentsOf(env: Environment): Payments | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, CREDIT_PACKS } = env
  const packs =
    CREDIT_PACKS === undefined ? standardPacks : readJsonFile('CREDIT_PACKS', CREDIT_PACKS, Packs)
  if (secretKey === undefined || webhookSecret === undefined) return undefined
  const { STRIPE_API_URL: apiUrl, APP_URL: appUrl } = env
  return createStripePayments({ secretKey, webhookSecret, apiUrl, appUrl, packs })
}

/** What a file of the operator's says, or an error that names variable, file and field. */
function readJsonFile<Shape extends z.ZodType>(
  variable: string,
  file: string,
  shape: Shape,
): z.infer<Shape> {
  const fail = (what: string) => new EnvironmentError(`${variable}: ${file}: ${what}`)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw fail(error instanceof Error ? error.message : 'cannot be read')
  }
  const read = shape.safeParse(parseJson(text))
  if (read.success) return read.data
  throw fail(read.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '))
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
