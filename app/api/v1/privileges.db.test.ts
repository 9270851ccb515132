import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createApiKey } from '@/lib/use-cases/api-keys'
import { performAdminAct } from '@/lib/use-cases/perform-admin-act'
import { inRoot } from '@/scripts/launch/root'
import { addresses, callApi, serveWith } from '@/test/api'
import type { AccountId } from '@/lib/domain/ids'
import { openWorld } from '@/test/world'

// Nothing that an ordinary user can reach makes credits, changes whose they are, or ends an attempt.

const world = openWorld()
let accountId: AccountId
let victim: AccountId
let key: string

beforeAll(async () => {
  serveWith(world())
  accountId = await world().openAccount(3)
  victim = await world().openAccount(50)
  const created = await createApiKey(world().deps, accountId, 'test')
  if (!created.ok) throw new Error(created.refusal.code)
  key = created.value.key
})

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** What somebody would try who has read how the tables are called. */
const wishes = (): readonly Readonly<Record<string, unknown>>[] => [
  { kind: 'granted', amount: 1_000, credits: 1_000, reason: 'because I want to' },
  { available: 1_000, held: 0, spent: 0, granted: 1_000 },
  { account_id: victim, accountId: victim, userId: victim, user_id: victim, role: 'admin' },
  { state: 'failed', status: 'failed', settlement: 'released', failure_code: 'cancelled' },
  { action: 'compensate', reason: 'because I want to' },
  { price: 0, reserved_credits: 0, reserved: 'allowance', allowance_day: '2026-01-01' },
]
const attempt = { model: 'simulator/proof', prompt: 'a quiet lake' }

const granted = async (of: AccountId) => {
  const balance = await world().balance(of)
  const { available, held, spent } = z
    .object({ available: z.int(), held: z.int(), spent: z.int() })
    .parse(balance)
  return available + held + spent
}

test.each(addresses.flatMap(({ path }) => METHODS.map((method) => [method, path] as const)))(
  '%s %s makes no credits, whatever it is sent',
  async (method, path) => {
    const [own] = await world().rows(
      'select id from attempt where account_id = $1 limit 1',
      accountId,
    )
    const [foreign] = await world().rows('select id from attempt where account_id = $1', victim)
    const ids = [own?.['id'], foreign?.['id'], accountId, victim, randomUUID()].map(String)
    for (const id of path.includes('{id}') ? ids : ['']) {
      const address = path.replace('{id}', id)
      for (const wish of wishes()) {
        const sends = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
        for (const body of sends ? [wish, { ...attempt, ...wish }] : [undefined]) {
          const { status } = await callApi(method, `${address}?credits=1000&amount=1000`, {
            key,
            headers: { 'idempotency-key': randomUUID() },
            ...(body && { body: JSON.stringify(body) }),
          })
          expect(status, address).toBeLessThan(500)
        }
      }
    }
    expect(await granted(accountId)).toBe(3)
    expect(await granted(victim)).toBe(50)
  },
)

test.each(wishes())(
  'an attempt that asks for more than an attempt is refused: %j',
  async (wish) => {
    const { status, body } = await callApi('POST', '/api/v1/attempts', {
      key,
      headers: { 'idempotency-key': randomUUID() },
      body: JSON.stringify({ ...attempt, ...wish }),
    })
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'invalid_input' })
  },
)

test('another’s attempt is neither read nor cancelled by naming its account', async () => {
  const foreign = await world().start(victim)
  for (const rest of ['', '/image', '/cancel']) {
    const { status } = await callApi(
      rest === '/cancel' ? 'POST' : 'GET',
      `/api/v1/attempts/${foreign.id}${rest}?account_id=${victim}`,
      { key },
    )
    expect([404, 422]).toContain(status)
  }
  expect(await world().attempt(foreign)).toMatchObject({ state: 'initializing', settlement: null })
})

const sourcesUnder = (folder: string): readonly (readonly [path: string, source: string])[] =>
  readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => [join(folder, path), readFileSync(inRoot(folder, path), 'utf8')])

test('credits are made at sign-up, at the operator’s terminal and by admins, and nowhere else', () => {
  const makers = ['app', 'components', 'lib', 'simulator', 'worker']
    .flatMap(sourcesUnder)
    .filter(([, source]) =>
      /\b(grantCredits|correctCredits|grant_credits|correct_credits)\b/.test(source),
    )
    .map(([path]) => path)
  expect(makers.sort()).toEqual(['lib/db/account-store.ts', 'lib/db/admin-store.ts'])
})

const ACTS: readonly Readonly<Record<string, unknown>>[] = [
  { act: 'grant-credits', credits: 1_000 },
  { act: 'correct-credits', credits: 1_000 },
  { act: 'correct-credits', credits: -1 },
  { act: 'suspend' },
  { act: 'restore' },
  { act: 'end-sessions' },
  { act: 'read-prompts' },
  { act: 'unblock-provider', provider: 'simulator' },
  { act: 'look-again', version: 0 },
  { act: 'retry-delivery', version: 0 },
  { act: 'fail', version: 0, proof: 'because I want to' },
  { act: 'compensate', version: 0 },
  { act: 'attach-task', version: 0, taskId: 'task-1' },
]

// Neither a page nor a token is believed: the database knows who is an admin.
test.each(ACTS.flatMap((act) => (['user', 'admin'] as const).map((role) => [act, role] as const)))(
  'somebody who is no admin and asks for %j, calling themselves %s, gets nothing',
  async (act, role) => {
    const [accountId, victim] = [await world().openAccount(5), await world().openAccount(50)]
    const attempt = await world().start(victim)
    const asked = {
      id: randomUUID(),
      reason: 'because I want to',
      ...act,
      ...('version' in act ? { attemptId: attempt.id } : {}),
      ...(/credits|suspend|restore|sessions|prompts/.test(String(act['act']))
        ? { accountId: act['credits'] === 1_000 ? accountId : victim }
        : {}),
    }
    const user = { accountId, email: `${accountId}@example.com`, role }
    expect(await performAdminAct(world().deps, user, asked)).toMatchObject({
      ok: false,
      refusal: { code: 'not-admin' },
    })
    expect(await granted(accountId)).toBe(5)
    expect(await granted(victim)).toBe(50)
    expect(await world().attempt(attempt)).toMatchObject({
      state: 'initializing',
      settlement: null,
    })
    const [row] = await world().rows('select status from account where id = $1', victim)
    expect(row).toEqual({ status: 'active' })
  },
)
