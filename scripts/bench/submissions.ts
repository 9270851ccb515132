import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { v7 as newUuid } from 'uuid'
import type { AccountId } from '@/lib/domain/ids'
import { createLogger } from '@/lib/logger'
import { createApiKey } from '@/lib/use-cases/api-keys'
import { openAccounts } from './accounts'
import type { BenchDatabase } from './database'
import { median, type Section } from './section'
import { askFor, startBenchWeb } from './web'

const run = promisify(execFile)
const CLIENTS = 16
const ACCOUNTS = 10_000
const KEYS = 200
const ROUNDS = 3
const SECONDS = 8
const WARM_UP_SECONDS = 4
const AIM = 0.5

// What a submission does in the database, by pgbench alone: the limit of this machine.
const TRANSACTION = `\\set n random(1, ${ACCOUNTS})
select * from submit_attempt(gen_random_uuid(), (select account_id from bench_account where n = :n),
  gen_random_uuid(), sha256(random()::text::bytea), 'simulator', 'simulator/proof', 'a lighthouse in fog',
  '{"width": 512, "height": 512, "seed": 1}', 1, sha256(random()::text::bytea), 0, null);
`

/** Submissions that were acknowledged, by the second: committed, with their price on hold. */
export const submissions: Section = {
  title: 'submissions',
  async run(database, print) {
    const folder = mkdtempSync(join(tmpdir(), 'darkroom-bench-web-'))
    const accounts = await openAccounts(database, ACCOUNTS)
    await numberAccounts(database)
    const keys = await Promise.all(accounts.slice(0, KEYS).map((id) => keyOf(database, id)))
    const web = await startBenchWeb({ database, folder, say: print })
    try {
      const hot = keys.slice(0, 1)
      const byApi: number[] = []
      const byHotAccount: number[] = []
      const byPgbench: number[] = []
      await submitFor(web.url, keys, WARM_UP_SECONDS)
      for (let round = 0; round < ROUNDS; round += 1) {
        byApi.push(await submitFor(web.url, keys, SECONDS))
        byHotAccount.push(await submitFor(web.url, hot, SECONDS))
        byPgbench.push(await pgbenchFor(database.ownerUrl, folder, SECONDS))
      }
      const [api, hotApi, limit] = [median(byApi), median(byHotAccount), median(byPgbench)]
      const line = (what: string, rate: number) =>
        print(
          `${what.padEnd(52)}${rate.toFixed(0).padStart(8)}${(rate / limit).toFixed(2).padStart(8)}`,
        )
      print(`${CLIENTS} clients, median of ${ROUNDS} rounds of ${SECONDS} s     a second   ratio`)
      line('pgbench, the same SQL function', limit)
      line(`HTTP API, ${KEYS} accounts of ${ACCOUNTS} (aim ${AIM})`, api)
      line('HTTP API, one hot account', hotApi)
      const figure = (name: string, value: number) =>
        ({ name, value, unit: '1/s', ratio: value / limit, to: 'pgbench' }) as const
      return [
        figure('pgbench', limit),
        figure('HTTP API', api),
        figure('HTTP API, one hot account', hotApi),
      ]
    } finally {
      await web.end()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Numbers the accounts, for pgbench to choose from. */
async function numberAccounts({ owner }: BenchDatabase): Promise<void> {
  await owner.pool.query(
    `create table bench_account as
     select row_number() over () as n, id as account_id from account`,
  )
  await owner.pool.query('create unique index on bench_account (n)')
  await owner.pool.query('vacuum analyze')
}

async function keyOf({ app }: BenchDatabase, accountId: AccountId): Promise<string> {
  const deps = { db: app, newId: newUuid, log: createLogger('bench', 'silent') }
  const created = await createApiKey(deps, accountId, 'bench')
  if (!created.ok) throw new Error('no key was made')
  return created.value.key
}

/** How many a second were acknowledged as new. */
const submitFor = (url: string, keys: readonly string[], seconds: number): Promise<number> =>
  askFor(url, CLIENTS, seconds, (n) => ({
    path: '/api/v1/attempts',
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys[n % keys.length] ?? ''}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: '{"model":"simulator/proof","prompt":"a lighthouse in fog"}',
    status: 201,
  }))

async function pgbenchFor(url: string, folder: string, seconds: number): Promise<number> {
  const script = join(folder, 'submit.sql')
  writeFileSync(script, TRANSACTION)
  const flags = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(seconds)]
  const { stdout } = await run('pgbench', [...flags, '-f', script, url])
  const tps = /tps = ([\d.]+)/.exec(stdout)?.[1]
  if (tps === undefined) throw new Error(stdout)
  return Number(tps)
}
