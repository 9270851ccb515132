import type { ClientBase } from 'pg'
import { z } from 'zod'
import { auditQueries, invariants } from './audit-queries'
import type { Database } from './database'

export const Violation = z.object({
  invariant: z.enum(invariants),
  account_id: z.uuid().nullable(),
  attempt_id: z.uuid().nullable(),
  expected: z.string(),
  found: z.string(),
})
export type Violation = Readonly<z.infer<typeof Violation>>

const Counts = z.object({
  accounts: z.coerce.number(),
  entries: z.coerce.number(),
  attempts: z.coerce.number(),
  events: z.coerce.number(),
})
export type Counts = Readonly<z.infer<typeof Counts>>

export type Audit = {
  readonly counts: Counts
  readonly violations: readonly Violation[]
  /** There are more than are named. */
  readonly truncated: boolean
}

// Whole tables are read: from end to end, and joined and sorted in memory. Going through an index
// would visit every page of a table in random order, which takes many times as long.
const SETTINGS = `
  set local statement_timeout = 0; set local work_mem = '256MB'; set local jit = off;
  set local enable_indexscan = off; set local enable_indexonlyscan = off;
  set local enable_bitmapscan = off; set local enable_mergejoin = off`

/**
 * Everything at one moment, however much is written meanwhile. It waits for nobody and nobody waits
 * for it.
 */
export async function auditRows(db: Database, namedMax: number): Promise<Audit> {
  const client = await db.pool.connect()
  try {
    await client.query('begin transaction isolation level repeatable read, read only')
    await client.query(SETTINGS)
    return await runAudit(client, namedMax)
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}

/** The statements themselves, in the transaction that the client is in. */
export async function runAudit(client: ClientBase, namedMax: number): Promise<Audit> {
  const violations: Violation[] = []
  let truncated = false
  for (const text of auditQueries) {
    const { rows } = await client.query({ text: `${text} limit $1`, values: [namedMax + 1] })
    truncated ||= rows.length > namedMax
    violations.push(...z.array(Violation).parse(rows.slice(0, namedMax)))
  }
  const { rows } = await client.query(
    `select (select count(*) from account) as accounts, (select count(*) from ledger_entry) as entries,
            (select count(*) from attempt) as attempts,
            (select count(*) from attempt_event) as events`,
  )
  return { counts: Counts.parse(rows[0]), violations, truncated }
}
