import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { hashPassword, verifyPassword } from '@/lib/auth/password'
import { noThrottle } from '@/lib/db/throttle'
import { AccountId } from '@/lib/domain/ids'
import { findKeyOwner } from '@/lib/use-cases/api-keys'
import { performAdminAct } from '@/lib/use-cases/perform-admin-act'
import { verifyForAdmins } from '@/lib/use-cases/verify-for-admins'
import { acceptedAndReset } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import type { ImageStore } from '@/lib/storage/image-store'
import { createS3ImageStore } from '@/lib/storage/s3-image-store'
import { startS3Server } from '@/test/s3-server'
import { readEnvironment } from './open-deps'
import { runCli } from './run'

const world = openWorld()
const emptyFolder = mkdtempSync(join(tmpdir(), 'darkroom-cli-'))
afterAll(() => rmSync(emptyFolder, { recursive: true }))

let bucket: ImageStore | undefined

async function cli(...args: readonly string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await runCli(
    args,
    { out: (text) => out.push(text), err: (text) => err.push(text) },
    () => ({
      ...world(),
      // The world outlives the command.
      db: { ...world().deps.db, close: () => Promise.resolve() },
      hashPassword,
      verifyPassword,
      throttle: noThrottle,
      imageStores: { files: world().images, s3: bucket },
    }),
  )
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** What a command printed, when it did what it was asked to. */
async function answer(...args: readonly string[]): Promise<unknown> {
  const { code, out, err } = await cli(...args)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

async function user(): Promise<string> {
  const email = `${randomUUID()}@example.com`
  await answer('user', 'create', '--email', email, '--password', 'a long password')
  return email
}

async function admin() {
  const email = `${randomUUID()}@example.com`
  const words = ['user', 'create', '--email', email, '--password', 'a long password']
  const made = await answer(...words, '--role', 'admin')
  const { account_id: accountId } = z.object({ account_id: AccountId }).parse(made)
  return { accountId, email, role: 'admin' as const }
}

test('makes a user or an admin, once', async () => {
  const email = `${randomUUID()}@example.com`
  const made = await answer(
    'user',
    'create',
    '--email',
    email.toUpperCase(),
    '--password',
    'a long password',
    '--role',
    'admin',
  )
  expect(made).toMatchObject({ email, role: 'admin' })
  const again = await cli('user', 'create', '--email', email, '--password', 'a long password')
  expect([again.code, again.out]).toEqual([1, ''])
  expect(again.err).toMatch(/already/)
})

test('grants credits, once for each key', async () => {
  const email = await user()
  const grant = [
    'credits',
    'grant',
    '--email',
    email,
    '--amount',
    '25',
    '--reason',
    'sorry for that',
  ]
  expect(await answer(...grant, '--key', 'ticket-1')).toMatchObject({
    granted: 25,
    replayed: false,
    balance: { available: 25 },
  })
  expect(await answer(...grant, '--key', 'ticket-1')).toMatchObject({
    granted: 0,
    replayed: true,
    balance: { available: 25 },
  })
  expect(await answer(...grant)).toMatchObject({ balance: { available: 50 } })
  const [line] = await world().rows(
    `select e.actor, e.reason from ledger_entry e join user_identity i using (account_id)
     where i.email = $1 limit 1`,
    email,
  )
  expect(line).toMatchObject({ reason: 'sorry for that' })
  expect(line?.['actor']).toMatch(/^operator:./)
  const beyond = await cli(
    'credits',
    'grant',
    '--email',
    email,
    '--amount',
    '1000000000',
    '--reason',
    'too much of it',
  )
  expect([beyond.code, beyond.err]).toEqual([
    1,
    'An account may hold at most 1000000000 credits: nothing was changed.',
  ])
})

test('says that a key was used before when it now means another amount', async () => {
  const email = await user()
  const grant = ['credits', 'grant', '--email', email, '--reason', 'sorry for that', '--key', 'k']
  await answer(...grant, '--amount', '25')
  const { code, out, err } = await cli(...grant, '--amount', '26')
  expect([code, out]).toEqual([1, ''])
  expect(err).toBe('This key was used for another change of this account: nothing was changed.')
})

test('corrects credits down and up, once for each key, and never below nothing', async () => {
  const email = await user()
  const of = (amount: string, ...more: readonly string[]) => [
    ...['credits', 'correct', '--email', email, '--reason', 'granted twice by mistake'],
    ...['--amount', amount, ...more],
  ]
  await answer(...of('25'))
  expect(await answer(...of('-10', '--key', 'ticket-1'))).toMatchObject({
    corrected: -10,
    replayed: false,
    balance: { available: 15 },
  })
  expect(await answer(...of('-10', '--key', 'ticket-1'))).toMatchObject({
    corrected: 0,
    replayed: true,
    balance: { available: 15 },
  })
  const other = await cli(...of('-5', '--key', 'ticket-1'))
  expect([other.code, other.err]).toEqual([
    1,
    'This key was used for another change of this account: nothing was changed.',
  ])
  const beyond = await cli(...of('-16'))
  expect([beyond.code, beyond.out]).toEqual([1, ''])
  expect(beyond.err).toMatch(/^Only 15 credits are available: nothing was corrected/)
  const [line] = await world().rows(
    `select e.actor, e.reason from ledger_entry e join user_identity i using (account_id)
     where i.email = $1 and e.kind = 'corrected' and e.amount < 0`,
    email,
  )
  expect(line).toMatchObject({ reason: 'granted twice by mistake' })
  expect(line?.['actor']).toMatch(/^operator:./)
})

test('credits above the threshold are asked for in the name of an admin, and wait for another', async () => {
  const [email, ada, grace] = [await user(), await admin(), await admin()]
  const declare = (above: number | null) =>
    world().rows(
      `select declare_setting('approval-above', $1, 'worker:test')`,
      JSON.stringify(above),
    )
  const grant = (...more: readonly string[]) => [
    ...['credits', 'grant', '--email', email, '--reason', 'sorry for that', ...more],
  ]
  // Declared by workers: this terminal was told of no threshold.
  await declare(20)
  try {
    expect(await answer(...grant('--amount', '20'))).toMatchObject({ granted: 20 })
    for (const words of [
      grant('--amount', '21'),
      ['credits', 'correct', '--email', email, '--amount', '-21', '--reason', 'sorry for that'],
    ]) {
      const refused = await cli(...words)
      expect([refused.code, refused.out]).toEqual([1, ''])
      expect(refused.err).toMatch(/^More than 20 credits move when two admins agree/)
    }
    const nobody = await cli(...grant('--amount', '21', '--as', email))
    expect([nobody.code, nobody.err]).toEqual([1, 'Your role may not do this.'])

    for (const key of ['ticket-1', 'ticket-1']) {
      const asked = await answer(...grant('--amount', '21', '--as', ada.email, '--key', key))
      expect(asked).toMatchObject({ waiting: true, balance: { available: 20 } })
    }
    const requests = await world().rows(
      `select id, account_id, credits from credit_request where requested_by = $1`,
      ada.accountId,
    )
    expect(requests).toMatchObject([{ credits: 21 }])
    const act = {
      act: 'approve',
      reason: 'the ticket says so',
      accountId: requests[0]?.['account_id'],
    }
    const approve = (who: typeof ada) =>
      performAdminAct(world(), who, { ...act, id: randomUUID(), requestId: requests[0]?.['id'] })
    expect(await approve(ada)).toMatchObject({ refusal: { code: 'not-possible' } })
    expect(await approve(grace)).toMatchObject({ ok: true })
    const [line] = await world().rows(
      `select a.available from account a join user_identity i on i.account_id = a.id
       where i.email = $1`,
      email,
    )
    expect(line).toEqual({ available: 41 })
  } finally {
    await declare(null)
  }
})

test('makes a key that works, shows it once, and revokes it', async () => {
  const email = await user()
  const created = z
    .object({ key: z.string(), id: z.string() })
    .parse(await answer('api-key', 'create', '--email', email, '--name', 'batch'))
  expect(await findKeyOwner(world(), created.key)).toBeDefined()
  const listed = JSON.stringify(await answer('api-key', 'list', '--email', email))
  expect(listed).toContain('batch')
  expect(listed).not.toContain(created.key)
  await answer('api-key', 'revoke', created.id, '--email', email)
  expect(await findKeyOwner(world(), created.key)).toBeUndefined()
})

test('shows, lists and reconciles attempts', async () => {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  world().provider.answer('submit', ({ socket }) => void socket.destroy())
  await world().step(key)
  expect(await answer('attempt', 'show', key.id)).toMatchObject({
    attempt: { id: key.id, state: 'status_unknown' },
    submission: { sends: 1 },
  })
  const idsOf = async (...args: readonly string[]) =>
    z
      .object({ data: z.array(z.object({ id: z.string() })) })
      .parse(await answer('attempt', 'list', ...args))
      .data.map(({ id }) => id)
  expect(await idsOf('--state', 'status_unknown')).toEqual([key.id])
  expect(await idsOf('--state', 'failed')).toEqual([])
  expect(await idsOf('--older-than', '10m')).toEqual([])
  expect(await idsOf('--older-than', '0s')).toContain(key.id)
  const reconciled = await answer(
    'attempt',
    'reconcile',
    key.id,
    '--action',
    'compensate',
    '--reason',
    'waited for too long',
  )
  expect(reconciled).toMatchObject({ attempt: { settlement: 'compensated' } })
  const again = await cli(
    'attempt',
    'reconcile',
    key.id,
    '--action',
    'compensate',
    '--reason',
    'waited for too long',
  )
  expect([again.code, again.out]).toEqual([1, ''])
  expect(again.err).toMatch(/ended already/)
  expect((await cli('attempt', 'show', randomUUID())).code).toBe(1)
})

test('a task is attached when a worker has made sure of it', async () => {
  const key = await world().start(await world().openAccount(10))
  world().provider.answer('submit', acceptedAndReset)
  await world().step(key)
  const taskId = String(world().provider.taskIdOf(key.id))
  const attach = (task: string) =>
    answer(
      ...['attempt', 'reconcile', key.id, '--action', 'attach-task', '--task', task],
      ...['--reason', 'seen in its dashboard'],
    )
  expect(await attach('no-such-task')).toMatchObject({
    attempt: { state: 'status_unknown' },
    verifications: [{ outcome: null, task_id: 'no-such-task' }],
  })
  await verifyForAdmins(world().deps)
  expect(await answer('attempt', 'show', key.id)).toMatchObject({
    attempt: { state: 'status_unknown' },
    verifications: [{ outcome: 'other_attempt' }],
  })
  await attach(taskId)
  await verifyForAdmins(world().deps)
  expect(await answer('attempt', 'show', key.id)).toMatchObject({
    task_id: taskId,
    verifications: [{ outcome: 'applied' }, { outcome: 'other_attempt' }],
  })
})

test('the audit answers what it checked, and fails when anything does not add up', async () => {
  const account = await world().openAccount(10)
  expect(await answer('audit')).toMatchObject({ ok: true, violations: [] })
  const setSpent = (spent: number) =>
    world().rows(
      `with past_the_guards as (select set_config('session_replication_role', 'replica', true))
       update account set spent = $2::int + (select 0 * length(max(set_config)) from past_the_guards)
       where id = $1`,
      account,
      spent,
    )
  await setSpent(5)
  const failed = await cli('audit')
  await setSpent(0)
  expect(failed.code).toBe(1)
  expect(JSON.parse(failed.out)).toMatchObject({
    ok: false,
    violations: [
      {
        invariant: 'balance_equals_entries',
        account_id: account,
        expected: 'available 10, held 0, spent 0, last line 1',
        found: 'available 10, held 0, spent 5, last line 1',
      },
    ],
  })
})

test.each([
  [[], /^Usage/],
  [['nothing'], /There is no command `nothing`/],
  [['user', 'create'], /--email: .*\n--password/],
  [['user', 'create', '--email', 'a@b.test', '--password', 'x', '--role', 'king'], /--role/],
  [['user', 'create', '--nonsense'], /nonsense/],
  [
    ['credits', 'grant', '--email', 'a@b.test', '--amount', '0', '--reason', 'long enough'],
    /--amount/,
  ],
  [
    ['credits', 'grant', '--email', 'a@b.test', '--amount', '1.5', '--reason', 'long enough'],
    /--amount/,
  ],
  [
    ['credits', 'grant', '--email', 'a@b.test', '--amount', '1', '--reason', '    short    '],
    /--reason/,
  ],
  ...['0', '-0', '-1.5', '1000000001', '-1000000001'].map((amount): [string[], RegExp] => [
    ['credits', 'correct', '--email', 'a@b.test', '--amount', amount, '--reason', 'long enough'],
    /--amount/,
  ]),
  [
    ['credits', 'correct', '--email', 'a@b.test', '--amount', '-1', '--reason', 'short'],
    /--reason/,
  ],
  [['attempt', 'show'], /ID: expected an id/],
  [['attempt', 'show', 'a', 'b'], /One id/],
  [['attempt', 'list', '--state', 'done'], /--state/],
  [['attempt', 'list', '--older-than', '10'], /--older-than/],
  [
    ['attempt', 'reconcile', 'a', '--action', 'fail', '--reason', 'long enough', '--task', 't'],
    /--task/,
  ],
  [['attempt', 'reconcile', 'a', '--action', 'attach-task', '--reason', 'long enough'], /--task/],
  [['attempt', 'reconcile', 'a', '--action', 'resend', '--reason', 'long enough'], /--action/],
  [['audit', 'now'], /Unexpected argument/],
])('%j is no command: it exits with 2 and says what can be typed', async (args, words) => {
  const { code, out, err } = await cli(...args)
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(words)
  expect(err).toContain('npm run -s cli --')
})

test('an address without an account is refused', async () => {
  const { code, err } = await cli('api-key', 'create', '--email', 'nobody@example.com')
  expect([code, err]).toEqual([1, 'There is no account with the address nobody@example.com.'])
})

test('without a database that is named or runs here, it says so in one line', () => {
  expect(() =>
    readEnvironment({ NODE_ENV: 'test', DATABASE_URL: '', DATA_DIR: emptyFolder }),
  ).toThrow(
    'No database: Darkroom is not running here. Start it with `npm start`, or set DATABASE_URL.',
  )
})

test('says in one line that the database does not answer', async () => {
  const err: string[] = []
  const url = 'postgresql://x@127.0.0.1:1/x'
  process.env['DATABASE_URL'] = url
  try {
    const code = await runCli(['audit'], { out: () => undefined, err: (text) => err.push(text) })
    expect(code).toBe(1)
  } finally {
    delete process.env['DATABASE_URL']
  }
  expect(err).toHaveLength(1)
  expect(err[0]).toMatch(/^The database does not answer \(.*\)\. Is Darkroom running/)
})

test('images are copied to another store and compared with it', async () => {
  await world().images.put('a/1.png', Buffer.from('one'))
  await world().images.put('a/2.png', Buffer.from('two'))
  const unknown = await cli('images', 'copy', '--from', 'files', '--to', 's3')
  expect(unknown).toMatchObject({ code: 1, err: 'Nothing is known of s3: set S3_BUCKET.' })
  const same = await cli('images', 'copy', '--from', 'files', '--to', 'files')
  expect(same.code).toBe(2)
  expect(same.err).toContain('--to: expected another store than --from')
  expect((await cli('images', 'copy', '--from', 'disk', '--to', 's3')).err).toContain(
    '--from: expected files or s3',
  )

  const server = await startS3Server()
  bucket = createS3ImageStore(server.settings)
  try {
    const copied = await answer('images', 'copy', '--from', 'files', '--to', 's3')
    expect(copied).toEqual({ copied: 2, gone: 0, conflicts: [] })
    await bucket.remove('a/2.png')
    await bucket.put('a/2.png', Buffer.from('other'))
    const differing = await cli('images', 'copy', '--from', 'files', '--to', 's3')
    expect(differing.code).toBe(1)
    expect(JSON.parse(differing.out)).toEqual({ copied: 1, gone: 0, conflicts: ['a/2.png'] })
  } finally {
    bucket = undefined
    await server.close()
  }
})
