import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AttemptKey } from '@/lib/domain/attempt'
import { TaskId } from '@/lib/domain/ids'
import type { AccountId } from '@/lib/domain/ids'
import { openWorld } from '@/test/world'
import { reconcileAttempt, type Reconciliation } from './reconcile-attempt'
import { verifyForAdmins } from './verify-for-admins'

const world = openWorld()
const reason = 'the provider confirmed it by e-mail'
const ACTOR = 'operator:test'

const reconcile = (key: Pick<AttemptKey, 'id'>, reconciliation: Reconciliation) =>
  reconcileAttempt(world(), key.id, reconciliation, ACTOR)

/** Sent once, accepted by the provider, and the answer got lost. */
async function unresolved(): Promise<{ readonly account: AccountId; readonly key: AttemptKey }> {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  world().provider.answer('submit', async ({ accept, socket }) => {
    await accept()
    socket.destroy()
  })
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown' })
  world().provider.reset()
  return { account, key }
}

const taskOf = (key: AttemptKey) => TaskId.parse(world().provider.taskIdOf(key.id))

test('a compensation gives the credits back, says why, and leaves the outcome open', async () => {
  const { account, key } = await unresolved()
  expect(await reconcile(key, { kind: 'compensate', reason })).toMatchObject({
    ok: true,
    value: { attempt: { state: 'status_unknown', settlement: 'compensated' } },
  })
  expect(await world().balance(account)).toEqual({ available: 10, held: 0, spent: 0 })
  const [line] = await world().rows(
    `select actor, reason from ledger_entry where attempt_id = $1 and kind = 'compensated'`,
    key.id,
  )
  expect(line).toEqual({ actor: ACTOR, reason })
  expect(await reconcile(key, { kind: 'compensate', reason })).toMatchObject({
    ok: false,
    refusal: { code: 'not-possible' },
  })
})

test('a compensated attempt whose task is found is delivered and not debited', async () => {
  const { account, key } = await unresolved()
  await reconcile(key, { kind: 'compensate', reason })
  const attached = await reconcile(key, { kind: 'attach-task', taskId: taskOf(key), reason })
  // What an operator says is made sure of before it is believed.
  expect(attached).toMatchObject({
    ok: true,
    value: {
      attempt: { state: 'status_unknown' },
      verifications: [{ act: 'attach-task', outcome: null, actor: ACTOR }],
    },
  })
  await verifyForAdmins(world().deps)
  expect(await world().attempt(key)).toMatchObject({ state: 'pending' })
  await world().runToQuiet(key)
  expect(await world().attempt(key)).toMatchObject({
    state: 'completed',
    settlement: 'compensated',
  })
  expect(await world().balance(account)).toEqual({ available: 10, held: 0, spent: 0 })
  expect(world().provider.posts()).toBe(0)
})

test('a failure that an operator made sure of releases, with who and why', async () => {
  const { account, key } = await unresolved()
  expect(await reconcile(key, { kind: 'fail', reason })).toMatchObject({
    ok: true,
    value: { attempt: { state: 'failed', settlement: 'released' } },
  })
  expect(await world().balance(account)).toEqual({ available: 10, held: 0, spent: 0 })
  const [event] = await world().rows(
    `select actor, evidence from attempt_event where attempt_id = $1 order by seq desc limit 1`,
    key.id,
  )
  expect(event).toMatchObject({ actor: ACTOR, evidence: { reason } })
})

test('of two operators who decide differently the first one wins, and the second is told', async () => {
  const { key } = await unresolved()
  const answers = await Promise.all([
    reconcile(key, { kind: 'fail', reason }),
    reconcile(key, { kind: 'attach-task', taskId: taskOf(key), reason }),
  ])
  expect(answers.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(1)
  for (const answer of answers) {
    if (!answer.ok) expect(answer.refusal.message).toMatch(/changed meanwhile|final|Only an/)
  }
  expect((await world().entries(key)).length).toBeLessThanOrEqual(2)
})

test('a task that the provider does not know is not attached, and one is looked for at a time', async () => {
  const { key } = await unresolved()
  const attach = (taskId: string) =>
    reconcile(key, { kind: 'attach-task', taskId: TaskId.parse(taskId), reason })
  expect(await attach('no-such-task')).toMatchObject({ ok: true })
  expect(await attach(taskOf(key))).toMatchObject({
    ok: false,
    refusal: { code: 'not-possible' },
  })
  await verifyForAdmins(world().deps)
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown', task_id: null })
  const review = await reconcile(key, { kind: 'look-again', reason })
  expect(review).toMatchObject({
    ok: true,
    value: { verifications: [{ outcome: 'other_attempt' }] },
  })
})

test('a task of another attempt cannot be attached', async () => {
  const first = await unresolved()
  const second = await unresolved()
  const taskId = taskOf(first.key)
  await reconcile(first.key, { kind: 'attach-task', taskId, reason })
  await verifyForAdmins(world().deps)
  expect(await reconcile(second.key, { kind: 'attach-task', taskId, reason })).toMatchObject({
    ok: false,
    refusal: { code: 'not-possible', message: 'This task belongs to another attempt.' },
  })
})

test('to look again makes it due now and decides nothing', async () => {
  const { key } = await unresolved()
  const before = await world().history(key)
  expect(await reconcile(key, { kind: 'look-again', reason })).toMatchObject({ ok: true })
  expect(await world().history(key)).toEqual(before)
  const [work] = await world().rows(
    'select due_at <= now() as due from attempt_work where attempt_id = $1',
    key.id,
  )
  expect(work).toEqual({ due: true })
})

test('nothing is decided about what is final, or without a reason', async () => {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  for (const short of ['', '       x       ', 'because']) {
    expect(await reconcile(key, { kind: 'fail', reason: short })).toMatchObject({
      ok: false,
      refusal: { code: 'invalid-reason' },
    })
  }
  await world().runToQuiet(key)
  for (const kind of ['fail', 'compensate'] as const) {
    expect(await reconcile(key, { kind, reason })).toMatchObject({
      ok: false,
      refusal: { code: 'not-possible' },
    })
  }
  expect(await reconcile({ id: key.id }, { kind: 'look-again', reason })).toMatchObject({
    ok: true,
  })
  const absent = await reconcileAttempt(world(), randomUUID(), { kind: 'fail', reason }, ACTOR)
  expect(absent).toMatchObject({ ok: false, refusal: { code: 'not-found' } })
})
