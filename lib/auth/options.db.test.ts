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

async function signIn(input: unknown, headers: Record<string, string> = {}) {
  const provider = Authorize.parse(authOptions().providers[0])
  return SignedIn.parse(await provider.options.authorize(input, { headers }))
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

test('a session says which browser it is in, and from where it was opened is kept nowhere', async () => {
  const { accountId, email } = await register()
  const headers = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'x-forwarded-for': '198.51.100.7, 203.0.113.9',
  }
  await signIn({ email, password: PASSWORD }, headers)
  const [session] = await deps().db.prisma.session.findMany({ where: { accountId } })
  expect(session?.device).toBe('Firefox on Linux')
  expect(JSON.stringify(session)).not.toMatch(/203\.0|Mozilla/)
})

const outcomeOf = async (email: string, from: string, password = 'wrong password') => {
  try {
    return await signIn({ email, password }, { 'x-forwarded-for': from })
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\d+$/, 'N') : 'no error'
  }
}

test('too many tries have to wait, with the same words whether or not there is such an account', async () => {
  const { email } = await register()
  const told: unknown[][] = []
  for (const [nth, address] of [email, `${randomUUID()}@example.com`].entries()) {
    const outcomes: unknown[] = []
    for (let tries = 0; tries < 12; tries += 1) {
      outcomes.push(await outcomeOf(address, `203.0.113.${20 + nth}`))
    }
    told.push(outcomes)
  }
  expect(told[0]).toEqual([...Array<null>(10).fill(null), 'throttled:N', 'throttled:N'])
  expect(told[1]).toEqual(told[0])
  // The right password is not asked about either, or the wait would tell that it is right.
  expect(await outcomeOf(email, '203.0.113.20', PASSWORD)).toBe('throttled:N')
  // Its owner, from elsewhere, is let in.
  expect(await outcomeOf(email, '203.0.113.30', PASSWORD)).toMatchObject({
    id: expect.any(String) as string,
  })
})
