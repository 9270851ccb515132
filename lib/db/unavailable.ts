import { z } from 'zod'

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection exceptions, too many
// connections, shutdown and start-up, and statements that were given up because of a timeout.
const SQLSTATES = /^(08[0-9A-Z]{3}|53[0-9]{3}|57P0[1-5]|57014|55P03|25006)$/
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
// https://www.prisma.io/docs/orm/reference/error-reference: what Prisma makes of the same.
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037'])
// What `pg` and its pool say without a code.
const WORDS =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|timeout expired|Query read timeout|Can't reach database server/

const Coded = z.object({ code: z.string() })
/** What Prisma's adapter keeps of the error that `pg` threw. */
const Adapted = z.object({ originalCode: z.string() })
const Caused = z.object({ cause: z.unknown() })
const CausedByAdapter = z.object({ meta: z.object({ driverAdapterError: z.unknown() }) })

// Deeper than Prisma, its adapter and `pg` together ever nest.
const CAUSES_MAX = 5

/**
 * Whether an error means that the database cannot be asked at the moment, and not that what was
 * asked is wrong. Then nothing is known to have happened, and asking again later is right.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  let current: unknown = error
  for (let depth = 0; depth < CAUSES_MAX && current !== undefined; depth += 1) {
    if (current instanceof AggregateError) return current.errors.some(isDatabaseUnavailable)
    if (saysUnavailable(current)) return true
    current = causeOf(current)
  }
  return false
}

function causeOf(error: unknown): unknown {
  return (
    CausedByAdapter.safeParse(error).data?.meta.driverAdapterError ??
    Caused.safeParse(error).data?.cause
  )
}

function saysUnavailable(error: unknown): boolean {
  const code = Coded.safeParse(error).data?.code ?? Adapted.safeParse(error).data?.originalCode
  if (code !== undefined && (SYSTEM_CODES.has(code) || PRISMA_CODES.has(code))) return true
  if (code !== undefined && SQLSTATES.test(code)) return true
  return error instanceof Error && WORDS.test(error.message)
}
