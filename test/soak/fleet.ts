import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { startChild, type Child, type ChildSpec } from '@/scripts/launch/child'
import { findFreePort } from '@/scripts/launch/ports'
import { OWNER_ROLE, postgresUrl, startPostgres } from '@/scripts/launch/postgres'
import { simulatorProgram, webProgram, workerProgram } from '@/scripts/launch/programs'
import { APP_ROLE, ensureAppRole, ensureDatabase } from '@/scripts/launch/roles'
import { applyMigrations } from '@/scripts/migrate'
import { arePresent } from '@/scripts/testing/debian'
import { openTestPool } from '@/test/postgres'
import { startCeph, type Ceph } from '@/test/services/ceph'
import { startPgBouncer, type PgBouncer } from '@/test/services/pgbouncer'

const DATABASE = 'soak'
const PASSWORD = 'of-a-test'
const DRAIN_MS = 5_000
const READY_MS_MAX = 120_000
const WEBS = 2
const WORKERS = 3

const has = (...programs: readonly string[]) => arePresent(programs, process.env['PATH'] ?? '')

/** Several of everything, on one machine: what a company runs on many. */
export type Fleet = {
  readonly webUrls: readonly string[]
  readonly simulatorUrl: string
  readonly env: NodeJS.ProcessEnv
  readonly owner: pg.Pool
  /** Where each worker keeps what it could not tell. */
  readonly evidenceFolders: readonly string[]
  readonly workers: readonly Program[]
  readonly webs: readonly Program[]
  readonly simulator: Program
  readonly restartPostgres: () => Promise<void>
  readonly pooler: PgBouncer | undefined
  readonly store: Ceph | undefined
  readonly stop: () => Promise<void>
}

/** One process of several that do the same. */
export type Program = {
  readonly name: string
  readonly kill: () => Promise<void>
  /** Tells it to end, and waits until it has. Answers how it did. */
  readonly drain: () => Promise<string>
  readonly start: () => Promise<void>
}

