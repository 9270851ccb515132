import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { registerIdentity } from '@/lib/db/account-store'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AccountId } from '@/lib/domain/ids'
import { acceptedAndReset } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { listAdminAttempts, type AdminAttemptsQuery } from './list-admin-attempts'
import { performAdminAct, type Admin } from './perform-admin-act'
import { readAdminLog } from './read-admin-log'
import { readAdminOverview } from './read-admin-overview'
import { reviewAccount, searchAccounts } from './review-accounts'
import { readPrivateImage, reviewForAdmin } from './review-attempts'

const world = openWorld()
const reason = 'somebody asked where their image is'
const nobody: Admin = {
  accountId: AccountId.parse(randomUUID()),
  email: 'nobody@example.com',
  role: 'user',
}

async function openAdmin(): Promise<Admin> {
  const accountId = AccountId.parse(world().newId())
  const person = { accountId, email: `${accountId}@example.com`, role: 'admin' } as const
  const signUp = { name: 'Grace', passwordHash: '$argon2id$of-a-test', signupCredits: 0 }
  await registerIdentity(world().db, { ...person, ...signUp })
  return person
}

async function unresolved(prompt = 'a private thing'): Promise<AttemptKey> {
  const key = await world().start(await world().openAccount(10), { prompt })
  world().provider.answer('submit', acceptedAndReset)
  await world().step(key)
  world().provider.reset()
  return key
}

const listed = async (admin: Admin, query: AdminAttemptsQuery) =>
  (await listAdminAttempts(world(), admin, { ...query, limit: 100 })).data.map(({ id }) => id)
const perform = (admin: Admin, asked: object) =>
  performAdminAct(world(), admin, { id: randomUUID(), reason, ...asked })

test('the overview says what is open, how old it is, what it holds and what it cost', async () => {
  const admin = await openAdmin()
  const before = await readAdminOverview(world(), admin)
  const key = await unresolved()
  await world().rows(
    `select record_usage($1, $2, null, null, '{"cost": {"amount": 0.04, "unit": "USD"}}')`,
    key.accountId,
    key.id,
  )
  await world().rows(`insert into worker_heartbeat values ('worker:a', now(), now())`)
  await world().rows(
    `insert into worker_heartbeat values ('worker:b', now(), now() - interval '1 hour')`,
  )
  await world().rows(`select block_provider('fal', 'the key is refused', 60000)`)
  const overview = await readAdminOverview(world(), admin)
  const of = (view: typeof overview) =>
    view?.unresolved.find(({ provider, age }) => provider === 'simulator' && age === 'under-10m')
  expect(of(overview)?.attempts).toBe((of(before)?.attempts ?? 0) + 1)
  expect(overview?.open.find(({ state }) => state === 'status_unknown')?.held).toBeGreaterThan(0)
  expect(overview?.workers).toMatchObject([
    { id: 'worker:a', is_silent: false },
    { id: 'worker:b', is_silent: true },
  ])
  expect(overview?.blocks).toMatchObject([{ provider: 'fal', reason: 'the key is refused' }])
  expect(overview?.costs).toMatchObject([
    { of: 'unresolved', provider: 'simulator', unit: 'USD', amount: 0.04 },
  ])
  const { version } = await world().attempt(key)
  await perform(admin, { act: 'compensate', attemptId: key.id, version })
  expect((await readAdminOverview(world(), admin))?.costs).toMatchObject([
    { of: 'compensated', provider: 'simulator', unit: 'USD', amount: 0.04 },
  ])
})

test('the list shows what is open, by state, provider, age and what is the matter with it', async () => {
  const admin = await openAdmin()
  const key = await unresolved()
  const done = await world().start(await world().openAccount(10))
  await world().runToQuiet(done)
  expect(await listed(admin, {})).toContain(key.id)
  expect(await listed(admin, {})).not.toContain(done.id)
  expect(await listed(admin, { state: 'status_unknown', provider: 'simulator' })).toContain(key.id)
  expect(await listed(admin, { state: 'pending' })).not.toContain(key.id)
  expect(await listed(admin, { provider: 'fal' })).toEqual([])
  expect(await listed(admin, { age: 'under-10m' })).toContain(key.id)
  expect(await listed(admin, { age: 'over-1d' })).toEqual([])
  expect(await listed(admin, { with: 'anomaly' })).toEqual([])
  await world().rows(
    `insert into anomaly (id, kind, attempt_id, account_id, detail) values ($1, 'second_task', $2, $3, 'x')`,
    randomUUID(),
    done.id,
    done.accountId,
  )
  expect(await listed(admin, { with: 'anomaly' })).toEqual([done.id])
  await world().rows(
    `insert into stray_task (provider, task_id, attempt_id, account_id) values ('simulator', 'y', $1, $2)`,
    done.id,
    done.accountId,
  )
  expect(await listed(admin, { with: 'second-task' })).toEqual([done.id])
  expect(await listed(admin, { with: 'spooled' })).toEqual([])
  const { version } = await world().attempt(key)
  await perform(admin, { act: 'compensate', attemptId: key.id, version })
  expect(await listed(admin, { with: 'compensated' })).toContain(key.id)
  expect(await listed(admin, { state: 'nonsense', age: 'nonsense' })).toContain(key.id)
})

