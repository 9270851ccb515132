import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from './generated/client'

// Small on purpose: the database has few cores, and more connections than that only queue inside it.
const POOL_CONNECTIONS_MAX = 8
// A request that cannot get a connection soon is better told so than kept waiting.
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000

/** One pool: SQL functions go straight to it, reads go through Prisma on the same connections. */
export type Database = {
  readonly pool: pg.Pool
  readonly prisma: PrismaClient
  readonly close: () => Promise<void>
}

export function createDatabase(options: {
  readonly url: string
  readonly applicationName: string
  readonly poolMax?: number
  readonly onError: (error: Error) => void
}): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolMax ?? POOL_CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  })
  // An idle connection that breaks (a database restart) must not end the process.
  pool.on('error', options.onError)
  // Nor one that breaks in somebody's hands between two statements: the next one fails, and says so.
  pool.on('connect', (client) => client.on('error', options.onError))
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  return {
    pool,
    prisma,
    close: async () => {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}
