import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { acceptedAndReset, answering } from '@/test/fake-provider-server'
import { acceptedWrites, refusedWrites } from '@/test/refused-writes'
import { openWorld } from '@/test/world'

// The database is the judge: even its owner, by hand, cannot write what must not be.

const world = openWorld()
let names: Readonly<Record<string, string>>

beforeAll(async () => {
  const account = await world().openAccount(20)
  const start = () => world().start(account)
  const initializing = await start()
  const [pending, delivering, completed] = [await start(), await start(), await start()]
  for (const key of [pending, delivering]) await world().step(key)
  await world().step(delivering)
  await world().runToQuiet(completed)
  world().provider.answer('submit', acceptedAndReset)
  const unresolved = await start()
  await world().runToQuiet(unresolved)
  world().provider.answer('submit', answering(422, { error: { code: 'x', message: 'y' } }))
  const failed = await start()
  await world().runToQuiet(failed)
  // A rule about rows shows only where there are some.
  await world().rows(
    `with anomaly as (
       insert into anomaly (id, kind, attempt_id, account_id, detail)
       values (gen_random_uuid(), 'by_hand', $1, $2, 'x')
     ), callback as (
       insert into callback (provider, delivery_id, attempt_id, account_id, body)
       values ('simulator', 'by hand', $1, $2, '{}')
     )
     insert into reference_image (account_id, sha256, content_type, size_bytes)
     values ($2, sha256('x'), 'image/png', 1)`,
    completed.id,
    account,
  )
  const [purchase, unpaid] = [randomUUID(), randomUUID()]
  const begin = `select begin_purchase($1, $2, $1, 's', 'S', 100, 500, 'eur', false, 20)`
  const learn = `select record_session($2, false, now(), $1, 'cs ' || $2, 'pi ' || $2, $3, 500, 'eur')`
  await world().rows(begin, purchase, account)
  await world().rows(learn, purchase, 'paid', 'paid')
  await world().rows(
    `select record_refund('refund', false, now(), null, 'pi paid', 'refunded', 100, 'eur')`,
  )
  await world().rows(begin, unpaid, account)
  await world().rows(learn, unpaid, 'unpaid', 'open')
  const newcomer = randomUUID()
  await world().rows('insert into account (id) values ($1)', newcomer)
  names = {
    ACCOUNT: account,
    NEWCOMER: newcomer,
    PURCHASE: purchase,
    UNPAID: unpaid,
    INITIALIZING: initializing.id,
    PENDING: pending.id,
    UNRESOLVED: unresolved.id,
    DELIVERING: delivering.id,
    COMPLETED: completed.id,
    FAILED: failed.id,
  }
})

/** What refuses the statements, at the latest when they are committed: its name or its words. */
async function refusalOf(sql: string): Promise<string> {
  const written = sql.replace(/\b[A-Z]{6,}\b/g, (name) => {
    const id = names[name]
    return id === undefined ? name : `'${id}'`
  })
  const client = await world().owner.connect()
  try {
    await client.query('begin')
    await client.query(written)
    await client.query('commit')
    return 'nothing refused it'
  } catch (error) {
    await client.query('rollback')
    if (!(error instanceof pg.DatabaseError)) throw error
    return error.constraint ?? error.message
  } finally {
    client.release()
  }
}

test('the rows are as the tests below take them', async () => {
  const found = await world().rows(
    'select id, state from attempt where account_id = $1',
    names['ACCOUNT'],
  )
  expect(new Map(found.map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [names['INITIALIZING'], 'initializing'],
      [names['PENDING'], 'pending'],
      [names['UNRESOLVED'], 'status_unknown'],
      [names['DELIVERING'], 'delivering'],
      [names['COMPLETED'], 'completed'],
      [names['FAILED'], 'failed'],
    ]),
  )
})

test.each(refusedWrites)('refuses %s (%s)', async (_what, by, sql) => {
  const refusal = await refusalOf(sql)
  if (typeof by === 'string') expect(refusal).toBe(by)
  else expect(refusal).toMatch(by)
})

test.each(acceptedWrites)('accepts %s', async (_what, sql) => {
  expect(await refusalOf(sql)).toBe('nothing refused it')
})

// What may be done to a whole table. A table that is not here is one that nobody thought about.
const APPEND_ONLY = [
  'anomaly',
  'artwork',
  'attempt_event',
  'attempt_trace',
  'callback',
  'compensation_policy',
  'declared_setting',
  'ledger_audit',
  'ledger_entry',
  'legal_transition',
  'payment_event',
  'purchase_entry',
  'reference_image',
  'role_act',
  'settlement',
]
const KEPT = [
  'account',
  'account_erasure',
  'admin_log',
  'alert',
  'alert_notice',
  'allowance_day',
  'api_key',
  'attempt',
  'credit_request',
  'deleted_artwork',
  'project_callback',
  'purchase',
  'share',
  'stray_task',
  'submission',
  'usage_record',
  'verification',
]
/** These hold what is of the moment: their loss would lose neither money nor history. */
const OF_THE_MOMENT = [
  '_prisma_migrations',
  'attempt_work',
  'email_token',
  'erased_file',
  'external_identity',
  'favourite',
  'guest_address_day',
  'mail_outbox',
  'provider_block',
  'provider_capability',
  'rate_limit',
  'session',
  'spending_limit',
  'spool',
  'user_identity',
  'worker_heartbeat',
]

test('every table is append-only, kept, or of the moment', async () => {
  const tables = await world().rows(
    `select table_name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  expect(tables.map(({ table_name }) => table_name)).toEqual(
    [...APPEND_ONLY, ...KEPT, ...OF_THE_MOMENT].sort(),
  )
})

const statements = (table: string, ...verbs: readonly string[]) =>
  verbs.map((verb) => [verb, table] as const)

test.each([
  ...APPEND_ONLY.flatMap((table) => statements(table, 'delete from', 'truncate', 'update')),
  ...KEPT.flatMap((table) => statements(table, 'delete from', 'truncate')),
])('refuses to %s %s', async (verb, table) => {
  const [column] = await world().rows(
    `select column_name as name from information_schema.columns
     where table_name = $1 and is_generated = 'NEVER' limit 1`,
    table,
  )
  const name = String(column?.['name'])
  const sql = {
    update: `update ${table} set ${name} = ${name}`,
    truncate: `truncate ${table} cascade`,
    'delete from': `delete from ${table}`,
  }[verb]
  // By its own name: truncating others that lean on it is refused by theirs.
  expect(await refusalOf(sql ?? '')).toBe(`${table} is append-only`)
})

test('refuses a new transition: which state may follow which is fixed', async () => {
  const sql = `insert into legal_transition values ('completed', 'initializing')`
  expect(await refusalOf(sql)).toBe('legal_transition is append-only')
})
