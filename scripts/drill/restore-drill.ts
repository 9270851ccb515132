import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { registerIdentity } from '@/lib/db/account-store'
import { createDeps, type AppDeps } from '@/lib/deps'
import { AccountId, TaskId } from '@/lib/domain/ids'
import { parseEnvironment, type Environment } from '@/lib/env'
import { auditLedger } from '@/lib/use-cases/audit-ledger'
import { doubtUnsent } from '@/lib/use-cases/doubt-unsent'
import { reconcileAttempt } from '@/lib/use-cases/reconcile-attempt'
import { startAttempt } from '@/lib/use-cases/start-attempt'
import { LaunchError } from '@/scripts/launch/launch-error'
import { withClient } from '@/scripts/launch/roles'
import { until } from '@/scripts/launch/until'
import { applyMigrations } from '@/scripts/migrate'
import { createWorkerDeps } from '@/worker/deps'
import { runLoop } from '@/worker/loop'
import { startCluster } from './cluster'

const WORK_MS_MAX = 60_000
const CREDITS = 1_000

const Submissions = z.object({
  data: z.array(
    z.object({ reference: z.string(), outcome: z.string(), task_id: z.string().nullable() }),
  ),
})

export type DrillResult = {
  /** The moment that the database was restored to. */
  readonly target: Date
  /** Of the attempts that the restored database has: each id and its state, then and in the end. */
  readonly restored: Readonly<Record<string, string>>
  readonly ended: Readonly<Record<string, string>>
  /** Delivered before the backup, and between it and the moment. */
  readonly delivered: readonly string[]
  /** Recorded then, and sent after it. */
  readonly queued: string
  /** At its provider then, and delivered after it. */
  readonly pending: string
  /** Recorded after it: its provider has a task, and this database knows nothing. */
  readonly lost: string
  /** How many tasks the provider made of each attempt. */
  readonly tasks: Readonly<Record<string, number>>
  readonly differences: number
  /** What the restored database makes of the lost click when a browser sends it again. */
  readonly again: string
}

/**
 * Loses a database in the middle of its work, restores it to an earlier moment, follows
 * docs/BACKUP.md, and answers what became of everything.
 */
export async function drillRestore(
  simulator: string,
  say: (line: string) => void,
): Promise<DrillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-drill-'))
  const cluster = await startCluster(folder)
  try {
    await applyMigrations(cluster.ownerUrl)
    const env = parseEnvironment({
      DATABASE_URL: cluster.appUrl,
      DATA_DIR: join(folder, 'data'),
      AUTH_SECRET: 'a secret of the drill, the same before and after',
      SIMULATOR: 'on',
      SIMULATOR_URL: simulator,
      LOG_LEVEL: 'silent',
    })
    const stage = createStage(env, cluster.ownerUrl, simulator)

    say('Two images are made, a base backup is taken, and two more are made.')
    const account = await stage.openAccount()
    const delivered = [await stage.click(account), await stage.click(account)]
    await stage.workUntil(delivered, ['completed'])
    await cluster.backUp()
    delivered.push(await stage.click(account), await stage.click(account))
    await stage.workUntil(delivered, ['completed'])

    const pending = await stage.click(account)
    await stage.workUntil([pending], ['pending'])
    const queued = await stage.click(account)
    await pause(50)
    const target = await cluster.now()
    await pause(50)
    say(`It is ${target.toISOString()}: one attempt is at its provider, one is queued.`)

    const lostInput = stage.inputOf()
    const lost = await stage.click(account, lostInput)
    await stage.workUntil([pending, queued, lost], ['completed'])
    await cluster.archiveNow()
    say('All three are delivered, one of them clicked after that moment. The database is lost.')
    await cluster.lose()

    await cluster.restoreTo(target)
    const restored = await stage.states()
    say(`It is restored to that moment: ${wordsOf(restored)}.`)
    const doubted = await stage.doubt()
    await stage.workUntil([queued], ['status_unknown'])
    say(`${doubted} queued attempt was taken as sent, before workers ran: it is unresolved.`)
    await stage.attach(queued)
    say('An operator finds its task at the provider and attaches it.')
    const again = await stage.click(account, lostInput)
    await stage.workUntil([...Object.keys(restored), again], ['completed'])
    const ended = await stage.states()
    say(`Workers have gone on: ${wordsOf(ended)}.`)
    const differences = await stage.differences()
    return {
      target,
      restored,
      ended,
      delivered,
      queued,
      pending,
      lost,
      tasks: await stage.tasksMade(),
      differences,
      again,
    }
  } finally {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}

