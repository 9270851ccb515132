import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { registerIdentity } from '@/lib/db/account-store'
import { createDeps, type AppDeps } from '@/lib/deps'
import { AccountId } from '@/lib/domain/ids'
import { parseEnvironment } from '@/lib/env'
import type { Child } from '@/scripts/launch/child'
import { findFreePort } from '@/scripts/launch/ports'
import { OWNER_ROLE, postgresUrl, startPostgres } from '@/scripts/launch/postgres'
import { APP_ROLE, ensureAppRole, ensureDatabase } from '@/scripts/launch/roles'
import { applyMigrations } from '@/scripts/migrate'
import { expectInvariants } from '@/test/invariants'
import { openTestPool } from '@/test/postgres'
import { startClicking } from './clicking'
import { end, startUntil } from './processes'

// Real workers, and a part of the world that is away for a while as attempts go on being made: the
// database, the provider's status, the folder of the images. The same workers go on afterwards.

const OUTAGE_MS = Number(process.env['CRASH_OUTAGE_SECONDS'] ?? 3) * 1_000
const WORKERS = 2
const WARM_UP_MS = 1_500
const MINUTE_MS = 60_000
const QUIET_WITHIN_MS = 3 * MINUTE_MS
const DATABASE = 'outages'
const PASSWORD = 'of-a-test'
const prompts = ['a quiet lake', 'a busy lake #drill:429', 'a lake that fails #drill:fail']

let folder = ''
let postgres: Child
let owner: pg.Pool
let deps: AppDeps
let accountId: AccountId
let simulatorUrl = ''
let env: Readonly<Record<string, string>>
const processes: ChildProcess[] = []

const inFolder = (...parts: readonly string[]) => join(folder, ...parts)
let port = 0
const ownerUrl = (database: string) => postgresUrl(OWNER_ROLE, PASSWORD, port, database)
const startServer = () =>
  startPostgres({
    dataDir: inFolder('postgres'),
    logFile: inFolder('postgres.log'),
    port,
    ownerPassword: PASSWORD,
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'darkroom-outages-'))
  port = await findFreePort()
  postgres = await startServer()
  await ensureAppRole(ownerUrl('postgres'), PASSWORD)
  await ensureDatabase(ownerUrl('postgres'), DATABASE)
  await applyMigrations(ownerUrl(DATABASE))
  owner = openTestPool(ownerUrl(DATABASE), 2)

  simulatorUrl = `http://127.0.0.1:${await findFreePort()}`
  env = {
    NODE_ENV: 'test',
    DATABASE_URL: postgresUrl(APP_ROLE, PASSWORD, port, DATABASE),
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret of the test of outages, long enough',
    SIMULATOR: 'on',
    SIMULATOR_URL: simulatorUrl,
    SIMULATOR_LATENCY_MS: '300',
    LEASE_MS: '6000',
    SUBMIT_TIMEOUT_MS: '4000',
    LOG_LEVEL: 'info',
  }
  processes.push(await startUntil('simulator/main.ts', env, 'simulator ready'))
  deps = createDeps(parseEnvironment({ ...env, LOG_LEVEL: 'silent' }), 'test')
  accountId = AccountId.parse(deps.newId())
  await registerIdentity(deps.db, {
    accountId,
    email: 'ada@example.com',
    name: 'Ada',
    role: 'user',
    passwordHash: '$argon2id$of-a-test',
    signupCredits: 1_000_000,
  })
  for (let n = 0; n < WORKERS; n += 1) {
    processes.push(await startUntil('worker/main.ts', env, 'worker started'))
  }
})

