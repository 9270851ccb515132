import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditQueries, invariants } from '@/lib/db/audit-queries'
import { findViolations } from '@/lib/db/audit-reader'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AttemptId } from '@/lib/domain/ids'
import { invariant } from '@/lib/domain/invariant'
import { generation } from '@/test/factories'
import { openWorld } from '@/test/world'
import { auditLedger } from './audit-ledger'
import { cancelAttempt } from './cancel-attempt'
import { reconcileAttempt } from './reconcile-attempt'
import { startAttempt } from './start-attempt'

const world = openWorld()

type Story =
  | 'waiting'
  | 'pending'
  | 'unresolved'
  | 'compensated'
  | 'delivered'
  | 'cancelled'
  | 'free'
  | 'freeDelivered'
const attempts: Partial<Record<Story, AttemptKey>> = {}
let client: pg.PoolClient

const keyOf = (story: Story): AttemptKey => {
  const key = attempts[story]
  invariant(key, `there is one that is ${story}`)
  return key
}

const PURCHASE = '00000000-0000-7000-8000-000000000001'

/** 100 credits for 5 euros, 1 of which was given back. */
async function buyAndRefund(account: string): Promise<void> {
  const { rows } = world()
  await rows(
    `select begin_purchase($1, $2, $1, 's', 'S', 100, 500, 'eur', false, 20)`,
    PURCHASE,
    account,
  )
  const paid = `select record_session('e1', false, now(), $1, 'cs', 'pi', 'paid', 500, 'eur')`
  await rows(paid, PURCHASE)
  await rows(`select record_refund('e2', false, now(), null, 'pi', 'refunded', 100, 'eur')`)
}

/** One attempt of each kind, made as they really come about. */
beforeAll(async () => {
  const { openAccount, start, step, runToQuiet, provider } = world()
  const account = await openAccount()
  const startFree = async (): Promise<AttemptKey> => {
    const started = await startAttempt({ ...world(), dailyAllowance: 5 }, account, {
      requestId: randomUUID(),
      ...generation,
    })
    invariant(started.ok, 'it is started')
    return { id: AttemptId.parse(started.value.attempt.id), accountId: account }
  }
  for (const story of [
    'delivered',
    'pending',
    'cancelled',
    'unresolved',
    'compensated',
    'waiting',
  ] as const) {
    attempts[story] = await start(account)
  }
  attempts.free = await startFree()
  attempts.freeDelivered = await startFree()
  await runToQuiet(keyOf('delivered'))
  await runToQuiet(keyOf('freeDelivered'))
  await step(keyOf('pending'))
  await cancelAttempt(world(), account, keyOf('cancelled').id)
  provider.answer('submit', ({ socket }) => void socket.destroy())
  await step(keyOf('unresolved'))
  await step(keyOf('compensated'))
  const act = { kind: 'compensate', reason: 'a customer waits' } as const
  await reconcileAttempt(world(), keyOf('compensated').id, act, 'operator:test')
  await buyAndRefund(account)

  client = await world().owner.connect()
})
afterAll(() => client.release())

/** What the audit finds after this was done past every trigger and foreign key. Nothing of it stays. */
async function findAfter(...broken: readonly string[]) {
  await client.query('begin')
  try {
    await client.query('set local session_replication_role = replica')
    for (const sql of broken) await client.query(sql)
    return (await findViolations(client, auditQueries, 100)).violations
  } finally {
    await client.query('rollback')
  }
}

const id = (story: Story): string => `'${keyOf(story).id}'`
const account = (): string => `'${keyOf('delivered').accountId}'`
const NOBODY = `'${randomUUID()}'`

