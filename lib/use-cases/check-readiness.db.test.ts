import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NEWEST_MIGRATION } from '@/lib/db/newest-migration'
import { createDeps, type AppDeps } from '@/lib/deps'
import { AccountId } from '@/lib/domain/ids'
import { parseEnvironment } from '@/lib/env'
import type { Child } from '@/scripts/launch/child'
import { findFreePort } from '@/scripts/launch/ports'
import { OWNER_ROLE, postgresUrl, startPostgres } from '@/scripts/launch/postgres'
import { APP_ROLE, ensureAppRole, ensureDatabase } from '@/scripts/launch/roles'
import { inRoot } from '@/scripts/launch/root'
import { applyMigrations } from '@/scripts/migrate'
import { systemClock } from '@/simulator/clock'
import { startTestSimulator } from '@/simulator/testing'
import { generation } from '@/test/factories'
import { createWorkerDeps } from '@/worker/deps'
import { runLoop } from '@/worker/loop'
import { checkReadiness } from './check-readiness'
import { startAttempt } from './start-attempt'

// A database server, a folder, a worker and a provider of its own, of which each is really taken away.

const PASSWORD = 'of-a-test'
let folder = ''
let port = 0
let postgres: Child
let owner: pg.Pool
let deps: AppDeps
let env: ReturnType<typeof parseEnvironment>
let simulator: Awaited<ReturnType<typeof startTestSimulator>>

const inFolder = (...parts: readonly string[]) => join(folder, ...parts)
const ownerUrl = (database: string) => postgresUrl(OWNER_ROLE, PASSWORD, port, database)
const startServer = () =>
  startPostgres({
    dataDir: inFolder('postgres'),
    logFile: inFolder('postgres.log'),
    port,
    ownerPassword: PASSWORD,
  })

const ALL_WELL = {
  status: 'ready',
  checks: { database: 'ok', schema: 'ok', images: 'ok', worker: 'ok', providers: 'ok' },
}
const but = (status: string, checks: object) => ({
  status,
  checks: { ...ALL_WELL.checks, ...checks },
})

/** A worker at work while something is done. */
async function withWorker<Value>(work: () => Promise<Value>): Promise<Value> {
  const worker = await createWorkerDeps(env)
  const stop = new AbortController()
  const loop = runLoop(worker, 2, stop.signal)
  const heard = async () => (await checkReadiness(deps)).checks.worker
  try {
    await expect.poll(heard, { timeout: 30_000, interval: 50 }).toBe('ok')
    return await work()
  } finally {
    stop.abort()
    await loop
    await worker.db.close()
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'darkroom-readiness-'))
  port = await findFreePort()
  postgres = await startServer()
  await ensureAppRole(ownerUrl('postgres'), PASSWORD)
  await ensureDatabase(ownerUrl('postgres'), 'readiness')
  await applyMigrations(ownerUrl('readiness'))
  owner = new pg.Pool({ connectionString: ownerUrl('readiness'), max: 2 })
  // A server that stops takes its idle connections along.
  owner.on('error', () => undefined)
  simulator = await startTestSimulator({ folder: inFolder('simulator'), clock: systemClock })
  env = parseEnvironment({
    DATABASE_URL: postgresUrl(APP_ROLE, PASSWORD, port, 'readiness'),
    DATA_DIR: inFolder('data'),
    AUTH_SECRET: 'a secret of the test of readiness, long enough',
    SIMULATOR: 'on',
    SIMULATOR_URL: simulator.url,
    LOG_LEVEL: 'silent',
  })
  deps = createDeps(env, 'test')
})

