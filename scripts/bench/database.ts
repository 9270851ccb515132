import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type Database } from '@/lib/db/database'
import { findFreePort } from '@/scripts/launch/ports'
import { OWNER_ROLE, postgresUrl, startPostgres } from '@/scripts/launch/postgres'
import { APP_ROLE, ensureAppRole, ensureDatabase } from '@/scripts/launch/roles'
import { applyMigrations } from '@/scripts/migrate'

// It listens on loopback only, and its data go with the run.
const OWNER_PASSWORD = 'owner'
const APP_PASSWORD = 'app'

export type BenchDatabase = {
  /** As the programs have it. */
  readonly app: Database
  /** May write anything, for filling tables. */
  readonly owner: Database
  /** For programs that connect themselves. */
  readonly appUrl: string
  readonly ownerUrl: string
  readonly end: () => Promise<void>
}

/** A PostgreSQL of the run's own, with every migration and no rows. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), `darkroom-bench-${process.pid}-`))
  const port = await findFreePort()
  const server = await startPostgres({
    dataDir: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    port,
    ownerPassword: OWNER_PASSWORD,
  })
  const urlOf = (database: string) => postgresUrl(OWNER_ROLE, OWNER_PASSWORD, port, database)
  await ensureAppRole(urlOf('postgres'), APP_PASSWORD)
  await ensureDatabase(urlOf('postgres'), 'bench')
  await applyMigrations(urlOf('bench'))
  let isEnding = false
  const open = (url: string) =>
    createDatabase({
      url,
      applicationName: 'bench',
      // A pool that was told to end may still be heard of when its server stops.
      onError: (error) => {
        if (!isEnding) console.error(error)
      },
    })
  const appUrl = postgresUrl(APP_ROLE, APP_PASSWORD, port, 'bench')
  const app = open(appUrl)
  const owner = open(urlOf('bench'))
  return {
    app,
    owner,
    appUrl,
    ownerUrl: urlOf('bench'),
    end: async () => {
      isEnding = true
      await app.close()
      await owner.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