describe('the audit', () => {
  test('finds nothing wrong with what the programs wrote', async () => {
    const states = await world().rows('select distinct state from attempt order by 1')
    expect(states.map(({ state }) => state)).toEqual([
      'completed',
      'failed',
      'initializing',
      'pending',
      'status_unknown',
    ])
    const audit = await auditLedger(world())
    expect(audit).toMatchObject({ ok: true, violations: [], truncated: false })
    expect(audit.checked).toMatchObject({ accounts: 1, attempts: 8, entries: 12 })
  })

  test('sees one moment while others write', async () => {
    const newcomer = await world().openAccount()
    const [audit] = await Promise.all([
      auditLedger(world()),
      ...Array.from({ length: 20 }, () => world().start(newcomer)),
    ])
    expect(audit.violations).toEqual([])
  })
})

const broken: Readonly<Record<(typeof invariants)[number], () => readonly string[]>> = {
  ledger_lines_gapless: () => [
    `update ledger_entry set seq = seq + 100 where account_id = ${account()} and seq > 3`,
  ],
  running_balances_add_up: () => [
    `update ledger_entry set available_after = available_after + 1
     where account_id = ${account()} and seq = 3`,
  ],
  balance_equals_entries: () => [
    `update account set available = available + 1 where id = ${account()}`,
  ],
  held_equals_open_reservations: () => [
    `update account set held = held - 1, spent = spent + 1 where id = ${account()}`,
  ],
  money_belongs_to_attempt: () => [`delete from attempt where id = ${id('delivered')}`],
  reservation_in_ledger: () => [
    `delete from ledger_entry where attempt_id = ${id('pending')} and kind = 'reserved'`,
  ],
  settlement_of_attempt: () => [`delete from settlement where attempt_id = ${id('delivered')}`],
  settlement_fits_state: () => [
    `alter table attempt drop constraint attempt_settlement_fits_state`,
    `update settlement set kind = 'released' where attempt_id = ${id('delivered')}`,
  ],
  settlement_of_reserved_amount: () => [
    `update settlement set amount = 2 where attempt_id = ${id('delivered')}`,
  ],
  settlement_in_ledger: () => [
    `delete from ledger_entry where attempt_id = ${id('delivered')} and kind = 'settled'`,
  ],
  settled_once: () => [
    `insert into ledger_entry (account_id, seq, kind, amount, attempt_id, actor, available_after,
                               held_after, spent_after)
     select account_id, 100, 'released', amount, attempt_id, actor, 1, 1, 1
     from ledger_entry where attempt_id = ${id('delivered')} and kind = 'settled'`,
  ],
  settled_after_reserved: () => [
    `update ledger_entry set seq = 100
     where attempt_id = ${id('delivered')} and kind = 'reserved'`,
  ],
  compensation_has_reason: () => [
    'alter table settlement drop constraint settlement_compensation_has_reason',
    `update settlement set reason = ' ' where attempt_id = ${id('compensated')}`,
  ],
  allowance_counts_attempts: () => [
    `update allowance_day set held = 0 where account_id = ${account()}`,
  ],
  allowance_within_limit: () => [
    'alter table allowance_day drop constraint allowance_day_within_limit',
    `update allowance_day set unit_limit = 1 where account_id = ${account()}`,
  ],
  work_while_open: () => [`delete from attempt_work where attempt_id = ${id('unresolved')}`],
  artwork_when_completed: () => [`delete from artwork where attempt_id = ${id('delivered')}`],
  history_of_attempt: () => [
    `update submission set attempt_id = ${NOBODY}
                              where attempt_id = ${id('pending')}`,
  ],
  history_gapless: () => [
    `delete from attempt_event where attempt_id = ${id('delivered')} and seq = 2`,
  ],
  history_replays_to_state: () => [
    `update attempt_event set from_state = 'status_unknown'
     where attempt_id = ${id('delivered')} and seq = 3`,
  ],
  history_legal: () => [
    `delete from legal_transition where from_state = 'pending' and to_state = 'delivering'`,
  ],
  submission_when_sent: () => [
    `update submission set sends = 2 where attempt_id = ${id('pending')}`,
  ],
  purchase_granted_once: () => [
    `update purchase set state = 'waiting', look_at = now(), last_seq = null, taken = 0
     where id = '${PURCHASE}'`,
  ],
  purchase_taken_in_ledger: () => [`update purchase set taken = 21 where id = '${PURCHASE}'`],
  purchase_entry_in_ledger: () => [
    `update purchase_entry set amount = -21 where purchase_id = '${PURCHASE}' and seq = 2`,
  ],
  submission_armed_while_sent: () => [
    `update submission set armed = false where attempt_id = ${id('unresolved')}`,
  ],
}