afterAll(async () => {
  await deps.db.close()
  await owner.end()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

test('nobody has worked yet, and only a balancer of web servers does not mind', async () => {
  expect(await checkReadiness(deps)).toEqual(but('not ready', { worker: 'silent' }))
  expect(await checkReadiness(deps, 'web')).toEqual(but('degraded', { worker: 'silent' }))
})

test('it is ready while a worker works, and not long after it fell silent', async () => {
  await withWorker(async () => expect(await checkReadiness(deps)).toEqual(ALL_WELL))
  await owner.query(
    `update worker_heartbeat set beat_at = app_now() - interval '1 minute', started_at = app_now() - interval '1 hour'`,
  )
  expect(await checkReadiness(deps)).toEqual(but('not ready', { worker: 'silent' }))
})

test('the folder of the images is gone', async () => {
  await withWorker(async () => {
    await rename(inFolder('data', 'images'), inFolder('away'))
    await writeFile(inFolder('data', 'images'), 'no folder')
    expect(await checkReadiness(deps)).toEqual(but('not ready', { images: 'down' }))
    expect(await checkReadiness(deps, 'web')).toEqual(but('not ready', { images: 'down' }))
    await rm(inFolder('data', 'images'))
    await rename(inFolder('away'), inFolder('data', 'images'))
    expect(await checkReadiness(deps)).toEqual(ALL_WELL)
  })
})

test('the schema is newer than this version, as while a later one is rolled out', async () => {
  const later = inFolder('later')
  await cp(inRoot('prisma', 'migrations'), later, { recursive: true })
  await mkdir(join(later, '99991231000000_add_what_comes'))
  await writeFile(join(later, '99991231000000_add_what_comes', 'migration.sql'), 'select 1;')
  await ensureDatabase(ownerUrl('postgres'), 'later')
  await applyMigrations(ownerUrl('later'), later)
  expect(await schemaOf('later')).toBe('newer')
})

test('the schema is older than this version, which then takes nothing', async () => {
  const earlier = inFolder('earlier')
  await cp(inRoot('prisma', 'migrations'), earlier, { recursive: true })
  await rm(join(earlier, NEWEST_MIGRATION), { recursive: true })
  await ensureDatabase(ownerUrl('postgres'), 'earlier')
  await applyMigrations(ownerUrl('earlier'), earlier)
  expect(await schemaOf('earlier')).toBe('older')
})

/** What is said of a database's schema; an older one makes even a web server unready. */
async function schemaOf(database: string) {
  const DATABASE_URL = postgresUrl(APP_ROLE, PASSWORD, port, database)
  const there = createDeps({ ...env, DATABASE_URL }, 'test')
  const { status, checks } = await checkReadiness(there, 'web')
  await there.db.close()
  expect(status).toBe(checks.schema === 'older' ? 'not ready' : 'degraded')
  return checks.schema
}

test('the newest migration is the one that this version names', async () => {
  const folders = (await readdir(inRoot('prisma', 'migrations'))).filter((name) => /^\d/.test(name))
  expect(folders.toSorted().at(-1)).toBe(NEWEST_MIGRATION)
})

test('a provider that cannot be reached makes it degraded and not unready', async () => {
  await simulator.close()
  const account = AccountId.parse(deps.newId())
  const guest = { addressDigest: Buffer.alloc(32), dailyCap: 5 }
  const input = { requestId: deps.newId(), ...generation }
  expect(await startAttempt(deps, account, input, guest)).toMatchObject({ ok: true })
  await withWorker(async () => {
    const answer = async () => checkReadiness(deps)
    await expect
      .poll(answer, { timeout: 30_000, interval: 50 })
      .toEqual(but('degraded', { providers: 'down' }))
  })
})

test('the database is gone, and then it is back', async () => {
  await postgres.stop()
  const unknown = { schema: 'unknown', worker: 'unknown', providers: 'unknown' }
  expect(await checkReadiness(deps)).toEqual(but('not ready', { database: 'down', ...unknown }))
  postgres = await startServer()
  await withWorker(async () =>
    expect((await checkReadiness(deps)).checks).toMatchObject({ database: 'ok', schema: 'ok' }),
  )
})

test('a stranger learns one word about each part and nothing more', async () => {
  const said = JSON.stringify(await checkReadiness(deps))
  expect(said).not.toMatch(/\d|simulator|127|postgres|\/|Error/)
})
