import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { registerIdentity } from '@/lib/db/account-store'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AccountId } from '@/lib/domain/ids'
import { acceptedAndReset, answering } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { performAdminAct, type Admin } from './perform-admin-act'
import { readAttemptDetail } from './read-attempts'
import { readStatement } from './read-ledger'
import { verifyForAdmins } from './verify-for-admins'

const world = openWorld()
const matching = (words: RegExp): unknown => expect.stringMatching(words)
const reason = 'the provider confirmed it by e-mail'
const proof = 'ticket 4711: no record of this request'

async function openAdmin(role: 'admin' | 'user' = 'admin'): Promise<Admin> {
  const accountId = AccountId.parse(world().newId())
  const email = `${accountId}@example.com`
  const person = { accountId, email, name: 'Grace', role } as const
  const signUp = { passwordHash: '$argon2id$of-a-test', signupCredits: 0 }
  await registerIdentity(world().db, { ...person, ...signUp })
  return person
}

const act = (admin: Admin, input: object) =>
  performAdminAct(world(), admin, { id: randomUUID(), reason, ...input })

async function unresolved() {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  world().provider.answer('submit', acceptedAndReset)
  await world().step(key)
  world().provider.reset()
  const { version } = await world().attempt(key)
  return { account, key, seen: { attemptId: key.id, version } }
}

const logOf = (subject: string) =>
  world().rows(
    'select actor, act, detail, reason, outcome, ended_at is not null as ended from admin_log where subject = $1 order by seq',
    subject,
  )
const statementOf = async (account: AccountId) =>
  (await readStatement(world(), account, { limit: 50 })).data
const wordsFor = async (key: AttemptKey) =>
  JSON.stringify([
    await readAttemptDetail(world(), key.accountId, key.id),
    await statementOf(key.accountId),
  ])

test('a compensation is logged, gives the credits back and leaves the outcome open', async () => {
  const admin = await openAdmin()
  const { account, key, seen } = await unresolved()
  expect(await act(admin, { act: 'compensate', ...seen })).toMatchObject({ ok: true })
  expect(await world().attempt(key)).toMatchObject({
    state: 'status_unknown',
    settlement: 'compensated',
  })
  expect(await world().balance(account)).toEqual({ available: 10, held: 0, spent: 0 })
  expect(await logOf(`attempt:${key.id}`)).toEqual([
    {
      actor: `admin:${admin.email}`,
      act: 'compensate',
      detail: { version: seen.version },
      reason,
      outcome: 'applied',
      ended: true,
    },
  ])
})

test('a confirmed failure releases, with its proof, and its owner reads neither', async () => {
  const admin = await openAdmin()
  const { account, key, seen } = await unresolved()
  expect(await act(admin, { act: 'fail', proof, ...seen })).toMatchObject({ ok: true })
  expect(await world().attempt(key)).toMatchObject({ state: 'failed', settlement: 'released' })
  expect(await world().balance(account)).toEqual({ available: 10, held: 0, spent: 0 })
  const [event] = await world().rows(
    'select actor, evidence from attempt_event where attempt_id = $1 order by seq desc limit 1',
    key.id,
  )
  expect(event).toEqual({ actor: `admin:${admin.email}`, evidence: { reason, proof } })
  const words = await wordsFor(key)
  expect(words).toContain('failed_by_operator')
  for (const secret of [reason, proof, admin.email]) expect(words).not.toContain(secret)
})

test('pressed again after a lost answer, or twice at once, it is done once', async () => {
  const admin = await openAdmin()
  const { account, key, seen } = await unresolved()
  const press = { id: randomUUID(), act: 'compensate', ...seen }
  const answers = await Promise.all([act(admin, press), act(admin, press), act(admin, press)])
  answers.push(await act(admin, press))
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(answers[0]).toMatchObject({ ok: true })
  expect(await world().entries(key)).toEqual(['reserved', 'compensated'])
  expect(await logOf(`attempt:${key.id}`)).toHaveLength(1)

  const grant = { id: randomUUID(), act: 'grant-credits', accountId: account, credits: 5 }
  await Promise.all([act(admin, grant), act(admin, grant)])
  expect(await world().balance(account)).toMatchObject({ available: 15 })
  expect(await act(admin, { ...grant, credits: 6 })).toMatchObject({
    refusal: { code: 'key-reused' },
  })
  expect(await world().balance(account)).toMatchObject({ available: 15 })
})

