import { randomUUID } from 'node:crypto'
import { v7 as newUuid } from 'uuid'
import { expect, test } from 'vitest'
import { hashPassword } from '@/lib/auth/password'
import { endSession, findSessionIdentity, findSignIn, insertSession } from '@/lib/db/account-store'
import { AccountId, SessionId } from '@/lib/domain/ids'
import { openWorld } from '@/test/world'
import { registerUser } from './register-user'

const world = openWorld()
const PASSWORD = 'correct horse battery'

const register = (input: unknown, options: Parameters<typeof registerUser>[2] = {}) =>
  registerUser({ ...world().deps, signupCredits: 100, hashPassword }, input, options)
const newEmail = () => `${randomUUID()}@example.com`

test('signing up opens an account with one grant, and keeps the password as a hash alone', async () => {
  const email = newEmail()
  const registered = await register({
    email: ` ${email.toUpperCase()} `,
    password: PASSWORD,
    name: 'Ada',
  })
  const accountId = registered.ok ? registered.value.accountId : undefined
  expect(registered.ok).toBe(true)

  const found = await findSignIn(world().db, email)
  expect(found).toMatchObject({ accountId, email, name: 'Ada', role: 'user', suspended: false })
  expect(found?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(
    await world().rows(
      'select kind, amount, source_key from ledger_entry where account_id = $1',
      accountId,
    ),
  ).toEqual([{ kind: 'granted', amount: 100, source_key: 'sign-up' }])
})

test('an address that has an account is refused, in whatever case, and grants nothing', async () => {
  const email = newEmail()
  await register({ email, password: PASSWORD })
  expect(
    await register({ email: email.toUpperCase(), password: 'another password' }),
  ).toMatchObject({
    ok: false,
    refusal: { code: 'email-taken', field: 'email' },
  })
  const found = await findSignIn(world().db, email)
  expect(await world().balance(AccountId.parse(found?.accountId))).toMatchObject({ available: 100 })
})

test('two people may have the same name and password', async () => {
  const [one, two] = [newEmail(), newEmail()]
  await register({ email: one, password: PASSWORD })
  await register({ email: two, password: PASSWORD })
  const hashes = await Promise.all([one, two].map((email) => findSignIn(world().db, email)))
  expect(hashes[0]?.passwordHash).not.toBe(hashes[1]?.passwordHash)
})

test.each<readonly [string, unknown, string | undefined]>([
  ['no input', undefined, undefined],
  ['an address that is none', { email: 'ada', password: PASSWORD }, 'email'],
  ['no password', { email: 'a@x.example' }, 'password'],
  ['a short password', { email: 'a@x.example', password: 'x'.repeat(9) }, 'password'],
  ['an endless password', { email: 'a@x.example', password: 'x'.repeat(201) }, 'password'],
  ['an endless name', { email: 'a@x.example', password: PASSWORD, name: 'x'.repeat(101) }, 'name'],
  ['a role of one’s own', { email: 'a@x.example', password: PASSWORD, role: 'admin' }, undefined],
])('%s is refused and the field is named', async (_what, input, field) => {
  expect(await register(input)).toMatchObject({
    ok: false,
    refusal: { code: 'invalid-input', field },
  })
})

test('an admin is made only by whoever runs the installation', async () => {
  const email = newEmail()
  await register({ email, password: PASSWORD }, { role: 'admin' })
  expect(await findSignIn(world().db, email)).toMatchObject({ role: 'admin' })
})

// Sessions stand in the database: each request asks whether they still do.

async function signedIn(expiresInMs = 60_000) {
  const registered = await register({ email: newEmail(), password: PASSWORD })
  const accountId = AccountId.parse(registered.ok ? registered.value.accountId : '')
  const id = SessionId.parse(newUuid())
  await insertSession(world().db, { id, accountId, expiresAt: new Date(Date.now() + expiresInMs) })
  return { id, accountId }
}

test('a session names its person', async () => {
  const { id, accountId } = await signedIn()
  expect(await findSessionIdentity(world().db, id)).toMatchObject({ accountId, role: 'user' })
  expect(await findSessionIdentity(world().db, SessionId.parse(newUuid()))).toBeUndefined()
})

test('a session that was ended is refused at once, and ending it again changes nothing', async () => {
  const { id } = await signedIn()
  await endSession(world().db, id)
  const [ended] = await world().rows('select ended_at from session where id = $1', id)
  await endSession(world().db, id)
  expect(await findSessionIdentity(world().db, id)).toBeUndefined()
  expect(await world().rows('select ended_at from session where id = $1', id)).toEqual([ended])
})

test('a suspended account’s session is refused at its next request, and stands again later', async () => {
  const { id, accountId } = await signedIn()
  const set = (status: string) =>
    world().rows('update account set status = $1 where id = $2', status, accountId)
  await set('suspended')
  expect(await findSessionIdentity(world().db, id)).toBeUndefined()
  await set('active')
  expect(await findSessionIdentity(world().db, id)).toBeDefined()
})

test('a session that has run out is refused', async () => {
  const { id } = await signedIn()
  await world().rows(
    `update session set created_at = now() - interval '2 days', expires_at = now() - interval '1 day'
     where id = $1`,
    id,
  )
  expect(await findSessionIdentity(world().db, id)).toBeUndefined()
})
