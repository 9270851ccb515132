import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { commandOf } from '@/scripts/lock.mjs'
import { startChild, type Child, type ChildSpec } from './child'
import { LaunchError, messageOf, systemCode } from './launch-error'
import { findPostgresBinaries } from './postgres-binaries'
import { commandFor, findPostgresIds, findPostgresUser, type PostgresUser } from './postgres-user'
import { parsePostmasterFile, takeOverAction } from './postmaster-file'
import { until } from './until'

export const OWNER_ROLE = 'darkroom_owner'

// Recovery after a power cut replays at most max_wal_size, which takes seconds.
const START_MS_MAX = 60_000
const STOP_MS_MAX = 20_000
// How long processes of a killed server may take to notice that it is gone.
const LEFTOVERS_MS_MAX = 15_000

export type PostgresOptions = {
  readonly dataDir: string
  readonly logFile: string
  readonly port: number
  readonly ownerPassword: string
  /** More `name=value` settings. */
  readonly settings?: readonly string[]
}

type Started = Child | 'leftovers'

/** Starts PostgreSQL and waits until it answers. Makes the data folder if there is none. */
export async function startPostgres(
  options: PostgresOptions,
  start: (spec: ChildSpec) => Child = startChild,
): Promise<Child> {
  const ids = findPostgresIds(options.dataDir)
  const { postgres, initdb } = findPostgresBinaries()
  if (!existsSync(options.dataDir)) initialise({ ...options, ids, initdb, postgres })
  const user = findPostgresUser(ids, { folder: options.dataDir, program: postgres })
  await takeOver(options.dataDir)

  const spec = postgresSpec(options, user, postgres)
  const deadline = performance.now() + LEFTOVERS_MS_MAX
  for (;;) {
    const started = await tryToStart(spec, options, start)
    if (started !== 'leftovers') return started
    if (performance.now() > deadline) {
      throw new LaunchError(`An earlier PostgreSQL still uses ${options.dataDir}. Try again soon.`)
    }
    await pause(500)
  }
}

export function postgresUrl(role: string, password: string, port: number, database: string) {
  return `postgresql://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}?sslmode=disable`
}

type InitialiseOptions = PostgresOptions & {
  readonly ids: PostgresUser['ids']
  readonly initdb: string
  readonly postgres: string
}

// Made beside its final place and then renamed: one that was interrupted is never taken for whole.
function initialise({ dataDir, ownerPassword, ids, initdb, postgres }: InitialiseOptions): void {
  const unfinished = `${dataDir}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  const passwordFile = `${dataDir}.password`
  writeFileSync(passwordFile, `${ownerPassword}\n`, { mode: 0o600 })
  if (ids !== undefined) {
    chownSync(unfinished, ids.uid, ids.gid)
    chownSync(passwordFile, ids.uid, ids.gid)
  }
  try {
    const user = findPostgresUser(ids, { folder: unfinished, program: postgres })
    const { command, args } = commandFor(user, initdb, [
      `--pgdata=${unfinished}`,
      `--username=${OWNER_ROLE}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // PostgreSQL's own locale: the same on every system, whatever is installed there.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
    ])
    const { status, stderr } = spawnSync(command, args, {
      cwd: '/',
      env: bareEnvironment(),
      encoding: 'utf8',
      ...user.ids,
    })
    if (status !== 0) {
      throw new LaunchError(`PostgreSQL's data folder could not be made.\n${stderr.trim()}`)
    }
    renameSync(unfinished, dataDir)
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function postgresSpec(options: PostgresOptions, user: PostgresUser, postgres: string): ChildSpec {
  const settings = [
    'listen_addresses=127.0.0.1',
    // A socket's path may have at most 107 bytes, which folders can exceed.
    'unix_socket_directories=',
    'timezone=UTC',
    'log_timezone=UTC',
    // A crashed server is reported by the launcher, which would not see it restart itself.
    'restart_after_crash=off',
    'max_connections=100',
    'shared_buffers=128MB',
    'max_wal_size=512MB',
    'io_method=sync',
    'jit=off',
    ...(options.settings ?? []),
  ]
  return {
    name: 'postgres',
    ...commandFor(user, postgres, [
      '-D',
      options.dataDir,
      '-p',
      String(options.port),
      ...settings.flatMap((setting) => ['-c', setting]),
    ]),
    env: bareEnvironment(),
    cwd: '/',
    logFile: options.logFile,
    stopSignal: 'SIGINT',
    killSignal: 'SIGQUIT',
    graceMs: STOP_MS_MAX,
    ...(user.ids === undefined ? {} : { ids: user.ids }),
  }
}

// PGDATA, PGOPTIONS and the like in the caller's environment are meant for other servers.
function bareEnvironment(): NodeJS.ProcessEnv {
  return { NODE_ENV: 'production', LC_ALL: 'C', PATH: process.env['PATH'] ?? '/usr/bin:/bin' }
}

async function tryToStart(
  spec: ChildSpec,
  options: PostgresOptions,
  start: (spec: ChildSpec) => Child,
): Promise<Started> {
  const logStart = statSync(spec.logFile, { throwIfNoEntry: false })?.size ?? 0
  const child = start(spec)
  const url = postgresUrl(OWNER_ROLE, options.ownerPassword, options.port, 'postgres')
  try {
    const isUp = async () => child.hasEnded() || (await answers(url))
    if ((await until(isUp, { withinMs: START_MS_MAX })) && !child.hasEnded()) return child
  } catch (error) {
    await child.stop()
    throw error
  }
  await child.stop()
  const log = readFileSync(spec.logFile).subarray(logStart).toString('utf8')
  if (log.includes('pre-existing shared memory block')) return 'leftovers'
  const reason = /(?:FATAL|PANIC): +(.+)/.exec(log)?.[1] ?? (await child.ended)
  throw new LaunchError(`PostgreSQL did not start: ${reason}. Its log: ${spec.logFile}`)
}

/** Throws when the server is there and refuses us: waiting would not help. */
async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  // A connection that breaks while it is being made is reported twice; once is enough.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    // 28P01: wrong password.
    if (systemCode(error) === '28P01') {
      throw new LaunchError(
        `The passwords in secrets.json are not those of the database beside it (${messageOf(error)}).`,
      )
    }
    return false
  } finally {
    // It may never have been connected.
    await client.end().catch(() => undefined)
  }
}

/** Ends a PostgreSQL that outlived its launcher, or makes its left-over lock file harmless. */
export async function takeOver(dataDir: string): Promise<void> {
  const path = join(dataDir, 'postmaster.pid')
  const file = existsSync(path) ? parsePostmasterFile(readFileSync(path, 'utf8')) : undefined
  if (file === undefined) return
  switch (takeOverAction(file, commandOf(file.pid))) {
    case 'none':
      return
    case 'stop-it': {
      const gone = () => commandOf(file.pid) === undefined
      process.kill(file.pid, 'SIGINT')
      if (await until(gone, { withinMs: STOP_MS_MAX })) return
      process.kill(file.pid, 'SIGQUIT')
      if (await until(gone, { withinMs: STOP_MS_MAX })) return
      throw new LaunchError(
        `An earlier PostgreSQL (process ${file.pid}) does not stop. End it: kill -9 ${file.pid}`,
      )
    }
    case 'disown-file': {
      // PostgreSQL knows that its parent's number in the file is a coincidence, and goes on to its
      // other checks. Removing the file would skip those.
      const [, ...rest] = readFileSync(path, 'utf8').split('\n')
      writeFileSync(path, [String(process.pid), ...rest].join('\n'))
    }
  }
}
