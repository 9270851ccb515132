import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, makeWorkerUtils, run as runGraphile } from 'graphile-worker'
import sharp from 'sharp'
import { createDeps } from '@/lib/deps'
import { AccountId } from '@/lib/domain/ids'
import { parseEnvironment } from '@/lib/env'
import { startAttempt } from '@/lib/use-cases/start-attempt'
import { startChild, type ChildSpec } from '@/scripts/launch/child'
import { FOLLOWING, following, workerProgram } from '@/scripts/launch/programs'
import { inRoot, root } from '@/scripts/launch/root'
import { openAccounts } from './accounts'
import type { BenchDatabase } from './database'
import type { Section } from './section'

const CLIENTS = 16
const ACCOUNTS = 50
const CREDITS = 1_000_000
const WARM_UP = 100
const COUNT = Number(process.env['BENCH_PIPELINE'] ?? 1_500)
const JOBS = 5_000
const SIDE_PX = 64
const DRAIN_MS = 5_000
const MODEL = 'compatible/instant'
const AIM = 3

/** From the click to the settled picture, one worker process, with a provider that answers at once. */
export const pipeline: Section = {
  title: 'pipeline',
  async run(database, print) {
    const folder = mkdtempSync(join(tmpdir(), 'darkroom-bench-pipeline-'))
    const provider = await startInstantProvider()
    try {
      const accounts = await openAccounts(database, ACCOUNTS)
      const ours = await ourRate(database, folder, provider.url, accounts)
      const dbos = await dbosRate(database, folder, provider.url)
      const graphile = await graphileRate(database)
      const line = (what: string, rate: number) =>
        print(
          `${what.padEnd(52)}${rate.toFixed(0).padStart(8)}${(rate / dbos).toFixed(2).padStart(8)}`,
        )
      print(`${COUNT} attempts, ${CLIENTS} at once             a second   ratio (aim ${AIM})`)
      line('Darkroom, one worker', ours.rate)
      line('DBOS Transact, one process', dbos)
      line('graphile-worker, jobs that do nothing', graphile)
      print(
        `an attempt's whole life: ${ours.commits.toFixed(1)} commits, ${ours.walBytes.toFixed(0)} bytes of WAL`,
      )
      const figure = (name: string, value: number) =>
        ({ name, value, unit: '1/s', ratio: value / dbos, to: 'DBOS Transact' }) as const
      return [
        { name: 'commits of an attempt', value: ours.commits, unit: 'commits' },
        { name: 'WAL of an attempt', value: ours.walBytes, unit: 'B' },
        figure('Darkroom', ours.rate),
        figure('DBOS Transact', dbos),
        figure('graphile-worker, no-op', graphile),
      ]
    } finally {
      provider.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Speaks enough of the Images API: every POST is answered with the same small picture. */
async function startInstantProvider() {
  const image = await sharp({
    create: { width: SIDE_PX, height: SIDE_PX, channels: 3, background: '#7a3b2e' },
  })
    .png()
    .toBuffer()
  const body = JSON.stringify({ created: 0, data: [{ b64_json: image.toString('base64') }] })
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Ours = {
  readonly rate: number
  /** Of one attempt, with the worker's looks that found nothing. Those that only read are not among them. */
  readonly commits: number
  readonly walBytes: number
}

/** Submits from here while a worker process works. */
async function ourRate(
  database: BenchDatabase,
  folder: string,
  providerUrl: string,
  accounts: readonly AccountId[],
): Promise<Ours> {
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: database.appUrl,
    DATA_DIR: folder,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    COMPATIBLE_BASE_URL: providerUrl,
    COMPATIBLE_MODELS: 'instant',
    SIMULATOR: 'off',
    DAILY_ALLOWANCE: '0',
    WORKER_CONCURRENCY: String(CLIENTS),
    LOG_LEVEL: 'info',
  } as const
  const deps = createDeps(parseEnvironment({ ...env, LOG_LEVEL: 'silent' }), 'bench')
  const spec = workerProgram(
    { mode: 'production', env: { ...process.env, ...env }, logsDir: folder },
    DRAIN_MS,
  )
  const worker = startChild(spec)
  const start = async (n: number) => {
    const started = await startAttempt(deps, AccountId.parse(accounts[n % ACCOUNTS]), {
      requestId: randomUUID(),
      model: MODEL,
      prompt: 'a lighthouse in fog',
      settings: { width: 512, height: 512 },
    })
    if (!started.ok) throw new Error(started.refusal.code)
  }
  try {
    await until(() => readFileSync(spec.logFile, 'utf8').includes('worker started'))
    const round = async (count: number) => {
      const already = await completed(database)
      const startedMs = performance.now()
      await Promise.all(
        Array.from({ length: CLIENTS }, async (_, client) => {
          for (let n = client; n < count; n += CLIENTS) await start(n)
        }),
      )
      await until(async () => (await completed(database)) >= already + count)
      return (count * 1_000) / (performance.now() - startedMs)
    }
    await round(WARM_UP)
    const before = await writtenBy(database)
    const rate = await round(COUNT)
    const after = await writtenBy(database)
    return {
      rate,
      commits: (after.commits - before.commits) / COUNT,
      walBytes: (after.wal_bytes - before.wal_bytes) / COUNT,
    }
  } finally {
    await worker.stop()
    await deps.db.close()
  }
}

/** What PostgreSQL has written so far: transactions that had something to write, and their log. */
async function writtenBy({ owner }: BenchDatabase) {
  const { rows } = await owner.pool.query<{ commits: number; wal_bytes: number }>(
    `select txid_current()::text::float8 as commits,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal_bytes`,
  )
  return rows[0] ?? { commits: NaN, wal_bytes: NaN }
}

async function completed({ owner }: BenchDatabase): Promise<number> {
  const { rows } = await owner.pool.query<{ n: number }>(
    `select count(*)::int as n from settlement where kind = 'settled'`,
  )
  return rows[0]?.n ?? 0
}

/** The same work as a durable workflow: `pipeline-dbos.ts` says what it took. */
async function dbosRate(
  { ownerUrl, owner }: BenchDatabase,
  folder: string,
  providerUrl: string,
): Promise<number> {
  await owner.pool.query(`
    create table bench_balance (id int primary key, available int not null, held int not null);
    create table bench_entry (attempt uuid not null, kind text not null, account int not null,
      amount int not null, at timestamptz not null default now(), primary key (attempt, kind));
    create table bench_artwork (attempt uuid primary key, sha256 text not null);
    insert into bench_balance select n, ${CREDITS}, 0 from generate_series(1, ${ACCOUNTS}) n`)
  const logFile = join(folder, 'dbos.log')
  const spec: ChildSpec = {
    name: 'dbos',
    command: process.execPath,
    args: [...FOLLOWING, '--import', 'tsx', inRoot('scripts', 'bench', 'pipeline-dbos.ts')],
    env: {
      ...process.env,
      ...following(),
      BENCH_APP_URL: ownerUrl,
      BENCH_PROVIDER_URL: `${providerUrl}/images/generations`,
      BENCH_FOLDER: join(folder, 'dbos'),
      BENCH_COUNTS: JSON.stringify([WARM_UP, COUNT]),
      BENCH_ACCOUNTS: String(ACCOUNTS),
      BENCH_AT_ONCE: String(CLIENTS),
    },
    cwd: root,
    logFile,
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    graceMs: DRAIN_MS,
  }
  const child = startChild(spec)
  const ending = await child.ended
  const output = readFileSync(logFile, 'utf8')
  const ms = /took (\d+(?:\.\d+)?) ms/.exec(output)?.[1]
  if (ms === undefined) throw new Error(`${ending}\n${output}`)
  return (COUNT * 1_000) / Number(ms)
}

async function graphileRate({ ownerUrl }: BenchDatabase): Promise<number> {
  const logger = new Logger(() => () => undefined)
  const utils = await makeWorkerUtils({ connectionString: ownerUrl, logger })
  await utils.migrate()
  await utils.withPgClient((client) =>
    client.query(`select graphile_worker.add_job('nothing') from generate_series(1, ${JOBS})`),
  )
  await utils.release()
  let done = 0
  const startedMs = performance.now()
  const runner = await runGraphile({
    connectionString: ownerUrl,
    concurrency: CLIENTS,
    noHandleSignals: true,
    logger,
    taskList: { nothing: () => void (done += 1) },
  })
  await until(() => done === JOBS)
  const rate = (JOBS * 1_000) / (performance.now() - startedMs)
  await runner.stop()
  return rate
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(20)
}
