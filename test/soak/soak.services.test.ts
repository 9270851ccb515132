import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createDeps, type AppDeps } from '@/lib/deps'
import { registerIdentity } from '@/lib/db/account-store'
import { AccountId } from '@/lib/domain/ids'
import { parseEnvironment } from '@/lib/env'
import { createApiKey } from '@/lib/use-cases/api-keys'
import { auditLedger } from '@/lib/use-cases/audit-ledger'
import { findInvariantBreaks } from '@/test/invariant-queries'
import { say, startClients } from './clients'
import { startFleet, type Fleet } from './fleet'
import { troubles } from './trouble'

// What `npm test` has time for. `npm run test:soak` is the long form.
const ATTEMPTS = Number(process.env['SOAK_ATTEMPTS'] ?? 300)
const LOAD_MS = Number(process.env['SOAK_SECONDS'] ?? 110) * 1_000
const QUIET_WITHIN_MS = LOAD_MS + 300_000
const ACCOUNTS = 20
const SAMPLE = 60

const prompts = [
  ...Array.from({ length: 9 }, (_, n) => `a quiet lake ${n}`),
  'told three times #drill:callback-twice',
  'a forged word first #drill:callback-forged',
  'never told #drill:no-callback',
  'asked to wait #drill:429',
  'failing #drill:fail',
  'refused #drill:moderate',
  'the answer comes late #drill:late-answer',
  'the answer is lost and a callback comes #drill:late-success',
  'the answer is lost for ever #drill:lost-answer',
]

let fleet: Fleet
let deps: AppDeps
const endings: (() => Promise<void>)[] = []
let keys: readonly string[]

beforeAll(async () => {
  fleet = await startFleet()
  endings.push(fleet.stop)
  deps = createDeps(
    parseEnvironment({ ...fleet.env, PORT: '3000', LOG_LEVEL: 'silent', WORKER: 'external' }),
    'test',
  )
  endings.push(deps.db.close)
  keys = await Promise.all(Array.from({ length: ACCOUNTS }, () => newKey()))
}, 400_000)
afterAll(async () => {
  for (const end of endings.reverse()) await end()
}, 120_000)

async function newKey(): Promise<string> {
  const accountId = AccountId.parse(deps.newId())
  await registerIdentity(deps.db, {
    accountId,
    email: `${accountId}@example.com`,
    name: 'Ada',
    role: 'user',
    passwordHash: '$argon2id$of-a-test',
    signupCredits: 1_000_000,
  })
  const created = await createApiKey(deps, accountId, 'a program')
  if (!created.ok) throw new Error('no key was made')
  return created.value.key
}

const rows = async (sql: string) => (await fleet.owner.query<Record<string, unknown>>(sql)).rows

const Submissions = z.object({ data: z.array(z.object({ outcome: z.string() })) })
async function tasksOf(attemptId: string): Promise<number> {
  const answer = await fetch(`${fleet.simulatorUrl}/_/submissions?reference=${attemptId}`)
  const { data } = Submissions.parse(await answer.json())
  return data.filter(({ outcome }) => outcome === 'accepted').length
}

/** What neither ended nor came to rest as honestly unresolved, and what waits on a disk to be told. */
async function restless(): Promise<readonly unknown[]> {
  const open = await rows(
    `select id, state from attempt where state not in ('completed', 'failed', 'status_unknown')`,
  )
  const untold = await Promise.all(
    fleet.evidenceFolders.map((folder) => readdir(folder).catch(() => [])),
  )
  return [...open, ...untold.flat()]
}

test(
  'several of everything, each of them killed or restarted under load, lose and double nothing',
  { timeout: 3 * QUIET_WITHIN_MS },
  async () => {
    const { webUrls } = fleet
    const { done } = startClients({ webUrls, keys, prompts, count: ATTEMPTS, ms: LOAD_MS })
    for (const { what, make } of troubles) {
      await pause(LOAD_MS / troubles.length / 3)
      say(what)
      await make(fleet)
    }
    const { clicks, sentAgain } = await done
    await expect.poll(restless, { timeout: QUIET_WITHIN_MS, interval: 1_000 }).toEqual([])

    // Each click is one attempt, and each attempt at most one task.
    expect(new Set(clicks.map(({ attemptId }) => attemptId)).size).toBe(ATTEMPTS)
    expect(await rows('select count(*)::int as attempts from attempt')).toEqual([
      { attempts: ATTEMPTS },
    ])
    const tasks = new Map<string, number>()
    for (const { attemptId } of clicks) tasks.set(attemptId, await tasksOf(attemptId))
    expect([...tasks].filter(([, made]) => made > 1)).toEqual([])
    expect(sentAgain).toBeGreaterThan(0)

    // The books are right, by every rule that there is.
    expect(await findInvariantBreaks(fleet.owner)).toEqual({})
    expect(await auditLedger(deps)).toMatchObject({ ok: true })

    // What was charged for is there, byte for byte, on each web server.
    const delivered = await rows(
      `select id, account_id from attempt where state = 'completed' order by random() limit ${SAMPLE}`,
    )
    expect(delivered.length).toBeGreaterThan(ATTEMPTS / 10)
    for (const { id } of delivered) {
      const made = clicks.findIndex(({ attemptId }) => attemptId === id)
      const key = keys[made % keys.length] ?? ''
      for (const url of webUrls) {
        const image = await fetch(`${url}/api/v1/attempts/${String(id)}/image`, {
          headers: { authorization: `Bearer ${key}` },
        })
        expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
        await image.arrayBuffer()
      }
    }

    // Nothing is unresolved but what was sent and whose answer was lost, to the drill or to a death.
    const unresolved = await rows(
      `select a.id, a.prompt like '%#drill:lost-answer%' as is_drill,
              exists (select from submission s where s.attempt_id = a.id) as was_sent
       from attempt a where a.state = 'status_unknown'`,
    )
    expect(unresolved.filter(({ was_sent: wasSent }) => wasSent !== true)).toEqual([])
    const drills = unresolved.filter(({ is_drill: isDrill }) => isDrill === true).length
    say(
      `${ATTEMPTS} attempts, ${sentAgain} sent again, ${delivered.length} pictures looked at; unresolved: ` +
        `${drills} by drill, ${unresolved.length - drills} by a death`,
    )
  },
)