test('of two admins who saw the same, the second is told and does nothing', async () => {
  const [one, two] = [await openAdmin(), await openAdmin()]
  const { key, seen } = await unresolved()
  const answers = await Promise.all([
    act(one, { act: 'fail', proof, ...seen }),
    act(two, { act: 'compensate', ...seen }),
  ])
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  expect(answers.find(({ ok }) => !ok)).toMatchObject({ refusal: { code: 'changed-meanwhile' } })
  expect(await world().entries(key)).toHaveLength(2)
  const outcomes = (await logOf(`attempt:${key.id}`)).map(({ outcome }) => outcome)
  expect(outcomes).toContain('applied')
  expect(outcomes).toHaveLength(2)
})

test('a task is attached once, when a worker has seen it', async () => {
  const admin = await openAdmin()
  const [first, second] = [await unresolved(), await unresolved()]
  const taskId = world().provider.taskIdOf(first.key.id)
  expect(await act(admin, { act: 'attach-task', taskId, ...first.seen })).toMatchObject({
    ok: true,
  })
  expect(await world().attempt(first.key)).toMatchObject({ state: 'status_unknown', task_id: null })
  await verifyForAdmins(world().deps)
  expect(await world().attempt(first.key)).toMatchObject({ state: 'pending', task_id: taskId })
  expect(await act(admin, { act: 'attach-task', taskId, ...second.seen })).toMatchObject({
    refusal: {
      code: 'not-possible',
      message: 'This task belongs to another attempt. Nothing was changed.',
    },
  })
  expect(await world().attempt(second.key)).toMatchObject({ state: 'status_unknown' })
  await world().runToQuiet(first.key)
  expect(await world().attempt(first.key)).toMatchObject({
    state: 'completed',
    settlement: 'settled',
  })
  expect(world().provider.posts()).toBe(0)
})

test('a delivery is tried again at once, and only what was made is delivered', async () => {
  const admin = await openAdmin()
  const key = await world().start(await world().openAccount(10))
  await world().step(key)
  await world().step(key)
  world().provider.answer('image', answering(503))
  await world().step(key)
  const { state, version } = await world().attempt(key)
  expect(state).toBe('storage_failed')
  const seen = { attemptId: key.id, version }
  expect(await act(admin, { act: 'look-again', ...seen })).toMatchObject({
    refusal: { code: 'not-possible' },
  })
  expect(await act(admin, { act: 'retry-delivery', ...seen })).toMatchObject({ ok: true })
  const [work] = await world().rows(
    'select due_at <= now() as due from attempt_work where attempt_id = $1',
    key.id,
  )
  expect(work).toEqual({ due: true })
  expect(await act(admin, { act: 'retry-delivery', ...seen, version: version - 1 })).toMatchObject({
    refusal: { code: 'changed-meanwhile' },
  })
  const { seen: unmade } = await unresolved()
  expect(await act(admin, { act: 'retry-delivery', ...unmade })).toMatchObject({
    refusal: { code: 'not-possible' },
  })
  expect(await act(admin, { act: 'look-again', ...unmade })).toMatchObject({ ok: true })
})

test('nobody but an admin does anything, whatever the session said', async () => {
  const { account, key, seen } = await unresolved()
  const user = await openAdmin('user')
  const pretender: Admin = { ...user, role: 'admin' }
  const suspended = await openAdmin()
  await world().rows(`update account set status = 'suspended' where id = $1`, suspended.accountId)
  for (const somebody of [user, pretender, suspended]) {
    for (const asked of [
      { act: 'compensate', ...seen },
      { act: 'grant-credits', accountId: account, credits: 5 },
      { act: 'suspend', accountId: account },
      { act: 'read-prompts', accountId: account },
    ]) {
      expect(await act(somebody, asked)).toMatchObject({ refusal: { code: 'not-admin' } })
    }
  }
  expect(await world().entries(key)).toEqual(['reserved'])
  expect(await logOf(`account:${account}`)).toEqual([])
})

test('nothing is done without a reason, for nobody, or with what is no number', async () => {
  const admin = await openAdmin()
  const { account, seen } = await unresolved()
  for (const asked of [
    { act: 'compensate', ...seen, reason: 'because' },
    { act: 'compensate', ...seen, reason: 'x'.repeat(1_001) },
    { act: 'fail', ...seen },
    { act: 'attach-task', ...seen, taskId: ' ' },
    { act: 'grant-credits', accountId: account, credits: 0 },
    { act: 'grant-credits', accountId: account, credits: 'many' },
    { act: 'correct-credits', accountId: account, credits: 0.5 },
    { act: 'delete-everything' },
  ]) {
    expect(await act(admin, asked)).toMatchObject({ refusal: { code: 'invalid' } })
  }
  expect(await act(admin, { act: 'fail', proof, ...seen, attemptId: randomUUID() })).toMatchObject({
    refusal: { code: 'not-found' },
  })
  expect(await act(admin, { act: 'suspend', accountId: randomUUID() })).toMatchObject({
    refusal: { code: 'not-found' },
  })
})

