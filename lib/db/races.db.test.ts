import { randomUUID } from 'node:crypto'
import { v7 as newUuid } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { AccountId } from '@/lib/domain/ids'
import { startAttempt } from '@/lib/use-cases/start-attempt'
import { evidence, failure, generation, image, taskId } from '@/test/factories'
import { acceptedAndReset } from '@/test/fake-provider-server'
import { LEASE_MS, openWorld } from '@/test/world'
import { grantCredits, registerIdentity } from './account-store'
import {
  applyDecision,
  beginRepeat,
  beginSubmission,
  claimAttempts,
  deferAttempt,
  wakeAttempt,
  type ClaimedAttempt,
} from './attempt-store'

// Many at once, on many connections of a real PostgreSQL: each has one winner.

const world = openWorld()
const PARALLEL = 50

const times = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

// Those who must meet have to be there: a connection that is made first comes too late to a race.
beforeAll(() => times(PARALLEL, () => world().db.pool.query('select pg_sleep(0.1)')))

/** Submits in parallel, and counts the answers by what they say. */
async function rush(
  accountId: AccountId,
  input: (index: number) => object,
  by: Partial<ReturnType<typeof world>['deps']> = {},
) {
  const answers = await times(PARALLEL, (index) =>
    startAttempt({ ...world().deps, ...by }, accountId, { ...generation, ...input(index) }),
  )
  const started = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.refusal.code]))
  return { started, refused, ids: new Set(started.map(({ attempt }) => attempt.id)) }
}

const attemptsOf = (accountId: AccountId) =>
  world().rows('select id from attempt where account_id = $1', accountId)

test('the last credit is won by one of 50, and the others leave nothing', async () => {
  const accountId = await world().openAccount(1)
  const { started, refused } = await rush(accountId, () => ({ requestId: randomUUID() }))

  expect(started).toHaveLength(1)
  expect(refused).toEqual(Array(PARALLEL - 1).fill('insufficient-credits'))
  expect(await attemptsOf(accountId)).toHaveLength(1)
  expect(await world().balance(accountId)).toEqual({ available: 0, held: 1, spent: 0 })
})

