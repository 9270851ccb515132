import type { Pool } from 'pg'

// Written by the clock, by workers, or by the counting of tries, whoever asks for what.
const MOVING = new Set([
  '_prisma_migrations',
  'alert',
  'alert_notice',
  'ledger_audit',
  'provider_capability',
  'rate_limit',
  'worker_heartbeat',
])

/** A digest of every row of every table that does not name one of `except`: equal pictures, equal state. */
export async function takeStatePicture(
  sql: Pool,
  except: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const { rows: tables } = await sql.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const picture: Record<string, string> = {}
  for (const { name } of tables.filter((table) => !MOVING.has(table.name))) {
    const { rows } = await sql.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '')
         as digest from "${name}" t where not t::text like any ($1)`,
      [except.map((id) => `%${id}%`)],
    )
    picture[name] = rows[0]?.digest ?? ''
  }
  return picture
}