test('credits are granted and corrected, and the statement keeps the admin’s reason to itself', async () => {
  const admin = await openAdmin()
  const account = await world().openAccount(10)
  const asked = { accountId: account, reason: 'a goodwill gesture, see ticket 12' }
  await act(admin, { act: 'grant-credits', credits: 5, ...asked })
  await act(admin, { act: 'correct-credits', credits: -3, ...asked })
  expect(await world().balance(account)).toEqual({ available: 12, held: 0, spent: 0 })
  expect(await act(admin, { act: 'correct-credits', credits: -13, ...asked })).toMatchObject({
    refusal: { code: 'not-possible' },
  })
  const tooMany = { act: 'grant-credits', credits: 1_000_000_000, ...asked }
  expect(await act(admin, tooMany)).toMatchObject({ refusal: { code: 'not-possible' } })
  expect(await world().balance(account)).toEqual({ available: 12, held: 0, spent: 0 })
  expect((await statementOf(account)).map(({ reason: said }) => said)).toEqual([
    'Put right by Darkroom.',
    'Added by Darkroom.',
    'Credits for signing up',
  ])
  expect((await logOf(`account:${account}`)).map(({ outcome }) => outcome)).toEqual([
    'granted',
    'corrected',
    'insufficient_credits',
    'out_of_bounds',
  ])
})

test('an account is suspended and restored, its sessions end, and nobody locks themselves out', async () => {
  const admin = await openAdmin()
  const account = await world().openAccount(10)
  await world().rows(
    `insert into session (id, account_id, expires_at) values ($1, $2, now() + interval '1 day')`,
    randomUUID(),
    account,
  )
  const status = async () =>
    (await world().rows('select status from account where id = $1', account))[0]
  expect(await act(admin, { act: 'suspend', accountId: account })).toMatchObject({ ok: true })
  expect(await status()).toEqual({ status: 'suspended' })
  await expect(world().start(account)).rejects.toThrow(/suspended/)
  expect(await act(admin, { act: 'suspend', accountId: account })).toMatchObject({
    ok: true,
    value: { message: 'It was so already. Nothing was changed.' },
  })
  expect(await act(admin, { act: 'restore', accountId: account })).toMatchObject({ ok: true })
  expect(await status()).toEqual({ status: 'active' })
  expect(await act(admin, { act: 'end-sessions', accountId: account })).toMatchObject({ ok: true })
  const open = await world().rows(
    'select id from session where account_id = $1 and ended_at is null',
    account,
  )
  expect(open).toEqual([])
  expect(await act(admin, { act: 'suspend', accountId: admin.accountId })).toMatchObject({
    refusal: { code: 'not-possible' },
  })
})

test('a provider is put back in offer', async () => {
  const admin = await openAdmin()
  await world().rows(`select block_provider('simulator', 'the key is refused', 60000)`)
  const unblock = { act: 'unblock-provider', provider: 'simulator' }
  expect(await act(admin, unblock)).toMatchObject({ ok: true })
  expect(await world().readBlocks()).toEqual([])
  expect(await logOf('provider:simulator')).toMatchObject([{ outcome: 'applied' }])
})

test.each([
  ['update admin_log set reason = reason || outcome'],
  ['update admin_log set outcome = null, ended_at = null'],
  ['delete from admin_log'],
  ['truncate admin_log'],
])('not even the owner of the database rewrites the log: %s', async (sql) => {
  const admin = await openAdmin()
  await act(admin, { act: 'restore', accountId: admin.accountId })
  await expect(world().rows(sql)).rejects.toThrow('admin_log is append-only')
})

