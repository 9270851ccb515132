import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { launch, type Launched } from '@/scripts/launch/launch'
import { findFreePort } from '@/scripts/launch/ports'

/** A whole Darkroom as `npm start` makes it, in a folder of its own, and a way to look behind it. */
export type Installation = Launched & {
  readonly ledger: (email: string) => Promise<readonly LedgerLine[]>
  readonly submissions: (attemptId: string) => Promise<number>
  readonly sql: Pool
  readonly dataDir: string
}
export type LedgerLine = { readonly kind: string; readonly amount: number }

export async function startInstallation(
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly installation: Installation; readonly end: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'darkroom e2e '))
  const launched = await launch({
    mode: 'production',
    say: () => undefined,
    env: {
      ...process.env,
      // Whatever the caller's own installation is, the tests are about theirs.
      DATABASE_URL: undefined,
      DATABASE_OWNER_URL: undefined,
      SIMULATOR_URL: undefined,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      PORT: String(await findFreePort()),
      SIMULATOR_LATENCY_MS: '1500',
      // Nobody waits for a browser that a test has left open.
      DRAIN_MS: '1000',
      LEASE_MS: '6000',
      SUBMIT_TIMEOUT_MS: '4000',
      DAILY_ALLOWANCE: '0',
      // All of a file's people come from one address.
      RATE_LIMIT: 'off',
      ...env,
    },
  })
  const sql = new Pool({ connectionString: launched.ownerUrl, max: 2 })
  sql.on('error', () => undefined) // The database is killed on purpose in some tests.
  const installation: Installation = {
    ...launched,
    sql,
    dataDir,
    ledger: async (email) => {
      const { rows } = await sql.query<LedgerLine>(
        `select kind, amount from ledger_entry
         join user_identity using (account_id) where email = $1 order by seq`,
        [email],
      )
      return rows
    },
    submissions: async (attemptId) => {
      const answer = await fetch(`${launched.simulatorUrl}/_/submissions?reference=${attemptId}`)
      const { count } = (await answer.json()) as { count: number }
      return count
    },
  }
  return {
    installation,
    end: async () => {
      await sql.end()
      await launched.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
