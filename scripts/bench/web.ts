import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { buildIfChanged } from '@/scripts/launch/build'
import { startChild } from '@/scripts/launch/child'
import { findFreePort } from '@/scripts/launch/ports'
import { webProgram } from '@/scripts/launch/programs'
import { buildWeb } from '@/scripts/launch/run-alone'
import type { BenchDatabase } from './database'

const READY_MS_MAX = 60_000

export type BenchWeb = {
  readonly url: string
  /** What its cookies are signed with. */
  readonly secret: string
  readonly end: () => Promise<void>
}

/** One production web server on the bench's database, built first if it has to be, without its limits of rate. */
export async function startBenchWeb({
  database,
  folder,
  say,
}: {
  readonly database: BenchDatabase
  readonly folder: string
  readonly say: (line: string) => void
}): Promise<BenchWeb> {
  await buildIfChanged({ say, build: buildWeb })
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const secret = randomBytes(32).toString('hex')
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: database.appUrl,
    DATA_DIR: folder,
    PORT: String(port),
    APP_URL: url,
    AUTH_SECRET: secret,
    SIMULATOR: 'on',
    RATE_LIMIT: 'off',
    DAILY_ALLOWANCE: '0',
    LOG_LEVEL: 'warn',
  }
  const child = startChild(webProgram({ mode: 'production', env, logsDir: folder }, 1_000))
  const isLive = () =>
    fetch(`${url}/api/health/live`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const until = performance.now() + READY_MS_MAX; !(await isLive());) {
    if (child.hasEnded() || performance.now() > until)
      throw new Error('the web server is not ready')
    await pause(100)
  }
  return { url, secret, end: () => child.stop() }
}

/** The nth request of a run, and the status that it must be answered with. */
export type Ask = (n: number) => {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly status: number
}

/** How many a second were answered as they should be, by so many clients that each wait for their answer. */
export async function askFor(
  url: string,
  clients: number,
  seconds: number,
  ask: Ask,
): Promise<number> {
  const pool = new Pool(url, { connections: clients })
  const until = performance.now() + seconds * 1_000
  let answered = 0
  const askAll = async (client: number) => {
    for (let n = client; performance.now() < until; n += clients) {
      const { path, method = 'GET', headers, body: sent, status } = ask(n)
      const { statusCode, body } = await pool.request({
        path,
        method,
        headers: { ...headers },
        body: sent ?? null,
      })
      const text = await body.text()
      if (statusCode !== status) throw new Error(`${statusCode}: ${text}`)
      answered += 1
    }
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: clients }, (_, client) => askAll(client)))
  const rate = (answered * 1_000) / (performance.now() - startedMs)
  await pool.close()
  return rate
}