test('credits above the threshold wait for a second admin, who is another', async () => {
  const [one, two] = [await openAdmin(), await openAdmin()]
  const account = await world().openAccount(10)
  const above = { ...world(), approvalAbove: 100 }
  const ask = (admin: Admin, input: object) =>
    performAdminAct(above, admin, { id: randomUUID(), reason, accountId: account, ...input })
  expect(await ask(one, { act: 'grant-credits', credits: 100 })).toMatchObject({ ok: true })
  expect(await world().balance(account)).toMatchObject({ available: 110 })

  const requestId = randomUUID()
  const grant = { id: requestId, act: 'grant-credits', credits: 101 }
  for (const answer of [await ask(one, grant), await ask(one, grant)]) {
    expect(answer).toMatchObject({ ok: true, value: { message: matching(/another admin/) } })
  }
  expect(await world().balance(account)).toMatchObject({ available: 110 })
  expect(await ask(one, { act: 'approve', requestId })).toMatchObject({
    refusal: { code: 'not-possible', message: matching(/You asked for it yourself/) },
  })
  const approve = { id: randomUUID(), act: 'approve', requestId }
  const answers = await Promise.all([ask(two, approve), ask(two, approve)])
  expect(answers).toEqual([answers[0], answers[0]])
  expect(answers[0]).toMatchObject({ ok: true })
  expect(await world().balance(account)).toMatchObject({ available: 211 })
  expect(await ask(two, { act: 'reject', requestId })).toMatchObject({
    refusal: { message: 'It was approved already.' },
  })
  const acts = (await logOf(`account:${account}`)).map((line) => [line['act'], line['outcome']])
  expect(acts).toContainEqual(['grant-credits', 'waiting'])
  expect(acts).toContainEqual(['approve', 'applied'])
})

test('a rejected request moves nothing, and one that cannot move stays open', async () => {
  const [one, two] = [await openAdmin(), await openAdmin()]
  const account = await world().openAccount(10)
  const above = { ...world(), approvalAbove: 0 }
  const ask = (admin: Admin, input: object) =>
    performAdminAct(above, admin, { id: randomUUID(), reason, accountId: account, ...input })
  const [taken, given] = [randomUUID(), randomUUID()]
  await ask(one, { id: taken, act: 'correct-credits', credits: -11 })
  await ask(one, { id: given, act: 'grant-credits', credits: 1_000_000_000 })
  expect(await ask(two, { act: 'approve', requestId: taken })).toMatchObject({
    refusal: { message: matching(/not available/) },
  })
  expect(await ask(two, { act: 'approve', requestId: given })).toMatchObject({
    refusal: { message: matching(/cannot hold so many/) },
  })
  expect(await ask(two, { act: 'reject', requestId: given })).toMatchObject({ ok: true })
  expect(await ask(two, { act: 'approve', requestId: randomUUID() })).toMatchObject({
    refusal: { message: 'There is no such request.' },
  })
  expect(await world().balance(account)).toEqual({ available: 10, held: 0, spent: 0 })
  const open = await world().rows(
    'select id from credit_request where account_id = $1 and decision is null',
    account,
  )
  expect(open).toEqual([{ id: taken }])
  // Nor by hand.
  await expect(
    world().rows(
      `update credit_request set decision = 'approved', decided_by = requested_by,
         decided_why = 'because I say so', decided_at = now() where id = $1`,
      taken,
    ),
  ).rejects.toThrow(/credit_request_four_eyes/)
})

test('the database holds the threshold that was declared, whatever this server was set up with', async () => {
  const [one, two] = [await openAdmin(), await openAdmin()]
  const account = await world().openAccount(10)
  const declare = (above: number | null) =>
    world().rows(
      `select declare_setting('approval-above', $1, 'worker:test')`,
      JSON.stringify(above),
    )
  await declare(100)
  try {
    const ask = (admin: Admin, input: object, approvalAbove?: number) =>
      performAdminAct({ ...world(), approvalAbove }, admin, {
        ...{ id: randomUUID(), reason, accountId: account },
        ...input,
      })
    for (const input of [
      { act: 'grant-credits', credits: 101 },
      { act: 'correct-credits', credits: 101 },
    ]) {
      expect(await ask(one, input)).toMatchObject({
        refusal: { code: 'not-possible', message: matching(/when two admins agree/) },
      })
    }
    expect(await world().balance(account)).toMatchObject({ available: 10 })
    expect(await ask(one, { act: 'grant-credits', credits: 100 })).toMatchObject({ ok: true })
    const requestId = randomUUID()
    await ask(one, { id: requestId, act: 'grant-credits', credits: 101 }, 100)
    expect(await ask(two, { act: 'approve', requestId })).toMatchObject({ ok: true })
    expect(await world().balance(account)).toMatchObject({ available: 211 })
  } finally {
    await declare(null)
  }
})