test('pages of the list follow each other without a gap', async () => {
  const admin = await openAdmin()
  await Promise.all([unresolved(), unresolved(), unresolved()])
  const all = await listed(admin, {})
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await listAdminAttempts(world(), admin, { cursor, limit: 2 })
    paged.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  }
  expect(paged).toEqual(all)
})

test('a search finds an attempt by its id, its request, its task or its owner', async () => {
  const admin = await openAdmin()
  const key = await world().start(await world().openAccount(10))
  await world().runToQuiet(key)
  const [row] = await world().rows(
    `select request_id, task_id, email from attempt join user_identity using (account_id) where id = $1`,
    key.id,
  )
  for (const word of [key.id, key.id.toUpperCase(), ...Object.values(row ?? {}).map(String)]) {
    expect(await listed(admin, { q: ` ${word} ` })).toEqual([key.id])
  }
  for (const word of [randomUUID(), 'nothing', "' or 1 = 1", '\u0000', '%']) {
    expect(await listed(admin, { q: word })).toEqual([])
  }
})

test('the log is read newest first, by actor and by subject', async () => {
  const [one, two] = [await openAdmin(), await openAdmin()]
  for (const admin of [one, two, one]) {
    await perform(admin, { act: 'read-prompts', accountId: one.accountId })
  }
  const log = (query: object) => readAdminLog(world(), one, { limit: 50, ...query })
  const of = await log({ subject: `account:${one.accountId}` })
  expect(of.data.map(({ actor }) => actor)).toEqual(
    [one, two, one].map(({ email }) => `admin:${email}`),
  )
  expect((await log({ actor: two.email })).data).toHaveLength(1)
  const first = await log({ subject: `account:${one.accountId}`, limit: 2 })
  const cursor = first.next_cursor ?? undefined
  const second = await log({ subject: `account:${one.accountId}`, limit: 2, cursor })
  expect([...first.data, ...second.data]).toEqual(of.data)
  expect(second.next_cursor).toBeNull()
})

test('the log is read by act, by role and by day, together with the person', async () => {
  const [one, two] = [await openAdmin(), await openAdmin()]
  const subject = `account:${two.accountId}`
  await perform(one, { act: 'read-prompts', accountId: two.accountId })
  await perform(one, { act: 'end-sessions', accountId: two.accountId })
  await perform(two, { act: 'end-sessions', accountId: two.accountId })
  const acts = async (query: object) => {
    const page = await readAdminLog(world(), one, { limit: 50, subject, ...query })
    return page.data.map(({ act, actor }) => `${act} ${actor === `admin:${one.email}` ? 1 : 2}`)
  }
  const all = ['end-sessions 2', 'end-sessions 1', 'read-prompts 1']
  expect(await acts({ act: 'end-sessions' })).toEqual(all.slice(0, 2))
  expect(await acts({ act: 'end-sessions', actor: one.email })).toEqual(['end-sessions 1'])
  expect(await acts({ act: 'compensate' })).toEqual([])
  expect(await acts({ role: 'admin' })).toEqual(all)
  expect(await acts({ role: 'support' })).toEqual([])
  const [row] = await world().rows('select app_now() as now')
  const day = (ahead: number) =>
    new Date(new Date(String(row?.['now'])).getTime() + ahead * 86_400_000)
      .toISOString()
      .slice(0, 10)
  expect(await acts({ from: day(0), to: day(0) })).toEqual(all)
  expect(await acts({ from: day(1) })).toEqual([])
  expect(await acts({ to: day(-1) })).toEqual([])
  // What is no act, no role and no day filters nothing.
  expect(await acts({ act: 'x', role: 'king', from: 'yesterday', to: '2026-13-40' })).toEqual(all)
})

test('what people wrote is read only by the admin who said why', async () => {
  const [one, two] = [await openAdmin(), await openAdmin()]
  const key = await unresolved('a very private thing')
  const seen = async (admin: Admin) =>
    JSON.stringify([
      await reviewForAdmin(world(), admin, key.id),
      await reviewAccount(world(), admin, key.accountId, { limit: 50 }),
    ])
  expect(await seen(one)).not.toContain('a very private thing')
  await perform(one, { act: 'read-prompts', accountId: key.accountId })
  expect(await seen(one)).toContain('a very private thing')
  expect(await seen(two)).not.toContain('a very private thing')
})

