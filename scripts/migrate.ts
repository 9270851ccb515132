import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from 'pg'
import { messageOf } from './launch/launch-error'
import { withClient } from './launch/roles'
import { inRoot, root } from './launch/root'

// Applies prisma/migrations as `prisma migrate deploy` would, without Prisma's schema engine, which
// is a separate download. The table, the checksum and the lock are Prisma's, so either may be used:
// https://github.com/prisma/prisma-engines/tree/main/schema-engine/connectors

const MIGRATIONS = inRoot('prisma', 'migrations')
const PRISMA_LOCK = 72_707_369

const MIGRATIONS_TABLE = `create table if not exists _prisma_migrations (
  id                  varchar(36) primary key not null,
  checksum            varchar(64) not null,
  finished_at         timestamptz,
  migration_name      varchar(255) not null,
  logs                text,
  rolled_back_at      timestamptz,
  started_at          timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

type Migration = { readonly name: string; readonly file: string; readonly sql: string }

type Recorded = { readonly name: string; readonly checksum: string; readonly finished: boolean }

export type MigrationResult = {
  readonly applied: readonly string[]
  /** Recorded in the database and absent from the folder. */
  readonly unknown: readonly string[]
}

/** Applies what is not yet applied, in order of name. Whoever comes second waits. */
export async function applyMigrations(
  ownerUrl: string,
  folder: string = MIGRATIONS,
): Promise<MigrationResult> {
  const migrations = readMigrations(folder)
  return await withClient(ownerUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [PRISMA_LOCK])
    await client.query(`set client_min_messages = warning; ${MIGRATIONS_TABLE}`)
    const recorded = await readRecorded(client)
    const { pending, unknown } = compare(migrations, recorded)
    for (const migration of pending) await apply(client, migration)
    // The lock goes with the connection.
    return { applied: pending.map(({ name }) => name), unknown }
  })
}

function readMigrations(folder: string): readonly Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, file: join(folder, name, 'migration.sql') }))
    .filter(({ file }) => existsSync(file))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, file }) => ({ name, file, sql: readFileSync(file, 'utf8') }))
}

async function readRecorded(client: Client): Promise<readonly Recorded[]> {
  const { rows } = await client.query<Recorded>(
    `select migration_name as name, checksum, finished_at is not null as finished
     from _prisma_migrations where rolled_back_at is null order by migration_name`,
  )
  return rows
}

function compare(migrations: readonly Migration[], recorded: readonly Recorded[]) {
  const unfinished = recorded.find(({ finished }) => !finished)
  if (unfinished !== undefined) {
    throw new MigrationError(
      `Migration ${unfinished.name} was begun by another tool and did not finish. ` +
        'Put the database right, then: prisma migrate resolve',
    )
  }
  const byName = new Map(recorded.map((record) => [record.name, record]))
  for (const { name, sql, file } of migrations) {
    const record = byName.get(name)
    if (record !== undefined && !matches(sql, record.checksum)) {
      throw new MigrationError(
        `${relative(root, file)} was changed after it was applied. ` +
          'Restore it, and put the change into a new migration.',
      )
    }
  }
  const names = new Set(migrations.map(({ name }) => name))
  const pending = migrations.filter(({ name }) => !byName.has(name))
  const unknown = recorded.map(({ name }) => name).filter((name) => !names.has(name))
  // A newer database alone is allowed: an older release must be able to start again while a newer
  // one is being rolled out or taken back. With migrations of its own to add, the two have parted
  // ways, and nobody has tried the sum.
  if (unknown.length > 0 && pending.length > 0) {
    throw new MigrationError(
      `The database has migrations that this version does not (${unknown.join(', ')}), and lacks ` +
        `${pending.map(({ name }) => name).join(', ')}. Use one line of versions on one database.`,
    )
  }
  return { pending, unknown }
}

export const checksumOf = (sql: string): string => createHash('sha256').update(sql).digest('hex')

// Git may change line ends; Prisma allows for that in the same way.
function matches(sql: string, checksum: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n')
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === checksum)
}

// One transaction holds the change and its record, so a migration is applied and recorded, or neither.
async function apply(client: Client, { name, file, sql }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query(
      `insert into _prisma_migrations
         (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       values ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksumOf(sql), name],
    )
    await client.query('commit')
  } catch (cause) {
    // On a connection that broke the server rolls back by itself; the cause is what matters.
    await client.query('rollback').catch(() => undefined)
    throw new MigrationError(
      `${relative(root, file)}: ${messageOf(cause)}. Nothing of it is left.`,
      {
        cause,
      },
    )
  }
}

export function describeMigrations({ applied, unknown }: MigrationResult): readonly string[] {
  return [
    ...(unknown.length === 0
      ? []
      : [`The database is newer than this version: it also has ${unknown.join(', ')}.`]),
    ...applied.map((name) => `Applied ${name}.`),
  ]
}

/** Migrates the database of the environment, and says what was done. */
export async function migrate(): Promise<void> {
  const url = process.env['DATABASE_OWNER_URL'] ?? process.env['DATABASE_URL']
  if (!url) throw new MigrationError('DATABASE_URL: is missing; expected a postgresql:// address')
  const lines = describeMigrations(await applyMigrations(url))
  console.log(lines.length === 0 ? 'Nothing to apply.' : lines.join('\n'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (existsSync(inRoot('.env'))) process.loadEnvFile(inRoot('.env'))
  migrate().catch((error: unknown) => {
    console.error(messageOf(error))
    process.exitCode = 1
  })
}
