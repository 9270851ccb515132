import { randomUUID } from 'node:crypto'
import { v7 as newUuid } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { findSessionIdentity, registerIdentity } from '@/lib/db/account-store'
import { deps } from '@/lib/deps'
import { AccountId, SessionId } from '@/lib/domain/ids'
import { createTestDatabase, type TestDatabase } from '@/test/postgres'
import { authOptions } from './options'
import { hashPassword } from './password'

// Signing in, through the very options that next-auth is given.

const PASSWORD = 'correct horse battery'
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  vi.stubEnv('DATABASE_URL', database.appUrl)
  vi.stubEnv('AUTH_SECRET', 'x'.repeat(32))
  vi.stubEnv('LOG_LEVEL', 'silent')
})
afterAll(async () => {
  await deps().db.close()
  vi.unstubAllEnvs()
  await database.drop()
})

const Authorize = z.object({
  options: z.object({
    authorize: z.custom<(input: unknown, request: object) => Promise<unknown>>(
      (value) => typeof value === 'function',
    ),
  }),
})
const SignedIn = z.object({ id: AccountId, sid: SessionId }).nullable()

async function signIn(input: unknown) {
  const provider = Authorize.parse(authOptions().providers[0])
  return SignedIn.parse(await provider.options.authorize(input, {}))
}

async function register() {
  const email = `${randomUUID()}@example.com`
  const accountId = AccountId.parse(newUuid())
  const passwordHash = await hashPassword(PASSWORD)
  await registerIdentity(deps().db, {
    accountId,
    email,
    name: 'Ada',
    role: 'user',
    passwordHash,
    signupCredits: 0,
  })
  return { accountId, email }
}

test('the right password opens a session of that account, however the address is written', async () => {
  const { accountId, email } = await register()
  const signedIn = await signIn({ email: ` ${email.toUpperCase()}`, password: PASSWORD })
  expect(signedIn?.id).toBe(accountId)
  const sid = SessionId.parse(signedIn?.sid)
  expect(await findSessionIdentity(deps().db, sid)).toMatchObject({ accountId, email })
})

test.each<readonly [string, (email: string) => unknown]>([
  ['a wrong password', (email) => ({ email, password: `${PASSWORD}!` })],
  ['the password in capitals', (email) => ({ email, password: PASSWORD.toUpperCase() })],
  ['an empty password', (email) => ({ email, password: '' })],
  ['an endless password', (email) => ({ email, password: 'x'.repeat(201) })],
  ['an address that has no account', () => ({ email: 'nobody@example.com', password: PASSWORD })],
  ['no address', () => ({ password: PASSWORD })],
  ['an address that is no text', () => ({ email: { $ne: '' }, password: PASSWORD })],
  ['nothing', () => undefined],
])('%s opens nothing', async (_what, input) => {
  const { accountId, email } = await register()
  expect(await signIn(input(email))).toBeNull()
  expect(await deps().db.prisma.session.count({ where: { accountId } })).toBe(0)
})

test('the token carries the session’s id, and signing out ends that session', async () => {
  const { email } = await register()
  const signedIn = await signIn({ email, password: PASSWORD })
  const sid = SessionId.parse(signedIn?.sid)
  const { events } = authOptions()
  await events?.signOut?.({ token: { sid }, session: { expires: '' } })
  expect(await findSessionIdentity(deps().db, sid)).toBeUndefined()
})
