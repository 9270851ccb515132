import { pino, type DestinationStream, type Logger } from 'pino'

export type { Logger }

/** JSON lines. Never prompts, keys, tokens or bodies: what may not be logged is not handed over. */
export function createLogger(name: string, level: string, to?: DestinationStream): Logger {
  const options = { name, level, base: { name, pid: process.pid }, serializers: { err: told } }
  return to ? pino(options, to) : pino(options)
}

// Deeper than a driver, its adapter and Prisma together ever nest.
const CAUSES_MAX = 4

/** What is told of an error. Not what else it carries: PostgreSQL's `detail` repeats whole rows. */
function told(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const rule =
    'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    ...(rule !== undefined && { constraint: rule }),
    stack: error.stack,
    ...(error.cause !== undefined && depth < CAUSES_MAX && { cause: told(error.cause, depth + 1) }),
  }
}