test('one id, 50 times, is one attempt, one hold and 50 equal answers', async () => {
  const accountId = await world().openAccount(100)
  const requestId = randomUUID()
  const { started, ids } = await rush(accountId, () => ({ requestId }))

  expect(started).toHaveLength(PARALLEL)
  expect(ids.size).toBe(1)
  expect(started.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(await world().balance(accountId)).toEqual({ available: 99, held: 1, spent: 0 })
})

test('one id with two inputs is one attempt, and the other input is refused', async () => {
  const accountId = await world().openAccount(100)
  const requestId = randomUUID()
  const { ids, started, refused } = await rush(accountId, (index) => ({
    requestId,
    prompt: index % 2 === 0 ? 'a fox' : 'a hare',
  }))

  expect(ids.size).toBe(1)
  expect(new Set(started.map(({ attempt }) => attempt.prompt)).size).toBe(1)
  expect(refused).toEqual(Array(PARALLEL / 2).fill('request-id-reused'))
  expect(await world().balance(accountId)).toEqual({ available: 99, held: 1, spent: 0 })
})

test('one id on two accounts is two attempts, and neither sees the other', async () => {
  const requestId = randomUUID()
  const [first, second] = [await world().openAccount(1), await world().openAccount(1)]
  const [one, two] = await Promise.all([
    rush(first, () => ({ requestId })),
    rush(second, () => ({ requestId })),
  ])
  expect([one.ids.size, two.ids.size]).toEqual([1, 1])
  expect([...one.ids]).not.toEqual([...two.ids])
})

test('the last free image of the day is won by one of 50', async () => {
  const accountId = await world().openAccount(0)
  const { started, refused } = await rush(accountId, () => ({ requestId: randomUUID() }), {
    dailyAllowance: 1,
  })
  expect(started).toHaveLength(1)
  expect(refused).toHaveLength(PARALLEL - 1)
})

test('free images go first, then credits, and not one more', async () => {
  const accountId = await world().openAccount(3)
  const { started } = await rush(accountId, () => ({ requestId: randomUUID() }), {
    dailyAllowance: 2,
  })
  expect(started).toHaveLength(5)
  expect(await world().balance(accountId)).toEqual({ available: 0, held: 3, spent: 0 })
  expect(
    await world().rows(
      'select held, delivered from allowance_day where account_id = $1',
      accountId,
    ),
  ).toEqual([{ held: 2, delivered: 0 }])
})

test('a grant asked for 50 times is one line', async () => {
  const accountId = await world().openAccount(0)
  const grant = { accountId, credits: 7, sourceKey: 'order-1', actor: 'test', reason: 'bought' }
  const outcomes = await times(PARALLEL, () => grantCredits(world().db, grant))

  expect(outcomes.filter((outcome) => outcome === 'granted')).toHaveLength(1)
  expect(await world().balance(accountId)).toEqual({ available: 7, held: 0, spent: 0 })
  const nobody = AccountId.parse(newUuid())
  expect(await grantCredits(world().db, { ...grant, accountId: nobody })).toBe('no_account')
})

test('one address registered 20 times at once is one account with one grant', async () => {
  const email = `${randomUUID()}@example.com`
  const outcomes = await times(20, () =>
    registerIdentity(world().db, {
      accountId: AccountId.parse(newUuid()),
      email,
      name: 'Ada',
      role: 'user',
      passwordHash: '$argon2id$of-a-test',
      signupCredits: 100,
    }),
  )
  expect(outcomes.filter((outcome) => outcome === 'registered')).toHaveLength(1)
  const found = await world().rows(
    `select a.available from account a left join user_identity i on i.account_id = a.id
     where i.email = $1 or (i.account_id is null and a.kind = 'user')`,
    email,
  )
  expect(found).toEqual([{ available: 100 }])
})

const record = { kind: 'record', because: 'test', evidence: {}, dueInMs: 0 } as const
const toCompleted = { ...record, to: 'completed', image, settlement: 'settled' } as const
const toFailed = { ...record, to: 'failed', failure, settlement: 'released' } as const

async function delivering() {
  const accountId = await world().openAccount(10)
  const key = await world().start(accountId)
  await world().step(key)
  await world().step(key)
  return { accountId, claimed: await world().claimOne(key) }
}

const byLease = (claimed: ClaimedAttempt) => ({ ...claimed, actor: 'worker:test' })
const objectOf = ({ key }: ClaimedAttempt) => ({ ...image, objectKey: `artworks/${key.id}.png` })

test('a settlement written 20 times at once is one charge', async () => {
  const { accountId, claimed } = await delivering()
  const decision = { ...toCompleted, image: objectOf(claimed) }
  const outcomes = await times(20, () => applyDecision(world().db, byLease(claimed), decision))

  expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'closed')).toHaveLength(19)
  expect(await world().balance(accountId)).toEqual({ available: 9, held: 0, spent: 1 })
})

test('a success and a failure that race end in one of them, a hundred times over', async () => {
  for (let time = 0; time < 100; time += 1) {
    const { accountId, claimed } = await delivering()
    const target = byLease(claimed)
    const outcomes = await Promise.all([
      applyDecision(world().db, target, { ...toCompleted, image: objectOf(claimed) }),
      applyDecision(world().db, target, toFailed),
    ])
    expect([...outcomes].sort()).toEqual(['applied', 'closed'])
    expect(await world().balance(accountId)).toMatchObject({ held: 0 })
    expect(await world().entries(claimed.key)).toHaveLength(2)
  }
})

test('an intent begun 20 times at once is armed once', async () => {
  const key = await world().start(await world().openAccount())
  const claimed = await world().claimOne(key)
  const outcomes = await times(20, () => beginSubmission(world().db, claimed, LEASE_MS, 'test'))

  expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'stale')).toHaveLength(19)
  expect(await world().rows('select sends from submission where attempt_id = $1', key.id)).toEqual([
    { sends: 1 },
  ])
})

test('an intent that is armed stays as it is, whatever its attempt is taken for', async () => {
  const key = await world().start(await world().openAccount())
  const claimed = await world().claimOne(key)
  await beginSubmission(world().db, claimed, LEASE_MS, 'test')
  const intent = () => world().rows('select * from submission where attempt_id = $1', key.id)
  const before = await intent()

  const again = { ...claimed, version: claimed.version + 1 }
  await expect(beginSubmission(world().db, again, LEASE_MS, 'test')).rejects.toMatchObject({
    constraint: 'submission_pkey',
  })
  expect(await intent()).toEqual(before)
})

