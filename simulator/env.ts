import { resolve } from 'node:path'
import { z } from 'zod'

const milliseconds = z.coerce
  .number({ error: 'expected a whole number of milliseconds from 0 to 600000' })
  .int('expected a whole number of milliseconds from 0 to 600000')
  .min(0, 'expected a whole number of milliseconds from 0 to 600000')
  .max(600_000, 'expected a whole number of milliseconds from 0 to 600000')

const SimulatorEnvironment = z
  .object({
    DATA_DIR: z.string().min(1).default('.data'),
    SIMULATOR_URL: z
      .url({ protocol: /^http$/, error: 'expected an http:// address' })
      .default('http://127.0.0.1:3001'),
    // Callbacks are signed with it; without it none are sent.
    SIMULATOR_WEBHOOK_SECRET: z.string().min(32, 'expected at least 32 characters').optional(),
    // Where protocols call back that have one address for a whole project.
    SIMULATOR_PROJECT_WEBHOOK_URL: z
      .url({ protocol: /^https?$/, error: 'expected an http:// or https:// address' })
      .optional(),
    SIMULATOR_LATENCY_MS: milliseconds.default(2_500),
    SIMULATOR_SLOW_MS: milliseconds.default(25_000),
    SIMULATOR_CONCURRENCY: z.coerce
      .number({ error: 'expected a whole number from 1 to 32' })
      .int('expected a whole number from 1 to 32')
      .min(1, 'expected a whole number from 1 to 32')
      .max(32, 'expected a whole number from 1 to 32')
      .default(2),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  })
  .transform((env) => ({
    ...env,
    DATA_DIR: resolve(env.DATA_DIR),
    SIMULATOR_URL: env.SIMULATOR_URL.replace(/(?<!\/)\/+$/, ''),
  }))

export type SimulatorEnvironment = Readonly<z.infer<typeof SimulatorEnvironment>>

/** One line per wrong variable, without its value: one of them is a secret. */
export class SimulatorEnvironmentError extends Error {
  override readonly name = 'SimulatorEnvironmentError'
}

/**
 * The simulator has its own environment, apart from the application's: it stands for somebody
 * else's service and must know nothing of the application's database or secrets.
 */
export function parseSimulatorEnvironment(
  source: Record<string, string | undefined>,
): SimulatorEnvironment {
  // An empty variable counts as absent, as in shells and compose files.
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = SimulatorEnvironment.safeParse(present)
  if (parsed.success) return Object.freeze(parsed.data)
  throw new SimulatorEnvironmentError(
    parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`).join('\n'),
  )
}

export type ListenAddress = { readonly host: string; readonly port: number }

/** Loopback names bind loopback only; any other name is taken to be this machine as others see it. */
export function listenAddress(simulatorUrl: string): ListenAddress {
  const url = new URL(simulatorUrl)
  const port = url.port === '' ? 80 : Number(url.port)
  switch (url.hostname) {
    case 'localhost':
    case '127.0.0.1':
      return { host: '127.0.0.1', port }
    case '[::1]':
      return { host: '::1', port }
    default:
      return { host: '0.0.0.0', port }
  }
}
