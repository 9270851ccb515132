import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { registerIdentity } from '@/lib/db/account-store'
import { AccountId } from '@/lib/domain/ids'
import { acceptedAndReset, answering } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { exportAdminAttempts } from './export-admin-attempts'
import { listAdminAttempts, type AdminAttemptsQuery } from './list-admin-attempts'
import { performAdminAct, type Admin } from './perform-admin-act'
import { previewAdminActs } from './preview-admin-acts'

const world = openWorld()

async function openAdmin(role: Admin['role'] = 'admin'): Promise<Admin> {
  const accountId = AccountId.parse(world().newId())
  const person = { accountId, email: `${accountId}@example.com`, role } as const
  const signUp = { name: 'Grace', passwordHash: '$argon2id$of-a-test', signupCredits: 0 }
  await registerIdentity(world().db, { ...person, ...signUp })
  return person
}

async function unresolved(changed: object = {}) {
  const account = await world().openAccount(100)
  const key = await world().start(account, changed)
  world().provider.answer('submit', acceptedAndReset)
  await world().step(key)
  world().provider.reset()
  return key
}

const idsOf = async (admin: Admin, query: AdminAttemptsQuery, limit = 100) =>
  (await listAdminAttempts(world(), admin, { ...query, limit })).data.map(({ id }) => id)

test('each filter finds what it says, and nothing else', async () => {
  const admin = await openAdmin()
  const [one, other] = [await unresolved(), await unresolved()]
  const failing = await world().start(await world().openAccount(10))
  await world().step(failing)
  await world().step(failing)
  world().provider.answer('image', answering(503))
  await world().step(failing)
  const [{ model } = {}] = await world().rows('select model from attempt where id = $1', one.id)
  const ofModel = await idsOf(admin, { model: String(model) })
  expect(ofModel).toEqual(expect.arrayContaining([one.id, other.id]))
  expect(await idsOf(admin, { model: 'simulator/none' })).toEqual([])
  expect(await idsOf(admin, { code: 'fetch_failed' })).toEqual([failing.id])
  expect(await idsOf(admin, { code: 'no_such_code' })).toEqual([])
  expect(await idsOf(admin, { account: one.accountId })).toEqual([one.id])
  expect(await idsOf(admin, { account: ` ${one.accountId}@Example.com ` })).toEqual([one.id])
  expect(await idsOf(admin, { account: 'nobody@example.com' })).toEqual([])
  expect(await idsOf(admin, { account: one.accountId, state: 'pending' })).toEqual([])
})

test('by amount the most comes first, and the pages leave nothing out and nothing twice', async () => {
  const admin = await openAdmin()
  for (let made = 0; made < 5; made += 1) await unresolved()
  for (const sort of ['amount', undefined]) {
    const whole = await listAdminAttempts(world(), admin, { sort, limit: 100 })
    const paged: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await listAdminAttempts(world(), admin, { sort, cursor, limit: 2 })
      paged.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor ?? undefined
    }
    expect(paged).toEqual(whole.data.map(({ id }) => id))
    const held = whole.data.map((row) => row.held)
    if (sort === 'amount') expect(held).toEqual(held.toSorted((a, b) => b - a))
  }
})

test('the list as CSV has a line for each, for those who may read it', async () => {
  const admin = await openAdmin('auditor')
  const key = await unresolved()
  const query = { account: key.accountId }
  const text = await new Response(exportAdminAttempts(world(), admin, query)).text()
  const [head, line, ...rest] = text.trim().split('\n')
  expect(head).toContain('Attempt,State')
  expect(line).toContain(`${key.id},status_unknown`)
  expect(rest).toEqual([])
  expect(exportAdminAttempts(world(), { ...admin, role: 'user' }, query)).toBeUndefined()
})

test('a preview says for each what would happen, and what it says is what is done', async () => {
  const admin = await openAdmin()
  const [one, two] = [await unresolved(), await unresolved()]
  const done = await world().start(await world().openAccount(10))
  await world().runToQuiet(done)
  const ids = [one.id, two.id, done.id]
  const previews = await previewAdminActs(world(), admin, { act: 'compensate', ids })
  expect(previews.map(({ id, why_not: whyNot }) => [id, whyNot !== null])).toEqual([
    [one.id, false],
    [two.id, false],
    [done.id, true],
  ])
  for (const { id, version, why_not: whyNot } of previews) {
    const asked = { id: randomUUID(), act: 'compensate', attemptId: id, version }
    const answer = await performAdminAct(world(), admin, { ...asked, reason: 'a long outage' })
    expect(answer.ok).toBe(whyNot === null)
  }
  expect(await world().entries(one)).toEqual(['reserved', 'compensated'])
})

test('only what needs nothing but a reason is done to several, and only by those who may', async () => {
  const admin = await openAdmin()
  const support = await openAdmin('support')
  const key = await unresolved()
  const preview = (by: Admin, act: string, ids: readonly string[] = [key.id]) =>
    previewAdminActs(world(), by, { act, ids })
  expect(await preview(admin, 'fail')).toEqual([])
  expect(await preview(admin, 'compensate', [])).toEqual([])
  expect(
    await preview(
      admin,
      'compensate',
      Array.from({ length: 51 }, () => key.id),
    ),
  ).toEqual([])
  expect(await preview(support, 'compensate')).toEqual([])
  expect(await preview(support, 'look-again')).toHaveLength(1)
  expect(await preview(admin, 'compensate', [randomUUID()])).toEqual([])
})
