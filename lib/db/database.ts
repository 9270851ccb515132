import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from './generated/client'

// Small on purpose: the database has few cores, and more connections than that only queue inside it.
const POOL_CONNECTIONS_MAX = 8
// A request that cannot get a connection soon is better told so than kept waiting.
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000

/** A client that plans every statement anew. */
class UnnamedClient extends pg.Client {
  // One of pg's many forms of it: every caller here gives an object, a text, or a query of its own.
  override query(...args: readonly unknown[]): never {
    const [config, ...rest] = args
    const isNamed = typeof config === 'object' && config !== null && 'name' in config
    const query = super.query.bind(this) as (...given: readonly unknown[]) => never
    return query(isNamed ? { ...config, name: undefined } : config, ...rest)
  }
}

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
  /** Whether the address is that of a pooler in transaction mode, such as PgBouncer. */
  readonly isPooled?: boolean
  readonly onError: (error: Error) => void
}): Database {
  const { isPooled = false } = options
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolMax ?? POOL_CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Each transaction may get another connection, which knows no statement by the name it was given.
    ...(isPooled ? { Client: UnnamedClient } : {}),
    // Poolers refuse these. The app's role has the same of its own, from a migration.
    ...(isPooled
      ? {}
      : {
          statement_timeout: STATEMENT_TIMEOUT_MS,
          lock_timeout: LOCK_TIMEOUT_MS,
          idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
        }),
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
