import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findFreePort } from '@/scripts/launch/ports'
import { OWNER_ROLE, postgresUrl, startPostgres, takeOver } from '@/scripts/launch/postgres'
import { APP_ROLE, ensureAppRole, ensureDatabase } from '@/scripts/launch/roles'
import { commandOf } from '@/scripts/lock.mjs'
import { applyMigrations } from '@/scripts/migrate'
import { startPgBouncer } from './services/pgbouncer'

// These protect nothing: the server listens on loopback only and its data go with the run.
const OWNER_PASSWORD = 'owner'
const APP_PASSWORD = 'app'

const FOLDER_PREFIX = 'darkroom-test-'

export type PostgresServer = {
  readonly port: number
  readonly ownerPassword: string
  readonly appPassword: string
  /** Has every migration and no rows; nobody connects to it, so it can be cloned at any time. */
  readonly template: string
  /** Where the programs' login is let in by PgBouncer, when the run is to go through it. */
  readonly poolerPort: number | undefined
}

declare module 'vitest' {
  // Interfaces of other packages can only be added to as interfaces.
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions
  interface ProvidedContext {
    postgres: PostgresServer
  }
}

/** One PostgreSQL for all database tests of a run. Answers with what ends it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers()
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
  const port = await findFreePort()
  const server = await startPostgres({
    dataDir: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    port,
    ownerPassword: OWNER_PASSWORD,
    // Losing the data in a power cut is no loss here, and each commit is faster.
    settings: [
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      // Race tests open many connections, in several files at once.
      'max_connections=300',
    ],
  })

  const template = 'darkroom_template'
  const urlOf = (database: string) => postgresUrl(OWNER_ROLE, OWNER_PASSWORD, port, database)
  await ensureAppRole(urlOf('postgres'), APP_PASSWORD)
  await ensureDatabase(urlOf('postgres'), template)
  await applyMigrations(urlOf(template))
  const user = { user: APP_ROLE, password: APP_PASSWORD }
  const pooler =
    process.env['TEST_POOLER'] === '1' ? await startPgBouncer({ port, ...user }) : undefined
  project.provide('postgres', {
    port,
    poolerPort: pooler?.port,
    ownerPassword: OWNER_PASSWORD,
    appPassword: APP_PASSWORD,
    template,
  })

  return async () => {
    await pooler?.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

// A run that was killed leaves its server and its folder behind.
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1] ?? process.pid)
    if (pid === process.pid || commandOf(pid) !== undefined) continue
    const folder = join(tmpdir(), name)
    await takeOver(join(folder, 'postgres'))
    rmSync(folder, { recursive: true, force: true })
  }
}