test('accounts are found by how their address begins', async () => {
  const admin = await openAdmin()
  const account = await world().openAccount(7)
  const find = async (typed: string) => (await searchAccounts(world(), admin, typed)).data
  expect(await find(` ${account.toUpperCase()}`)).toMatchObject([{ id: account, available: 7 }])
  expect(await find('%')).toEqual([])
  expect(await reviewAccount(world(), admin, account, { limit: 50 })).toMatchObject({
    available: 7,
    granted: 7,
    open_sessions: 0,
    statement: { data: [{ kind: 'granted' }] },
  })
  expect(await reviewAccount(world(), admin, randomUUID(), { limit: 50 })).toBeUndefined()
})

test('a review says what makes sense now, and nobody but an admin reads anything', async () => {
  const admin = await openAdmin()
  const key = await unresolved()
  const review = await reviewForAdmin(world(), admin, key.id)
  const possible = review?.acts.flatMap(({ act, why_not: whyNot }) => (whyNot ? [] : [act]))
  expect(possible).toEqual(['look-again', 'attach-task', 'record-delivery', 'fail', 'compensate'])
  expect(review?.version).toBe((await world().attempt(key)).version)

  expect(await reviewForAdmin(world(), nobody, key.id)).toBeUndefined()
  expect(await readAdminOverview(world(), nobody)).toBeUndefined()
  expect(await listed(nobody, {})).toEqual([])
  expect(await listed(nobody, { q: key.id })).toEqual([])
  expect((await readAdminLog(world(), nobody, { limit: 50 })).data).toEqual([])
  expect((await searchAccounts(world(), nobody, '')).data).toEqual([])
  expect(await reviewAccount(world(), nobody, key.accountId, { limit: 50 })).toBeUndefined()
})

test('a delivered image is seen by whoever recorded why, and by nobody else', async () => {
  const [admin, other] = [await openAdmin(), await openAdmin()]
  const key = await world().start(await world().openAccount(10))
  await world().runToQuiet(key)
  expect(await readPrivateImage(world(), admin, key.id)).toBeUndefined()
  await perform(admin, { act: 'read-prompts', accountId: key.accountId })
  expect(await readPrivateImage(world(), admin, key.id)).toMatchObject({ contentType: 'image/png' })
  expect(await readPrivateImage(world(), other, key.id)).toBeUndefined()
  expect(await readPrivateImage(world(), { ...admin, role: 'user' }, key.id)).toBeUndefined()
})

test('the overview says how providers and models did in the last day', async () => {
  const admin = await openAdmin()
  const key = await world().start(await world().openAccount(10))
  await world().runToQuiet(key)
  await unresolved()
  const overview = await readAdminOverview(world(), admin)
  const [model] = overview?.models ?? []
  expect(model?.delivered).toBeGreaterThan(0)
  expect(model?.p95_ms).toBeGreaterThanOrEqual(model?.median_ms ?? Infinity)
  const health = overview?.health.find(({ provider }) => provider === 'simulator')
  expect(health?.taken).toBeGreaterThan(0)
  expect(health?.unknown).toBeGreaterThan(0)
  expect(health?.last_taken_at).not.toBeNull()
  expect(health?.hours[0]).toMatchObject({ hours_ago: 0, taken: health?.taken })
  expect(overview?.audit).toBeNull()
})

test('every figure of the last day leads to the attempts that it counts', async () => {
  const admin = await openAdmin()
  const key = await world().start(await world().openAccount(10))
  await world().runToQuiet(key)
  const lost = await unresolved()
  const overview = await readAdminOverview(world(), admin)
  const health = overview?.health.find(({ provider }) => provider === 'simulator')
  const behind = async (mark: string) => {
    const page = await listAdminAttempts(world(), admin, { with: mark, limit: 50 })
    return page.data.map(({ id }) => id)
  }
  expect(await behind('delivered')).toContain(key.id)
  expect(await behind('delivered')).not.toContain(lost.id)
  expect(await behind('taken')).toContain(key.id)
  expect(await behind('taken')).toHaveLength(health?.taken ?? -1)
  expect(await behind('unknown')).toContain(lost.id)
  expect(await behind('unknown')).toHaveLength(health?.unknown ?? -1)
  expect(await behind('refused')).toHaveLength(health?.refused ?? -1)
  expect(await behind('look-failed')).toHaveLength(health?.failed_looks ?? -1)
  const delivered = overview?.models.reduce((sum, one) => sum + one.delivered, 0)
  expect(await behind('delivered')).toHaveLength(delivered ?? -1)
})