const wordsOf = (states: Readonly<Record<string, string>>) =>
  Object.entries(counted(Object.values(states)))
    .map(([state, count]) => `${count} ${state}`)
    .join(', ')

/** Everything with connections of its own each time: a server that is lost takes all along. */
function createStage(env: Environment, ownerUrl: string, simulator: string) {
  async function withDeps<Value>(work: (deps: AppDeps) => Promise<Value>): Promise<Value> {
    const deps = createDeps(env, 'drill')
    try {
      return await work(deps)
    } finally {
      await deps.db.close()
    }
  }
  const states = () => readStates(ownerUrl)
  const inputOf = () => ({
    requestId: randomUUID(),
    model: 'simulator/proof',
    prompt: 'a lighthouse in the fog',
    settings: { width: 512, height: 512, seed: 1 },
  })

  return {
    states,
    inputOf,
    openAccount: () =>
      withDeps(async ({ db, newId }) => {
        const accountId = AccountId.parse(newId())
        await registerIdentity(db, {
          accountId,
          email: 'ada@example.com',
          name: 'Ada',
          role: 'user',
          passwordHash: '$argon2id$of-a-drill',
          signupCredits: CREDITS,
        })
        return accountId
      }),
    click: (accountId: AccountId, input: unknown = inputOf()) =>
      withDeps(async (deps) => {
        const started = await startAttempt(deps, accountId, input)
        if (!started.ok) throw new LaunchError(`not started: ${started.refusal.code}`)
        return started.value.attempt.id
      }),
    async workUntil(ids: readonly string[], wanted: readonly string[]): Promise<void> {
      const deps = await createWorkerDeps(env)
      const stop = new AbortController()
      const loop = runLoop(deps, 4, stop.signal)
      const isSo = async () => {
        const now = await states()
        return ids.every((id) => wanted.includes(now[id] ?? ''))
      }
      const isDone = await until(isSo, { withinMs: WORK_MS_MAX, everyMs: 20 })
      stop.abort()
      await loop
      await deps.db.close()
      if (!isDone) throw new LaunchError(`not all are ${wanted.join()}: ${wordsOf(await states())}`)
    },
    doubt: () => withDeps(async (deps) => (await doubtUnsent(deps, 'operator:drill')).length),
    differences: () => withDeps(async (deps) => (await auditLedger(deps)).violations.length),
    tasksMade: async () => counted((await tasksAt(simulator)).map(({ reference }) => reference)),
    /** As an operator who found the task at the provider by its reference, which is the attempt. */
    attach: (id: string) =>
      withDeps(async (deps) => {
        const task = (await tasksAt(simulator)).find(({ reference }) => reference === id)
        const taskId = TaskId.parse(task?.task_id)
        const reason = 'found at the provider after the restore'
        const act = { kind: 'attach-task', taskId, reason } as const
        const done = await reconcileAttempt(deps, id, act, 'operator:drill')
        if (!done.ok) throw new LaunchError(done.refusal.message)
      }),
  }
}

async function readStates(ownerUrl: string): Promise<Readonly<Record<string, string>>> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query('select id, state from attempt')
    const states = z.array(z.object({ id: z.string(), state: z.string() })).parse(rows)
    return Object.fromEntries(states.map(({ id, state }) => [id, state]))
  })
}

/** The provider's own list of what it accepted. */
async function tasksAt(simulator: string): Promise<z.infer<typeof Submissions>['data']> {
  const answer = await fetch(`${simulator}/_/submissions`)
  const { data } = Submissions.parse(await answer.json())
  return data.filter(({ outcome }) => outcome === 'accepted')
}
