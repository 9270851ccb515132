import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as newUuid } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { z } from 'zod'
import { grantCredits, registerIdentity } from '@/lib/db/account-store'
import { claimAttempts, type ClaimedAttempt } from '@/lib/db/attempt-store'
import { createDatabase } from '@/lib/db/database'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AccountId, AttemptId } from '@/lib/domain/ids'
import { simulatorModels } from './models'
import { createLogger } from '@/lib/logger'
import { createSimulatorProvider } from '@/lib/providers/simulator/provider'
import { createEvidenceFiles } from '@/lib/storage/evidence-files'
import { createFileImageStore } from '@/lib/storage/file-image-store'
import { noTrace } from '@/lib/trace/trace'
import type { WorkerDeps } from '@/lib/use-cases/deps'
import { startAttempt } from '@/lib/use-cases/start-attempt'
import { takeNextAction } from '@/lib/use-cases/take-next-action'
import { generation } from './factories'
import { startFakeProvider } from './fake-provider-server'
import { expectInvariants } from './invariants'
import { createTestDatabase, openTestPool } from './postgres'

// Real PostgreSQL, a real provider's socket, real files; only time is helped along.

export const LEASE_MS = 60_000
// Long enough for an answer on loopback under load, short enough to wait for one that never comes.
const SUBMIT_TIMEOUT_MS = 1_500
const ROUNDS_MAX = 40

export type World = Awaited<ReturnType<typeof createWorld>>

const AttemptRow = z.object({
  state: z.string(),
  settlement: z.string().nullable(),
  task_id: z.string().nullable(),
  failure_code: z.string().nullable(),
  failure_message: z.string().nullable(),
  version: z.number(),
})