describe('what was broken by hand is named', () => {
  test.each(invariants)('%s', async (name) => {
    const found = await findAfter(...broken[name]())
    expect(found.map(({ invariant: rule }) => rule)).toContain(name)
    const named = found.filter(({ invariant: rule }) => rule === name)
    const ours = new Set<string | null>(Object.values(attempts).map((key) => key.id))
    for (const { account_id, attempt_id, expected, found: seen } of named) {
      expect(account_id).toBe(keyOf('delivered').accountId)
      expect(attempt_id === null || ours.has(attempt_id) || `'${attempt_id}'` === NOBODY).toBe(true)
      expect(expected).not.toBe(seen)
    }
  })

  test('a changed state, to the attempt, with what was expected and what was found', async () => {
    const found = await findAfter(
      `update attempt set state = 'pending', task_id = 'x' where id = ${id('unresolved')}`,
    )
    expect(found).toEqual([
      {
        invariant: 'history_replays_to_state',
        account_id: keyOf('unresolved').accountId,
        attempt_id: keyOf('unresolved').id,
        expected: 'a chain of lines that ends at pending',
        found: 'a broken chain, or another end',
      },
    ])
  })

  test.each<readonly [string, (typeof invariants)[number], () => string]>([
    [
      'a work row for nobody',
      'work_while_open',
      () => `insert into attempt_work (attempt_id, account_id) values (${NOBODY}, ${account()})`,
    ],
    [
      'work left behind',
      'work_while_open',
      () =>
        `insert into attempt_work (attempt_id, account_id) values (${id('delivered')}, ${account()})`,
    ],
    [
      'a picture that was not delivered',
      'artwork_when_completed',
      () =>
        `update artwork set attempt_id = ${id('pending')}, object_key = 'x'
       where attempt_id = ${id('delivered')}`,
    ],
    [
      'an entry for nobody',
      'balance_equals_entries',
      () => `update ledger_entry set account_id = ${NOBODY} where account_id = ${account()}`,
    ],
    [
      'an allowance day that is gone',
      'allowance_counts_attempts',
      () => 'delete from allowance_day',
    ],
    [
      'a settlement for nobody',
      'money_belongs_to_attempt',
      () => `update settlement set attempt_id = ${NOBODY} where attempt_id = ${id('cancelled')}`,
    ],
    [
      'an intent that is gone',
      'submission_when_sent',
      () => `delete from submission where attempt_id = ${id('pending')}`,
    ],
    [
      'a history that is gone',
      'history_gapless',
      () => `delete from attempt_event where attempt_id = ${id('waiting')}`,
    ],
    [
      'a grant for no purchase',
      'purchase_granted_once',
      () => `delete from purchase where id = '${PURCHASE}'`,
    ],
    [
      'a purchase granted twice',
      'purchase_granted_once',
      () => `update ledger_entry set kind = 'purchased', amount = 100 where kind = 'refunded'`,
    ],
    [
      'a grant of another amount',
      'purchase_granted_once',
      () => `update ledger_entry set amount = 101 where kind = 'purchased'`,
    ],
    ['an account that is gone', 'held_equals_open_reservations', () => 'delete from account'],
  ])('%s', async (_what, name, sql) => {
    expect((await findAfter(sql())).map(({ invariant: rule }) => rule)).toContain(name)
  })

  test('names as many as asked for, and says that there are more', async () => {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query('delete from attempt_work')
    const { violations, truncated } = await findViolations(client, auditQueries, 2)
    await client.query('rollback')
    expect([violations.length, truncated]).toEqual([2, true])
  })
})
