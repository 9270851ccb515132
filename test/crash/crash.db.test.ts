import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type AccountId } from '@/lib/domain/ids'
import { startAttempt } from '@/lib/use-cases/start-attempt'
import { findFreePort } from '@/scripts/launch/ports'
import { generation } from '@/test/factories'
import { expectInvariants } from '@/test/invariants'
import { openWorld } from '@/test/world'
import { end, runMortalWorker, startUntil } from './processes'

// Real processes, killed with SIGKILL at each effect on the world, in order and at random. Attempts
// go on being made all the while. In the end nothing is lost and nothing is doubled.

const world = openWorld()

const KILLS = Number(process.env['CRASH_KILLS'] ?? 10)
// Enough that a life reaches from its first claim to storing what earlier lives had submitted, with a
// stride that meets every effect.
const EFFECTS_MAX = 60
const STRIDE = 7
const WORKER_LIMIT_MS = 12_000
const MINUTE_MS = 60_000
// What a person would wait for at most once everything is well again.
const QUIET_WITHIN_MS = 2 * MINUTE_MS
const SECRET = 'a secret of the crash test, long enough'
const prompts = [
  'a quiet lake',
  'a lake that fails #drill:fail',
  'a lake whose answer is lost #drill:lost-answer',
  'a busy lake #drill:429',
]

const Submissions = z.object({
  data: z.array(z.object({ reference: z.string(), outcome: z.string() })),
})

let simulator: ChildProcess | undefined
let folder = ''
afterAll(async () => {
  await end(simulator)
  await rm(folder, { recursive: true, force: true })
})

test(
  `${KILLS} killed workers lose nothing and double nothing`,
  { timeout: KILLS * 20_000 + 5 * MINUTE_MS },
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'darkroom-crash-'))
    const simulatorUrl = `http://127.0.0.1:${await findFreePort()}`
    const env = {
      DATABASE_URL: world().appUrl,
      DATABASE_POOLED: world().isPooled ? '1' : '0',
      DATA_DIR: folder,
      AUTH_SECRET: SECRET,
      SIMULATOR: 'on',
      SIMULATOR_URL: simulatorUrl,
      SIMULATOR_LATENCY_MS: '200',
      LEASE_MS: '1500',
      SUBMIT_TIMEOUT_MS: '1000',
      LOG_LEVEL: 'silent',
    }
    simulator = await startUntil(
      'simulator/main.ts',
      { ...env, LOG_LEVEL: 'info' },
      'simulator ready',
    )
    const accountId = await world().openAccount(100_000)

    const deaths = await killWorkers(accountId, env)
    const survivor = await startUntil('worker/main.ts', { ...env, LOG_LEVEL: 'info' }, 'started')
    await expect.poll(() => restless(), { timeout: QUIET_WITHIN_MS, interval: 500 }).toEqual([])
    await end(survivor)

    await expectInvariants(world().owner)
    expect(await tasksTwice(simulatorUrl)).toEqual([])
    const [{ attempts } = { attempts: 0 }] = await world().rows(
      'select count(*)::int as attempts from attempt',
    )
    expect(attempts).toBe(deaths.length * prompts.length)
    process.stdout.write(`${summary(deaths)}\n`)
  },
)

async function killWorkers(
  accountId: AccountId,
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const deaths: string[] = []
  // Each effect once before and once after it; the deaths after those are drawn.
  const drawn = fc.sample(fc.nat({ max: EFFECTS_MAX - 1 }), KILLS)
  for (let kill = 0; kill < KILLS; kill += 1) {
    for (const prompt of prompts) {
      const input = { requestId: randomUUID(), ...generation, prompt }
      expect((await startAttempt(world().deps, accountId, input)).ok).toBe(true)
    }
    const round = Math.floor(kill / EFFECTS_MAX)
    // A stride that meets every effect once a round, and is spread over a life in a short run.
    const effect = 1 + (round < 2 ? (kill * STRIDE) % EFFECTS_MAX : (drawn[kill] ?? 0))
    const when = (kill + round) % 2 === 0 ? 'before' : 'after'
    deaths.push(await runMortalWorker({ effect, when }, env, WORKER_LIMIT_MS))
  }
  return deaths
}

/** What has neither ended nor come to rest as honestly unresolved. */
const restless = () =>
  world().rows(
    `select id, state from attempt where state not in ('completed', 'failed', 'status_unknown')`,
  )

/** References that the simulator made more than one task for. It keeps what it received itself. */
async function tasksTwice(simulatorUrl: string): Promise<readonly string[]> {
  const ids = await world().rows('select id from attempt')
  const twice: string[] = []
  for (const { id } of ids) {
    const answer = await fetch(`${simulatorUrl}/_/submissions?reference=${String(id)}`)
    const { data } = Submissions.parse(await answer.json())
    if (data.filter(({ outcome }) => outcome === 'accepted').length > 1) twice.push(String(id))
  }
  return twice
}

function summary(deaths: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const death of deaths) counts.set(death, (counts.get(death) ?? 0) + 1)
  return [...counts]
    .sort()
    .map(([death, times]) => `${death}: ${times}`)
    .join('\n')
}
