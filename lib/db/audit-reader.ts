import { escapeLiteral, type ClientBase } from 'pg'
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

export type Findings = {
  readonly violations: readonly Violation[]
  /** There are more than are named. */
  readonly truncated: boolean
}

const BEGIN = 'begin transaction isolation level repeatable read, read only'

// Whole tables are read: from end to end, and joined and sorted in memory. Going through an index
// would visit every page of a table in random order, which takes many times as long.
const SETTINGS = `
  set local statement_timeout = 0; set local work_mem = '256MB'; set local jit = off;
  set local enable_indexscan = off; set local enable_indexonlyscan = off;
  set local enable_bitmapscan = off; set local enable_mergejoin = off`

const Snapshot = z.object({ snapshot: z.string() })

/**
 * Everything at one moment, however much is written meanwhile, on two connections that see the same.
 * It waits for nobody, and nobody waits for it.
 */
export async function auditRows(
  db: Database,
  namedMax: number,
): Promise<Findings & { readonly counts: Counts }> {
  return await inTransaction(db, async (first) => {
    const { rows } = await first.query('select pg_export_snapshot() as snapshot')
    const { snapshot } = Snapshot.parse(rows[0])
    return await inTransaction(db, async (second) => {
      await second.query(`set transaction snapshot ${escapeLiteral(snapshot)}`)
      // Whichever is free takes the next statement.
      const queue = auditQueries.values()
      const findings = await Promise.all(
        [first, second].map((client) => findViolations(client, queue, namedMax)),
      )
      return {
        counts: await count(first),
        violations: findings.flatMap(({ violations }) => violations),
        truncated: findings.some(({ truncated }) => truncated),
      }
    })
  })
}

async function inTransaction<Answer>(
  db: Database,
  work: (client: ClientBase) => Promise<Answer>,
): Promise<Answer> {
  const client = await db.pool.connect()
  try {
    await client.query(BEGIN)
    return await work(client)
  } finally {
    // It only read. A connection that broke meanwhile has nothing to take back.
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}

/** The statements themselves, in the transaction that the client is in. */
export async function findViolations(
  client: ClientBase,
  queries: Iterable<string>,
  namedMax: number,
): Promise<Findings> {
  await client.query(SETTINGS)
  const violations: Violation[] = []
  let truncated = false
  for (const text of queries) {
    const { rows } = await client.query({ text: `${text} limit $1`, values: [namedMax + 1] })
    truncated ||= rows.length > namedMax
    violations.push(...z.array(Violation).parse(rows.slice(0, namedMax)))
  }
  return { violations, truncated }
}

async function count(client: ClientBase): Promise<Counts> {
  const { rows } = await client.query(
    `select (select count(*) from account) as accounts, (select count(*) from ledger_entry) as entries,
            (select count(*) from attempt) as attempts,
            (select count(*) from attempt_event) as events`,
  )
  return Counts.parse(rows[0])
}
