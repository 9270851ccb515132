import { resolve } from 'node:path'
import { z } from 'zod'
import type { OpenedProvider } from '@/lib/providers/provider-kind'
import { providerKinds } from '@/lib/providers/registry'

const onOff = z.enum(['on', 'off'])
const httpUrl = z.url({ protocol: /^https?$/, error: 'expected an http:// or https:// address' })
const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'expected a postgresql:// address',
})
const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number({ error: `expected a whole number from ${min} to ${max}` })
    .int(`expected a whole number from ${min} to ${max}`)
    .min(min, `expected a whole number from ${min} to ${max}`)
    .max(max, `expected a whole number from ${min} to ${max}`)

/** `off`, which is the default, or a whole number. */
const numberOrOff = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) =>
        text === 'off' || (/^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max),
      `expected off, or a whole number from ${min} to ${max}`,
    )
    .default('off')
    .transform((text) => (text === 'off' ? undefined : Number(text)))

// Secrets shorter than this can be guessed off line.
const SECRET_LENGTH_MIN = 32

const secret = z
  .string(`expected at least ${SECRET_LENGTH_MIN} characters`)
  .min(SECRET_LENGTH_MIN, `expected at least ${SECRET_LENGTH_MIN} characters`)

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `off`, or a whole number of seconds, minutes, hours or days: 90s, 30m, 72h, 7d. In milliseconds. */
const durationOrOff = z
  .string()
  .regex(/^(off|[1-9]\d{0,5}[smhd])$/, 'expected off, or a time like 90s, 30m, 72h or 7d')
  .transform((text) => {
    const unit = z.enum(['s', 'm', 'h', 'd']).safeParse(text.at(-1)).data
    return text === 'off' || unit === undefined ? undefined : Number.parseInt(text) * UNIT_MS[unit]
  })