test('an attempt under a live lease is not woken, and one that rests is', async () => {
  const key = await world().start(await world().openAccount())
  const claimed = await world().claimOne(key)
  await wakeAttempt(world().db, key)
  expect(await world().claim(key)).toEqual([])
  await deferAttempt(world().db, claimed, { dueInMs: 60_000, looked: false, progress: undefined })
  expect(await world().claim(key)).toEqual([])
  await wakeAttempt(world().db, key)
  expect(await world().claim(key)).toHaveLength(1)
})

// Whoever lost the lease writes nothing, by whatever function.

const everything = () =>
  world().rows(
    `select (select json_agg(t order by t.id)::text from attempt t) as attempts,
            (select json_agg(w order by w.attempt_id)::text from attempt_work w) as work,
            (select count(*)::int from attempt_event) as events,
            (select count(*)::int from ledger_entry) as entries,
            (select count(*)::int from submission) as intents`,
  )

test.each<readonly [string, (stale: ClaimedAttempt) => Promise<string>]>([
  ['beginning a submission', (stale) => beginSubmission(world().db, stale, LEASE_MS, 'late')],
  ['repeating a submission', (stale) => beginRepeat(world().db, stale, LEASE_MS, 'late')],
  [
    'recording what was learned',
    (stale) =>
      applyDecision(world().db, byLease(stale), {
        ...record,
        to: 'status_unknown',
        evidence: { ...evidence, taskId },
      }),
  ],
  ['failing it', (stale) => applyDecision(world().db, byLease(stale), toFailed)],
  [
    'looking again later',
    (stale) => deferAttempt(world().db, stale, { dueInMs: 1, looked: true, progress: 0.5 }),
  ],
])('a worker that lost its lease writes nothing by %s', async (_what, write) => {
  const key = await world().start(await world().openAccount())
  const stale = await world().claimOne(key)
  await world().makeDue(key, { lease: true })
  const [current] = await world().claim(key)
  expect(current?.epoch).not.toBe(stale.epoch)

  const before = await everything()
  expect(await write(stale)).toBe('fenced')
  expect(await everything()).toEqual(before)
})

test('a decision made on what is no longer known is stale, with or without a lease', async () => {
  const key = await world().start(await world().openAccount())
  const claimed = await world().claimOne(key)
  const old = { ...claimed, version: claimed.version - 1 }
  const before = await everything()
  const outcomes = [
    await applyDecision(world().db, byLease(old), toFailed),
    await applyDecision(world().db, { ...byLease(old), epoch: undefined }, toFailed),
  ]
  expect(outcomes).toEqual(['stale', 'stale'])
  expect(await everything()).toEqual(before)
})

test('the same POST is repeated only for what is unresolved, on what is known now, once for each lease', async () => {
  world().provider.answer('submit', acceptedAndReset)
  const key = await world().start(await world().openAccount())
  await world().step(key)
  const unresolved = await world().claimOne(key)
  const repeat = (claimed: ClaimedAttempt) => beginRepeat(world().db, claimed, LEASE_MS, 'test')
  expect(await repeat({ ...unresolved, version: unresolved.version - 1 })).toBe('stale')
  const outcomes = await times(20, () => repeat(unresolved))
  expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'stale')).toHaveLength(19)

  world().provider.reset()
  const pending = await world().start(await world().openAccount())
  await world().step(pending)
  await expect(repeat(await world().claimOne(pending))).rejects.toThrow(/is not unresolved$/)
})

// Last, as it leaves much to do behind.
test('two workers that claim among 1,000 attempts get each once', async () => {
  const accountId = await world().openAccount(1_000)
  await times(1_000, () => world().start(accountId))
  const claimed: ClaimedAttempt[] = []
  const worker = async () => {
    for (;;) {
      const batch = await claimAttempts(world().db, 20, LEASE_MS)
      if (batch.length === 0) return
      claimed.push(...batch)
    }
  }
  await Promise.all([worker(), worker()])

  const own = claimed.filter(({ key }) => key.accountId === accountId)
  expect(own).toHaveLength(1_000)
  expect(new Set(own.map(({ key }) => key.id)).size).toBe(1_000)
  expect(own.every(({ epoch }) => epoch === '1')).toBe(true)
})
