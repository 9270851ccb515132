import { randomUUID } from 'node:crypto'
import { v7 as newUuid } from 'uuid'
import { expect, test } from 'vitest'
import { AccountId, SessionId } from '@/lib/domain/ids'
import { auditLedger } from '@/lib/use-cases/audit-ledger'
import { openWorld } from '@/test/world'
import {
  correctCredits,
  endSession,
  findSessionIdentity,
  grantCredits,
  insertSession,
  type LedgerChange,
} from './account-store'

const world = openWorld()
const PARALLEL = 50

// Credits that come from outside and go back there: each once, none that are not there.

const change = (accountId: AccountId, changed: Partial<LedgerChange> = {}): LedgerChange => ({
  accountId,
  credits: -3,
  sourceKey: randomUUID(),
  actor: 'operator:test',
  reason: 'granted by mistake',
  ...changed,
})
const correct = (given: LedgerChange) => correctCredits(world().db, given)
const grant = (given: LedgerChange) => grantCredits(world().db, given)

const linesOf = (accountId: AccountId) =>
  world().rows(
    `select kind, amount, reason, actor, available_after from ledger_entry
     where account_id = $1 order by seq`,
    accountId,
  )

test.each([
  ['takes', -3, 7],
  ['gives', 5, 15],
  ['takes the last of', -10, 0],
])('a correction %s credits by a line of its own, with who and why', async (_, credits, after) => {
  const accountId = await world().openAccount(10)
  expect(await correct(change(accountId, { credits }))).toBe('corrected')
  expect(await world().balance(accountId)).toEqual({ available: after, held: 0, spent: 0 })
  expect(await linesOf(accountId)).toMatchObject([
    { kind: 'granted', amount: 10, available_after: 10 },
    {
      kind: 'corrected',
      amount: credits,
      available_after: after,
      reason: 'granted by mistake',
      actor: 'operator:test',
    },
  ])
  expect(await auditLedger(world().deps)).toMatchObject({ ok: true })
})

test('what is held or spent is not corrected away: beyond what is available nothing is taken', async () => {
  const accountId = await world().openAccount(10)
  const delivered = await world().start(accountId)
  await world().runToQuiet(delivered)
  await world().start(accountId)
  const before = await linesOf(accountId)
  expect(await correct(change(accountId, { credits: -9 }))).toBe('insufficient_credits')
  expect(await linesOf(accountId)).toEqual(before)
  expect(await correct(change(accountId, { credits: -8 }))).toBe('corrected')
  expect(await world().balance(accountId)).toEqual({ available: 0, held: 1, spent: 1 })
})

test('a correction asked for again is the one there was, also when it would be refused now', async () => {
  const accountId = await world().openAccount(5)
  const given = change(accountId, { credits: -5 })
  expect(await correct(given)).toBe('corrected')
  expect(await correct(given)).toBe('replayed')
  expect(await correct({ ...given, reason: 'in other words' })).toBe('replayed')
  expect(await world().balance(accountId)).toEqual({ available: 0, held: 0, spent: 0 })
})

test('a key that was used for one change is refused for another', async () => {
  const accountId = await world().openAccount(5)
  const granted = change(accountId, { credits: 2 })
  const corrected = change(accountId, { credits: -2 })
  expect([await grant(granted), await correct(corrected)]).toEqual(['granted', 'corrected'])
  const before = await linesOf(accountId)
  expect(await grant({ ...granted, credits: 3 })).toBe('key_reused')
  expect(await correct({ ...corrected, credits: -3 })).toBe('key_reused')
  expect(await correct({ ...corrected, sourceKey: granted.sourceKey })).toBe('key_reused')
  expect(await correct({ ...granted, sourceKey: granted.sourceKey })).toBe('key_reused')
  expect(await grant({ ...granted, sourceKey: corrected.sourceKey })).toBe('key_reused')
  expect(await grant({ ...granted, sourceKey: 'sign-up' })).toBe('key_reused')
  expect([await grant(granted), await correct(corrected)]).toEqual(['replayed', 'replayed'])
  expect(await linesOf(accountId)).toEqual(before)
})