/** Each of these is of use with the others only. */
const TOGETHER = [
  ['SMTP_URL', 'MAIL_FROM'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
] as const

type ImageStores = {
  readonly IMAGE_STORE?: 'files' | 's3' | undefined
  readonly S3_BUCKET?: string | undefined
}
const imageStoreOf = ({ IMAGE_STORE, S3_BUCKET }: ImageStores) =>
  IMAGE_STORE ?? (S3_BUCKET === undefined ? 'files' : 's3')

/** A key that is sent over plain http is sent to this machine only. */
function isSafeForKeys(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

const Core = z
  .object({
    NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
    DATABASE_URL: postgresUrl,
    /** 1: the address is that of a pooler in transaction mode, such as PgBouncer. */
    DATABASE_POOLED: z.enum(['0', '1']).default('0'),
    PORT: wholeNumber(1, 65_535).default(3000),
    APP_URL: httpUrl.optional(),
    AUTH_SECRET: secret,
    DATA_DIR: z.string().min(1).default('.data'),
    /** Where images are kept: the files of DATA_DIR, or S3, which it is when there is a bucket. */
    IMAGE_STORE: z.enum(['files', 's3']).optional(),
    /** Where they were kept before and are still read from, while they are copied. */
    IMAGE_STORE_BEFORE: z.enum(['files', 's3']).optional(),
    S3_BUCKET: z.string().min(3).max(63).optional(),
    S3_ENDPOINT: httpUrl.optional(),
    S3_REGION: z.string().min(1).default('us-east-1'),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
    /** 1: the bucket is in the path, as stores of one's own want it. */
    S3_FORCE_PATH_STYLE: z.enum(['0', '1']).default('0'),
    APPROVAL_ABOVE: numberOrOff(0, 1_000_000_000),
    SIGNUP_CREDITS: wholeNumber(0, 1_000_000).default(100),
    DAILY_ALLOWANCE: wholeNumber(0, 10_000).default(5),
    GUESTS: onOff.default('on'),
    // Above what a household or an office does, below what makes new cookies worth it.
    GUEST_ADDRESS_DAILY_CAP: wholeNumber(1, 100_000).default(20),
    /** Whether tries to sign in, to sign up and to be sent mail are counted. */
    RATE_LIMIT: onOff.default('on'),
    SMTP_URL: z
      .url({ protocol: /^smtps?$/, error: 'expected an smtp:// or smtps:// address' })
      .optional(),
    MAIL_FROM: z
      .string()
      .regex(
        /^[^\r\n]*[^\s<>@]@[^\s<>@]+>?$/,
        'expected an address like Darkroom <mail@example.com>',
      )
      .optional(),
    GITHUB_CLIENT_ID: z.string().optional(),
    GITHUB_CLIENT_SECRET: z.string().optional(),
    GOOGLE_CLIENT_ID: z.string().optional(),
    GOOGLE_CLIENT_SECRET: z.string().optional(),
    /** Of any issuer that speaks OpenID Connect: what it calls itself, and what the button calls it. */
    OIDC_ISSUER: httpUrl.optional(),
    OIDC_CLIENT_ID: z.string().optional(),
    OIDC_CLIENT_SECRET: z.string().optional(),
    OIDC_NAME: z.string().min(1).max(40).default('OpenID'),
    /** For a program without providers' keys: the names of those that a worker elsewhere can use. */
    OFFERED_PROVIDERS: z
      .string()
      .regex(/^[a-z0-9-]+(,[a-z0-9-]+)*$/, 'expected names separated by commas')
      .transform((names) => names.split(','))
      .optional(),
    /** Credits by model id, as JSON, in place of the standard prices. */
    PRICES_FILE: z.string().min(1).optional(),
    /** With both, credits are sold. */
    STRIPE_SECRET_KEY: z
      .string()
      .regex(/^[sr]k_(test|live)_\w+$/, 'expected a key like sk_test_…, sk_live_… or rk_live_…')
      .optional(),
    STRIPE_WEBHOOK_SECRET: z
      .string()
      .regex(/^whsec_\S+$/, 'expected the secret of a webhook, whsec_…')
      .optional(),
    STRIPE_API_URL: httpUrl
      .refine(isSafeForKeys, 'expected an https:// address, or http:// on this machine')
      .optional(),
    /** What is sold, as JSON, in place of the standard packs. */
    CREDIT_PACKS: z.string().min(1).optional(),
    WORKER: z.enum(['embedded', 'external']).default('embedded'),
    WORKER_CONCURRENCY: wholeNumber(1, 256).default(16),
    // Above the slowest documented answer to a submission, far below LEASE_MS.
    SUBMIT_TIMEOUT_MS: wholeNumber(100, 600_000).default(20_000),
    LEASE_MS: wholeNumber(200, 900_000).default(60_000),
    COMPENSATE_UNRESOLVED_AFTER: durationOrOff.optional(),
    ALERT_UNRESOLVED_AFTER: durationOrOff.prefault('1h'),
    ALERT_HELD_CREDITS: numberOrOff(0, 1_000_000_000),
    ALERT_WEBHOOK_URL: httpUrl.optional(),
    ALERT_WEBHOOK_SECRET: secret.optional(),
    ALERT_EMAIL: z.email('expected an address like operators@example.com').max(254).optional(),
    AUDIT_EVERY: durationOrOff.prefault('6h'),
    /** Without it nothing is followed. OpenTelemetry's SDK reads its other variables itself. */
    OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
    /** Without it only this machine reads the metrics. */
    METRICS_TOKEN: secret.optional(),
    DRAIN_MS: wholeNumber(0, 600_000).default(10_000),
    ALLOW_PRIVATE_RESULT_HOSTS: z.enum(['0', '1']).default('0'),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  })
  .refine((env) => env.SUBMIT_TIMEOUT_MS < env.LEASE_MS, {
    path: ['SUBMIT_TIMEOUT_MS'],
    error: 'expected less than LEASE_MS, so that no lease ends while its request is under way',
  })
  .superRefine((env, context) => {
    if (env.ALERT_EMAIL !== undefined && env.SMTP_URL === undefined) {
      const message = 'expected too, because ALERT_EMAIL is set'
      context.addIssue({ code: 'custom', path: ['SMTP_URL'], message })
    }
    for (const name of ['IMAGE_STORE', 'IMAGE_STORE_BEFORE'] as const) {
      if (env[name] !== 's3' || env.S3_BUCKET !== undefined) continue
      const message = `expected too, because ${name} is s3`
      context.addIssue({ code: 'custom', path: ['S3_BUCKET'], message })
    }
    if (env.IMAGE_STORE_BEFORE === imageStoreOf(env)) {
      const message = 'expected the other of files and s3: images are written to this one'
      context.addIssue({ code: 'custom', path: ['IMAGE_STORE_BEFORE'], message })
    }
    for (const together of TOGETHER) {
      const isAny = together.some((name) => env[name] !== undefined)
      for (const name of together) {
        if (!isAny || env[name] !== undefined) continue
        const message = `expected too, because ${together.filter((other) => other !== name).join(' or ')} is set`
        context.addIssue({ code: 'custom', path: [name], message })
      }
    }
  })
  .transform((env) => ({
    ...env,
    APP_URL: (env.APP_URL ?? `http://localhost:${env.PORT}`).replace(/(?<!\/)\/+$/, ''),
    DATA_DIR: resolve(env.DATA_DIR),
    IMAGE_STORE: imageStoreOf(env),
  }))

type Core = Readonly<z.infer<typeof Core>>

export type Environment = Core & {
  readonly SIMULATOR: 'on' | 'off'
  readonly providers: readonly (OpenedProvider & {
    readonly name: string
    /** Whether its models are on offer here. Only a program that has its keys can use it. */
    readonly isOffered: boolean
  })[]
}

/** One line per wrong variable: its name and what is expected. Values are not repeated: some are secret. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError'
}

/** Throws `EnvironmentError`. An empty variable counts as absent, as in shells and compose files. */
export function parseEnvironment(source: Record<string, string | undefined>): Environment {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const core = Core.safeParse(present)
  const wrong = [
    ...(core.error?.issues ?? []),
    ...providerKinds.flatMap((kind) => kind.environment.safeParse(present).error?.issues ?? []),
  ]
  if (!core.success || wrong.length > 0) {
    const lines = wrong.map((issue) => {
      const name = String(issue.path[0])
      const missing = present[name] === undefined
      return `${name}: ${missing ? `is missing; ${issue.message}` : issue.message}`
    })
    throw new EnvironmentError([...new Set(lines)].join('\n'))
  }
  const SIMULATOR = simulatorOf(present, core.data)
  const providers = providerKinds.map((kind) => {
    const opened = kind.open({ ...present, SIMULATOR })
    const isOffered = core.data.OFFERED_PROVIDERS?.includes(kind.name) ?? opened.isConfigured
    return { name: kind.name, ...opened, isOffered }
  })
  return Object.freeze({ ...core.data, SIMULATOR, providers })
}

/** On unless it is switched off, or people are served by a real provider. */
function simulatorOf(
  present: Record<string, string | undefined>,
  { NODE_ENV, OFFERED_PROVIDERS }: Core,
): 'on' | 'off' {
  const given = onOff.safeParse(present['SIMULATOR'])
  if (given.success) return given.data
  const isServed =
    OFFERED_PROVIDERS?.some((name) => name !== 'simulator') ??
    providerKinds.some(({ name, open }) => name !== 'simulator' && open(present).isConfigured)
  return NODE_ENV === 'production' && isServed ? 'off' : 'on'
}

let cached: Environment | undefined

/** Read once, when first needed: a build of the web app has no environment. */
export function environment(): Environment {
  cached ??= parseEnvironment(process.env)
  return cached
}