export async function startFleet(): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-soak-'))
  const inFolder = (...parts: readonly string[]) => join(folder, ...parts)
  mkdirSync(inFolder('logs'))
  const endings: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of endings.reverse()) await end()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const port = await findFreePort()
    const startServer = () =>
      startPostgres({
        dataDir: inFolder('postgres'),
        logFile: inFolder('postgres.log'),
        port,
        ownerPassword: PASSWORD,
      })
    let postgres: Child = await startServer()
    endings.push(() => postgres.stop())
    const ownerUrl = (database: string) => postgresUrl(OWNER_ROLE, PASSWORD, port, database)
    await ensureAppRole(ownerUrl('postgres'), PASSWORD)
    await ensureDatabase(ownerUrl('postgres'), DATABASE)
    await applyMigrations(ownerUrl(DATABASE))
    const owner = openTestPool(ownerUrl(DATABASE), 2)
    endings.push(() => owner.end())

    const pooler = has('pgbouncer')
      ? await startPgBouncer({ port, user: APP_ROLE, password: PASSWORD, poolSize: 20 })
      : undefined
    if (pooler) endings.push(pooler.stop)
    const store = has('ceph', 'ceph-mon', 'ceph-osd', 'radosgw') ? await startCeph() : undefined
    if (store) endings.push(store.stop)

    const [simulatorPort, ...webPorts] = await freePorts(1 + WEBS)
    const simulatorUrl = `http://127.0.0.1:${simulatorPort ?? 0}`
    const webUrls = webPorts.map((webPort) => `http://127.0.0.1:${webPort}`)
    const env = environmentOf({
      DATABASE_URL: postgresUrl(APP_ROLE, PASSWORD, pooler?.port ?? port, DATABASE),
      DATABASE_POOLED: pooler ? '1' : '0',
      APP_URL: webUrls[0] ?? '',
      SIMULATOR_URL: simulatorUrl,
      DATA_DIR: inFolder('shared'),
      ...(store && bucketVariables(store)),
    })
    const of = (changed: Variables) => ({
      mode: 'production' as const,
      env: { ...env, ...changed },
      logsDir: inFolder('logs'),
    })
    const begin = async (spec: ChildSpec, isReady: () => Promise<boolean>) => {
      const program = await startProgram(spec, isReady)
      endings.push(program.kill)
      return program
    }
    const simulator = await begin(simulatorProgram(of({})), () =>
      answers(`${simulatorUrl}/_/health`),
    )
    const evidenceFolders: string[] = []
    const workers: Program[] = []
    for (let n = 1; n <= WORKERS; n += 1) {
      // A disk of its own; images are where all of them find them.
      const dataDir = store ? inFolder(`worker-${n}`) : inFolder('shared')
      evidenceFolders.push(join(dataDir, 'evidence'))
      const spec = { ...workerProgram(of({ DATA_DIR: dataDir }), DRAIN_MS), name: `worker-${n}` }
      const logFile = inFolder('logs', `worker-${n}.log`)
      workers.push(
        await begin({ ...spec, logFile }, () =>
          Promise.resolve(readFileSync(logFile, 'utf8').includes('worker started')),
        ),
      )
    }
    const webs: Program[] = []
    for (const [n, url] of webUrls.entries()) {
      const spec = webProgram(of({ PORT: new URL(url).port }), DRAIN_MS)
      const named = { ...spec, name: `web-${n + 1}`, logFile: inFolder('logs', `web-${n + 1}.log`) }
      webs.push(await begin(named, () => answers(`${url}/api/health/live`)))
    }
    const restartPostgres = async () => {
      await postgres.stop()
      await pause(1_000)
      postgres = await startServer()
    }
    return {
      webUrls,
      simulatorUrl,
      env,
      owner,
      evidenceFolders,
      workers,
      webs,
      simulator,
      restartPostgres,
      pooler,
      store,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Ports of which no two are the same: each is looked for while the others are still free. */
async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>()
  while (found.size < count) found.add(await findFreePort())
  return [...found]
}

const bucketVariables = ({ settings }: Ceph) => ({
  S3_BUCKET: settings.bucket,
  S3_ENDPOINT: settings.endpoint,
  S3_REGION: settings.region,
  S3_ACCESS_KEY_ID: settings.credentials?.accessKeyId,
  S3_SECRET_ACCESS_KEY: settings.credentials?.secretAccessKey,
  S3_FORCE_PATH_STYLE: '1',
})

type Variables = Readonly<Record<string, string | undefined>>

const environmentOf = (own: Variables): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  AUTH_SECRET: randomBytes(32).toString('hex'),
  SIMULATOR: 'on',
  SIMULATOR_WEBHOOK_SECRET: randomBytes(32).toString('hex'),
  SIMULATOR_LATENCY_MS: '500',
  RATE_LIMIT: 'off',
  DAILY_ALLOWANCE: '0',
  LEASE_MS: '8000',
  SUBMIT_TIMEOUT_MS: '5000',
  DRAIN_MS: String(DRAIN_MS),
  NEXT_TELEMETRY_DISABLED: '1',
  DATABASE_OWNER_URL: undefined,
  ...own,
})

async function startProgram(spec: ChildSpec, isReady: () => Promise<boolean>): Promise<Program> {
  let child: Child
  const start = async () => {
    child = startChild(spec)
    const mine = child
    const until = performance.now() + READY_MS_MAX
    while (!(await isReady())) {
      if (mine.hasEnded())
        throw new Error(`${spec.name} ended: ${readFileSync(spec.logFile, 'utf8')}`)
      if (performance.now() > until) throw new Error(`${spec.name} is not ready`)
      await pause(100)
    }
  }
  await start()
  return {
    name: spec.name,
    start,
    kill: async () => {
      child.kill('SIGKILL')
      await child.ended
    },
    drain: async () => {
      child.kill('SIGTERM')
      return await child.ended
    },
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
