import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Child } from '@/scripts/launch/child'
import { LaunchError, systemCode } from '@/scripts/launch/launch-error'
import { findFreePort } from '@/scripts/launch/ports'
import { OWNER_ROLE, postgresUrl, startPostgres } from '@/scripts/launch/postgres'
import { APP_ROLE, ensureAppRole, ensureDatabase, withClient } from '@/scripts/launch/roles'
import { until } from '@/scripts/launch/until'

// A PostgreSQL that keeps its write-ahead log, backed up and restored with nothing but SQL and copies:
// https://www.postgresql.org/docs/current/continuous-archiving.html

const PASSWORD = 'of-the-drill'
const DATABASE = 'darkroom'
const ARCHIVE_MS_MAX = 60_000

const Stopped = z.object({ labelfile: z.string() })

export type Cluster = Awaited<ReturnType<typeof startCluster>>

export async function startCluster(folder: string) {
  const archive = join(folder, 'archive')
  const backup = join(folder, 'backup')
  const dataDir = join(folder, 'postgres')
  const port = await findFreePort()
  const urlOf = (role: string, database = DATABASE) => postgresUrl(role, PASSWORD, port, database)
  const start = (settings: readonly string[]) =>
    startPostgres({
      dataDir,
      logFile: join(folder, 'postgres.log'),
      port,
      ownerPassword: PASSWORD,
      settings,
    })

  mkdirSync(archive)
  const archiving = [
    'archive_mode=on',
    // A segment that is there already is never written over.
    `archive_command=test ! -f "${archive}/%f" && cp "%p" "${archive}/%f"`,
  ]
  // The archive belongs to whoever runs PostgreSQL, who is known when its data are.
  let server: Child = await start([])
  const owner = statSync(dataDir)
  chownSync(archive, owner.uid, owner.gid)
  await server.stop()
  server = await start(archiving)
  await ensureAppRole(urlOf(OWNER_ROLE, 'postgres'), PASSWORD)
  await ensureDatabase(urlOf(OWNER_ROLE, 'postgres'), DATABASE)

  return {
    ownerUrl: urlOf(OWNER_ROLE),
    appUrl: urlOf(APP_ROLE),
    archiveNow: () => archiveNow(urlOf(OWNER_ROLE), archive),

    /** While others go on writing. */
    backUp: (): Promise<void> =>
      withClient(urlOf(OWNER_ROLE), async (client) => {
        await client.query(`select pg_backup_start('drill', fast => true)`)
        copyCluster(dataDir, backup)
        const { rows } = await client.query('select labelfile from pg_backup_stop()')
        writeFileSync(join(backup, 'backup_label'), Stopped.parse(rows[0]).labelfile)
      }),

    /** The database's own clock. */
    now: (): Promise<Date> =>
      withClient(urlOf(OWNER_ROLE), async (client) => {
        const { rows } = await client.query('select clock_timestamp() as now')
        return z.object({ now: z.date() }).parse(rows[0]).now
      }),

    /** As a machine that burns: what was not archived is gone. */
    async lose(): Promise<void> {
      server.kill('SIGKILL')
      await server.ended
      rmSync(dataDir, { recursive: true })
    },

    /** From the backup and the archive, to what was committed until then. */
    async restoreTo(target: Date): Promise<void> {
      copyCluster(backup, dataDir)
      writeFileSync(join(dataDir, 'recovery.signal'), '')
      chmodSync(dataDir, 0o700)
      if (process.getuid?.() === 0) {
        spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, dataDir])
      }
      server = await start([
        `restore_command=cp "${archive}/%f" "%p"`,
        // Of zones it takes numbers only.
        `recovery_target_time=${target.toISOString().replace('Z', '+00')}`,
        'recovery_target_action=promote',
      ])
      if (!(await until(() => isOpen(urlOf(OWNER_ROLE)), { withinMs: ARCHIVE_MS_MAX }))) {
        throw new LaunchError('The restored database did not open.')
      }
    },

    stop: () => server.stop(),
  }
}

/** Whatever was committed until now is in the archive afterwards. */
async function archiveNow(ownerUrl: string, archive: string): Promise<void> {
  const segment = await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as name')
    return z.object({ name: z.string() }).parse(rows[0]).name
  })
  const isThere = () => Promise.resolve(existsSync(join(archive, segment)))
  if (!(await until(isThere, { withinMs: ARCHIVE_MS_MAX }))) {
    throw new LaunchError(`${segment} was not archived: the log of PostgreSQL says why.`)
  }
}

async function isOpen(ownerUrl: string): Promise<boolean> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query('select not pg_is_in_recovery() as open')
    return z.object({ open: z.boolean() }).parse(rows[0]).open
  })
}

/** A cluster's files but for its log and what belongs to a running server. Files may go meanwhile. */
function copyCluster(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const name of readdirSync(from)) {
    if (name === 'postmaster.pid' || name === 'postmaster.opts') continue
    const [source, target] = [join(from, name), join(to, name)]
    try {
      if (!lstatSync(source).isDirectory()) copyFileSync(source, target)
      else if (name === 'pg_wal') mkdirSync(target, { mode: 0o700 })
      else copyCluster(source, target)
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error
    }
  }
}