afterAll(async () => {
  for (const child of processes.reverse()) await end(child)
  await deps.db.close()
  await owner.end()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const rows = async (sql: string, ...values: readonly unknown[]) =>
  (await owner.query<Record<string, unknown>>(sql, [...values])).rows

/** What has neither ended nor come to rest as honestly unresolved. */
const restless = () =>
  rows(`select id, state from attempt where state not in ('completed', 'failed', 'status_unknown')`)

const Submissions = z.object({
  data: z.array(z.object({ reference: z.string(), outcome: z.string() })),
})

/** The references that the simulator made tasks for: it keeps what it received itself. */
async function tasksMade(): Promise<readonly string[]> {
  const made: string[] = []
  for (const { id } of await rows('select id from attempt')) {
    const answer = await fetch(`${simulatorUrl}/_/submissions?reference=${String(id)}`)
    const { data } = Submissions.parse(await answer.json())
    made.push(
      ...data.flatMap(({ outcome, reference }) => (outcome === 'accepted' ? reference : [])),
    )
  }
  return made
}

/** Clicks before, during and after something is away. Afterwards everything must have come right. */
async function through(away: () => Promise<void>, back: () => Promise<void>) {
  const [{ before } = { before: 0 }] = await rows('select count(*)::int as before from attempt')
  const clicking = startClicking(deps, accountId, prompts)
  await pause(WARM_UP_MS)
  await away()
  await pause(OUTAGE_MS)
  await back()
  await pause(WARM_UP_MS)
  const { clicks, sentAgain } = await clicking.stop()

  await expect.poll(restless, { timeout: QUIET_WITHIN_MS, interval: 500 }).toEqual([])
  // An answer that could not be recorded waits on the disk, and is told before long.
  const untold = () => readdir(inFolder('evidence')).catch(() => [])
  await expect.poll(untold, { timeout: QUIET_WITHIN_MS, interval: 500 }).toEqual([])
  await expect.poll(restless, { timeout: QUIET_WITHIN_MS, interval: 500 }).toEqual([])
  await expectInvariants(owner)
  const made = await tasksMade()
  expect(made.length).toBe(new Set(made).size)
  expect(
    processes.every(({ exitCode, signalCode }) => exitCode === null && signalCode === null),
  ).toBe(true)
  const [{ after } = { after: 0 }] = await rows('select count(*)::int as after from attempt')
  expect(Number(after) - Number(before)).toBe(clicks)
  return { sentAgain }
}

const kinds = async (kind: string) =>
  (await rows('select attempt_id from attempt_event where kind = $1', kind)).length

async function summary(what: string): Promise<void> {
  const states = await rows(
    `select a.state || case when a.state = 'status_unknown' then ' after ' || e.kind else '' end as state,
            count(*)::int as n
     from attempt a join attempt_event e on e.attempt_id = a.id and e.seq = a.version
     group by 1 order by 1`,
  )
  const words = states.map(({ state, n }) => `${String(state)}: ${String(n)}`).join(', ')
  process.stdout.write(`${what} for ${OUTAGE_MS / 1_000} s: ${words}\n`)
}

const timeout = 2 * OUTAGE_MS + 5 * MINUTE_MS

test(
  'a database that is away for a while loses no click and doubles none',
  { timeout },
  async () => {
    const { sentAgain } = await through(
      () => postgres.stop(),
      async () => {
        postgres = await startServer()
      },
    )
    expect(sentAgain).toBeGreaterThan(0)
    await summary('the database was away')
  },
)

test('a provider that nobody can look at for a while fails nothing', { timeout }, async () => {
  const faults = `${simulatorUrl}/_/faults`
  await through(
    async () => {
      const body = JSON.stringify({ fault: 'status-outage', times: 100_000, ms: OUTAGE_MS })
      expect((await fetch(faults, { method: 'POST', body })).status).toBe(201)
    },
    async () => {
      await fetch(faults, { method: 'DELETE' })
    },
  )
  expect(await kinds('look_failed')).toBeGreaterThan(0)
  await summary('the status was away')
})

test(
  'images that cannot be written for a while are written later, and made once',
  { timeout },
  async () => {
    // A file in the way: unlike a mode, it also stops whoever may do everything.
    await through(
      async () => {
        await rename(inFolder('images'), inFolder('images.kept'))
        await writeFile(inFolder('images'), 'in the way')
      },
      async () => {
        await rm(inFolder('images'))
        await rename(inFolder('images.kept'), inFolder('images'))
      },
    )
    expect(await kinds('store_failed')).toBeGreaterThan(0)
    const left = await rows(
      `select id from attempt where state in ('delivering', 'storage_failed')`,
    )
    expect(left).toEqual([])
    await summary('the folder of the images could not be written')
  },
)