test('a key of one account says nothing to another', async () => {
  const [one, other] = [await world().openAccount(5), await world().openAccount(5)]
  const sourceKey = randomUUID()
  expect(await correct(change(one, { sourceKey }))).toBe('corrected')
  expect(await correct(change(other, { sourceKey, credits: -4 }))).toBe('corrected')
})

test('a correction for nobody changes nothing', async () => {
  expect(await correct(change(AccountId.parse(newUuid())))).toBe('no_account')
})

test.each([
  ['without a reason', { reason: '       ' }, 'ledger_entry_has_reason'],
  ['of nothing', { credits: 0 }, 'ledger_entry_amount_bounded'],
  ['beyond every bound', { credits: 1_000_000_000 }, 'account_available_bounded'],
])('a correction %s is refused by the database', async (_what, changed, constraint) => {
  const accountId = await world().openAccount(5)
  await expect(correct(change(accountId, changed))).rejects.toMatchObject({ constraint })
  expect(await world().balance(accountId)).toEqual({ available: 5, held: 0, spent: 0 })
})

test('a correction asked for 50 times at once is one line', async () => {
  const accountId = await world().openAccount(10)
  const given = change(accountId)
  const outcomes = await Promise.all(Array.from({ length: PARALLEL }, () => correct(given)))
  expect(outcomes.filter((outcome) => outcome === 'corrected')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'replayed')).toHaveLength(PARALLEL - 1)
  expect(await world().balance(accountId)).toEqual({ available: 7, held: 0, spent: 0 })
})

test('fifty corrections and fifty clicks at once share what is available, and no more', async () => {
  const accountId = await world().openAccount(20)
  const [corrections, clicks] = await Promise.all([
    Promise.all(
      Array.from({ length: PARALLEL }, () => correct(change(accountId, { credits: -1 }))),
    ),
    Promise.allSettled(Array.from({ length: PARALLEL }, () => world().start(accountId))),
  ])
  const taken = corrections.filter((outcome) => outcome === 'corrected').length
  const started = clicks.filter(({ status }) => status === 'fulfilled').length
  expect(taken + started).toBe(20)
  expect(new Set(corrections)).toEqual(new Set(['corrected', 'insufficient_credits']))
  expect(await world().balance(accountId)).toEqual({ available: 0, held: started, spent: 0 })
})

test('a correction does not touch the lines that it corrects, nor may anybody', async () => {
  const accountId = await world().openAccount(10)
  const [before] = await world().rows(
    'select * from ledger_entry where account_id = $1 and seq = 1',
    accountId,
  )
  await correct(change(accountId))
  expect(
    await world().rows('select * from ledger_entry where account_id = $1 and seq = 1', accountId),
  ).toEqual([before])
  for (const sql of [
    `update ledger_entry set amount = -4 where account_id = $1 and kind = 'corrected'`,
    `delete from ledger_entry where account_id = $1 and kind = 'corrected'`,
  ]) {
    await expect(world().rows(sql, accountId)).rejects.toThrow('ledger_entry is append-only')
  }
})

// A session is asked about at every request.

async function openSession(lastsMs = 60_000) {
  const accountId = await world().openAccount()
  const id = SessionId.parse(newUuid())
  await insertSession(world().db, { id, accountId, expiresAt: new Date(Date.now() + lastsMs) })
  return { id, accountId, find: () => findSessionIdentity(world().db, id) }
}

test.each<
  readonly [string, (session: Awaited<ReturnType<typeof openSession>>) => Promise<unknown>]
>([
  ['it was ended', ({ id }) => endSession(world().db, id)],
  [
    'its account was suspended',
    ({ accountId }) =>
      world().rows(`update account set status = 'suspended' where id = $1`, accountId),
  ],
  [
    'its time is over',
    ({ id }) =>
      world().rows(
        `update session set created_at = now() - interval '2 days',
                expires_at = now() - interval '1 second' where id = $1`,
        id,
      ),
  ],
])('a session is nobody’s once %s', async (_when, finish) => {
  const session = await openSession()
  expect(await session.find()).toMatchObject({ accountId: session.accountId })
  await finish(session)
  expect(await session.find()).toBeUndefined()
})

test('a session that nobody opened is nobody’s', async () => {
  await openSession()
  expect(await findSessionIdentity(world().db, SessionId.parse(newUuid()))).toBeUndefined()
})