async function createWorld() {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-world-'))
  const provider = await startFakeProvider()
  const owner = openTestPool(database.ownerUrl, 4)
  const logged: unknown[] = []
  const deps: WorkerDeps = {
    db: createDatabase({
      url: database.appUrl,
      isPooled: database.isPooled,
      applicationName: 'test',
      poolMax: 20,
      onError: (error) => logged.push(error),
    }),
    images: createFileImageStore(join(folder, 'images')),
    evidence: createEvidenceFiles(join(folder, 'evidence')),
    models: simulatorModels,
    readBlocks: () => Promise.resolve([]),
    signupCredits: 0,
    approvalAbove: undefined,
    dailyAllowance: 0,
    callbackSecret: 'the secret of callback addresses in tests',
    newId: newUuid,
    log: createLogger('test', 'info', { write: (line) => void logged.push(JSON.parse(line)) }),
    trace: noTrace,
    providers: new Map([
      ['simulator', createSimulatorProvider({ baseUrl: provider.url, now: () => new Date() })],
    ]),
    compensationPolicy: undefined,
    watch: {
      thresholds: { unresolvedMs: undefined, heldCredits: undefined },
      webhook: undefined,
      email: undefined,
      auditEveryMs: undefined,
    },
    workerId: 'worker:test',
    appUrl: 'http://127.0.0.1:3000',
    allowPrivateResultHosts: false,
    leaseMs: LEASE_MS,
    submitTimeoutMs: SUBMIT_TIMEOUT_MS,
    random: () => 0,
    monotonicMs: () => performance.now(),
  }

  async function rows(sql: string, ...values: readonly unknown[]) {
    const { rows: found } = await owner.query<Record<string, unknown>>(sql, [...values])
    return found
  }

  async function openAccount(credits = 100): Promise<AccountId> {
    const accountId = AccountId.parse(newUuid())
    await registerIdentity(deps.db, {
      accountId,
      email: `${accountId}@example.com`,
      name: 'Ada',
      role: 'user',
      passwordHash: '$argon2id$of-a-test',
      signupCredits: credits,
    })
    return accountId
  }

  async function start(accountId: AccountId, changed: object = {}): Promise<AttemptKey> {
    const input = { requestId: randomUUID(), ...generation, ...changed }
    const started = await startAttempt(deps, accountId, input)
    if (!started.ok) throw new Error(`not started: ${JSON.stringify(started.refusal)}`)
    return { id: AttemptId.parse(started.value.attempt.id), accountId }
  }

  async function keyOf(id: string): Promise<AttemptKey> {
    const [row] = await rows('select account_id from attempt where id = $1', id)
    return { id: AttemptId.parse(id), accountId: AccountId.parse(row?.['account_id']) }
  }

  const grant = (accountId: AccountId, credits: number) =>
    grantCredits(deps.db, {
      accountId,
      credits,
      sourceKey: randomUUID(),
      actor: 'test',
      reason: 'as a test has it',
    })

  /** As if its pause had passed; with `lease`, as if the worker that held it were dead. */
  const makeDue = ({ id }: AttemptKey, { lease = false } = {}) =>
    rows(
      `update attempt_work set due_at = now() - interval '1 second',
              lease_until = case when lease_until is not null then now() - interval '1 second' end
       where attempt_id = $1 and (lease_until is null or $2)`,
      id,
      lease,
    )

  /** What a worker claims of these. Whatever else was due is given back as it was. */
  async function claim(...keys: readonly AttemptKey[]): Promise<readonly ClaimedAttempt[]> {
    const wanted = new Set(keys.map(({ id }) => id))
    const claimed = await claimAttempts(deps.db, 1_000, LEASE_MS)
    const others = claimed.flatMap(({ key }) => (wanted.has(key.id) ? [] : key.id))
    if (others.length > 0) {
      await rows(
        'update attempt_work set lease_until = null, due_at = now() where attempt_id = any($1)',
        others,
      )
    }
    return claimed.filter(({ key }) => wanted.has(key.id))
  }

  async function claimOne(key: AttemptKey): Promise<ClaimedAttempt> {
    await makeDue(key)
    const [claimed] = await claim(key)
    if (!claimed) throw new Error('it was not due')
    return claimed
  }

  /** The one thing that a worker would do now. */
  async function step(
    key: AttemptKey,
    { lease = false, by = deps }: { readonly lease?: boolean; readonly by?: WorkerDeps } = {},
  ): Promise<void> {
    await makeDue(key, { lease })
    for (const claimed of await claim(key)) await takeNextAction(by, claimed)
  }

  /** Acts until nothing is learned any more, as workers would in a long time. */
  async function runToQuiet(
    key: AttemptKey,
    options: { readonly lease?: boolean; readonly by?: WorkerDeps } = {},
  ): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const { version } = await attempt(key)
      await step(key, options)
      if ((await attempt(key)).version === version) return
    }
    throw new Error(`not quiet after ${ROUNDS_MAX} rounds`)
  }

  async function attempt(key: AttemptKey) {
    const [row] = await rows('select * from attempt where id = $1', key.id)
    return AttemptRow.parse(row)
  }

  const column = async (name: string, sql: string, ...values: readonly unknown[]) =>
    (await rows(sql, ...values)).map((row) => row[name])

  return {
    ...deps,
    deps,
    owner,
    appUrl: database.appUrl,
    directUrl: database.directUrl,
    isPooled: database.isPooled,
    provider,
    logged,
    folder,
    rows,
    openAccount,
    start,
    keyOf,
    grant,
    makeDue,
    claim,
    claimOne,
    step,
    runToQuiet,
    attempt,
    /** The kinds of its history, in order. */
    history: (key: AttemptKey) =>
      column('kind', 'select kind from attempt_event where attempt_id = $1 order by seq', key.id),
    /** The kinds of its ledger lines, in order. */
    entries: (key: AttemptKey) =>
      column('kind', 'select kind from ledger_entry where attempt_id = $1 order by seq', key.id),
    anomalies: (key: AttemptKey) =>
      column('kind', 'select kind from anomaly where attempt_id = $1 order by created_at', key.id),
    async balance(accountId: AccountId) {
      const [row] = await rows(
        'select available, held, spent from account where id = $1',
        accountId,
      )
      return row
    },
    async close() {
      await deps.db.close()
      await owner.end()
      await provider.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A world of its own for a test file. After each test the books are audited. */
export function openWorld(): () => World {
  let world: World | undefined
  const get = () => {
    if (!world) throw new Error('the world is not made yet')
    return world
  }
  beforeAll(async () => {
    world = await createWorld()
  })
  beforeEach(() => get().provider.reset())
  afterEach(async () => {
    await expectInvariants(get().owner)
    expect(get().provider.mostTasksOfOne()).toBeLessThanOrEqual(1)
  })
  afterAll(() => get().close())
  return get
}
