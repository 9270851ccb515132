import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AccountId } from '@/lib/domain/ids'
import { at, DAY } from '@/test/clock'
import { generation } from '@/test/factories'
import { acceptedAndReset, answering, errorBody } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import type { Deps } from './deps'
import { exportStatement } from './export-statement'
import { readSpending, readUseByDay, setSpendingLimit } from './spending'
import { startAttempt } from './start-attempt'

// An account's own daily limit, what a day uses, and the statement as a file.

const world = openWorld()

const limited = async (limit: string, credits = 100) => {
  const accountId = await world().openAccount(credits)
  await setSpendingLimit(world().deps, accountId, limit)
  return accountId
}

const start = (accountId: AccountId, deps: Deps = world().deps, requestId = randomUUID()) =>
  startAttempt(deps, accountId, { requestId, ...generation })

const OVER = { ok: false, refusal: { code: 'spending-limit' } }

test('of 50 that come together under a limit of 7, 7 are recorded and the others keep nothing', async () => {
  const accountId = await limited('7')
  const answers = await Promise.all(Array.from({ length: 50 }, () => start(accountId)))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(7)
  for (const answer of answers) if (!answer.ok) expect(answer).toMatchObject(OVER)
  expect(await world().balance(accountId)).toEqual({ available: 93, held: 7, spent: 0 })
  expect(await world().rows('select from attempt where account_id = $1', accountId)).toHaveLength(7)
  expect(await readSpending(world().deps, accountId)).toEqual({ used: 7, limit: 7 })
})

test('50 that race with the limit being set pass it only while it is not set', async () => {
  const accountId = await world().openAccount(100)
  const [, ...answers] = await Promise.all([
    setSpendingLimit(world().deps, accountId, '5'),
    ...Array.from({ length: 50 }, () => start(accountId)),
  ])
  const recorded = answers.filter(({ ok }) => ok).length
  expect(recorded).toBeGreaterThanOrEqual(5)
  expect((await readSpending(world().deps, accountId)).used).toBe(recorded)
  expect(await start(accountId)).toMatchObject(OVER)
})

test('the refusal says the limit, what is used and what it needs', async () => {
  const accountId = await limited('1')
  await start(accountId)
  expect(await start(accountId)).toEqual({
    ok: false,
    refusal: { code: 'spending-limit', limit: 1, used: 1, required: 1 },
  })
})

test('a request that was recorded before the limit was reached is answered with its attempt', async () => {
  const accountId = await limited('1')
  const requestId = randomUUID()
  const first = await start(accountId, world().deps, requestId)
  const again = await start(accountId, world().deps, requestId)
  expect(again).toMatchObject({ ok: true, value: { replayed: true } })
  expect(again.ok && first.ok && again.value.attempt.id === first.value.attempt.id).toBe(true)
})

test('what is charged counts, what failed comes back, what is unresolved stays on hold', async () => {
  const accountId = await limited('2')
  const begun = async () => {
    const started = await start(accountId)
    if (started.ok) await world().runToQuiet(await world().keyOf(started.value.attempt.id))
    return started.ok
  }
  expect(await begun()).toBe(true)
  world().provider.answer('submit', answering(422, errorBody('content_policy')))
  expect(await begun()).toBe(true)
  expect((await readSpending(world().deps, accountId)).used).toBe(1)
  world().provider.answer('submit', acceptedAndReset)
  expect(await begun()).toBe(true)
  expect(await readSpending(world().deps, accountId)).toEqual({ used: 2, limit: 2 })
  expect(await begun()).toBe(false)
})

test('free images pass the limit, and a limit of nothing leaves only them', async () => {
  const accountId = await limited('0')
  const deps = { ...world().deps, dailyAllowance: 1 }
  expect((await start(accountId, deps)).ok).toBe(true)
  expect(await start(accountId, deps)).toMatchObject(OVER)
})

test('the next UTC day begins anew', async () => {
  const accountId = await limited('1')
  await start(accountId)
  await at(world(), DAY, async (changed) => {
    const deps = { ...world().deps, ...changed }
    expect((await readSpending(deps, accountId)).used).toBe(0)
    expect((await start(accountId, deps)).ok).toBe(true)
    expect(await start(accountId, deps)).toMatchObject(OVER)
    expect((await readUseByDay(deps, accountId)).slice(-2).map(({ held }) => held)).toEqual([1, 1])
  })
})

test('a limit is changed, lowered below what is used, and taken away', async () => {
  const accountId = await limited('3')
  await start(accountId)
  await start(accountId)
  expect(await setSpendingLimit(world().deps, accountId, ' 1 ')).toEqual({
    ok: true,
    value: { used: 2, limit: 1 },
  })
  expect(await start(accountId)).toMatchObject(OVER)
  expect(await setSpendingLimit(world().deps, accountId, '')).toMatchObject({
    value: { limit: null },
  })
  expect((await start(accountId)).ok).toBe(true)
})

test.each(['-1', '1.5', 'x', '1000001', '99999999', 5, null, undefined])(
  'a limit of %j is refused and changes nothing',
  async (input) => {
    const accountId = await limited('3')
    expect(await setSpendingLimit(world().deps, accountId, input)).toMatchObject({
      refusal: { code: 'invalid-input' },
    })
    expect((await readSpending(world().deps, accountId)).limit).toBe(3)
  },
)

test('one account’s limit and use are no other’s', async () => {
  const [one, other] = [await limited('1'), await world().openAccount()]
  await start(one)
  expect(await readSpending(world().deps, other)).toEqual({ used: 0, limit: null })
  expect((await start(other)).ok).toBe(true)
  const guest = randomUUID() as AccountId
  expect(await setSpendingLimit(world().deps, guest, '1')).toMatchObject({
    refusal: { code: 'no-account' },
  })
})

test('use by day has every one of the 30 days, and what was charged and what is on hold', async () => {
  const accountId = await world().openAccount()
  await world().runToQuiet(await world().start(accountId))
  await world().start(accountId)
  const days = await readUseByDay(world().deps, accountId)
  expect(days).toHaveLength(30)
  expect(new Set(days.map(({ day }) => day)).size).toBe(30)
  expect(days.at(-1)).toMatchObject({ charged: 1, held: 1, images: 1 })
  expect(days.slice(0, -1).every(({ charged, held }) => charged + held === 0)).toBe(true)
})

test('the exported statement has every line once, oldest first, with its formulas defused', async () => {
  const accountId = await world().openAccount(1_000)
  const prompt = '=HYPERLINK("http://x","y"), fox'
  const key = await world().start(accountId, { prompt })
  await world().runToQuiet(key)
  for (let n = 0; n < 4; n += 1) await world().grant(accountId, 1)
  await world().rows(
    `select grant_credits($1, 1, 'k' || i, 'test', 'as a test has it') from generate_series(1, 600) i`,
    accountId,
  )
  const text = await new Response(exportStatement(world().deps, accountId)).text()
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^\ufeff?Line,Time \(UTC\),What,Credits/)
  expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(
    Array.from({ length: 607 }, (_, n) => n + 1),
  )
  expect(lines[2]).toContain(`,Hold,1,999,1,0,${key.id},"'=HYPERLINK(""http://x"",""y""), fox",`)
  expect(lines[3]).toContain(',Charged,1,999,0,1,')
  const stranger = await new Response(
    exportStatement(world().deps, await world().openAccount(0)),
  ).text()
  expect(stranger.trimEnd().split('\r\n')).toHaveLength(1)
})
