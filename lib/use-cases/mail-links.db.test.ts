import { randomUUID } from 'node:crypto'
import { v7 as newUuid } from 'uuid'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '@/lib/auth/password'
import { findSessionIdentity, findSignIn, insertSession } from '@/lib/db/account-store'
import { claimMail, endMail, forgetOldMail, signInByLink, type LinkKind } from '@/lib/db/mail-store'
import { SessionId, type AccountId } from '@/lib/domain/ids'
import { linkTokenHash } from '@/lib/domain/link-token'
import { openWorld } from '@/test/world'
import { createApiKey, findKeyOwner } from './api-keys'
import { askForMailLink, lookAtMailLink, mailTokenOf, resetByLink } from './mail-links'

// Links in e-mails: each is used once, in its time, and tells nobody whether there is an account.

const world = openWorld()
const deps = () => ({ ...world().deps, hashPassword, verifyPassword })
const emailOf = (accountId: AccountId) => `${accountId}@example.com`

const ask = (email: unknown, kind: LinkKind) =>
  askForMailLink(world().deps, kind, { email, locale: 'de' })

const take = async (token: string) => {
  const hash = linkTokenHash(token)
  return hash && (await signInByLink(world().db, hash))
}

/** The token as the mail would have it. */
async function tokenFor(accountId: AccountId, kind: LinkKind): Promise<string> {
  await ask(emailOf(accountId), kind)
  const [row] = await world().rows(
    `select id, token_id from mail_outbox where account_id = $1 and kind = $2
     order by created_at desc limit 1`,
    accountId,
    kind,
  )
  await endMail(world().db, String(row?.['id']), undefined)
  return mailTokenOf(world().deps.callbackSecret, String(row?.['token_id']))
}

async function openSession(accountId: AccountId) {
  const id = SessionId.parse(newUuid())
  await insertSession(world().db, { id, accountId, expiresAt: new Date(Date.now() + 60_000) })
  return async () => (await findSessionIdentity(world().db, id)) !== undefined
}

test('an address without an account is answered as one with, and nothing is written down', async () => {
  const before = await world().rows('select count(*) from email_token')
  expect(await ask(`${randomUUID()}@example.com`, 'sign-in-link')).toEqual(
    await ask(`${randomUUID()}@example.com`, 'password-reset'),
  )
  expect(await world().rows('select count(*) from email_token')).toEqual(before)
  expect(await ask('no address', 'sign-in-link')).toMatchObject({ ok: false })
})

test('a link to sign in lets its owner in once, however often it was looked at', async () => {
  const accountId = await world().openAccount()
  const token = await tokenFor(accountId, 'sign-in-link')
  for (let looks = 0; looks < 3; looks += 1) {
    expect(await lookAtMailLink(world().deps, token, 'sign-in-link')).toBeDefined()
  }
  const answers = await Promise.all([1, 2, 3, 4].map(() => take(token)))
  expect(answers.filter((answer) => answer === accountId)).toHaveLength(1)
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(3)
  expect(await lookAtMailLink(world().deps, token, 'sign-in-link')).toBeUndefined()
})

test.each([
  ['rubbish', () => Promise.resolve('rubbish')],
  ['nothing', () => Promise.resolve('')],
  ['a link to a new password', (accountId: AccountId) => tokenFor(accountId, 'password-reset')],
])('%s is no link to sign in', async (_what, tokenOf) => {
  const accountId = await world().openAccount()
  expect(await take(await tokenOf(accountId))).toBeUndefined()
})

test('a link that is over, or of a suspended account, lets nobody in', async () => {
  const [late, suspended] = [await world().openAccount(), await world().openAccount()]
  const [lateToken, suspendedToken] = [
    await tokenFor(late, 'sign-in-link'),
    await tokenFor(suspended, 'sign-in-link'),
  ]
  await world().rows('alter table email_token disable trigger all')
  await world().rows(
    `update email_token set created_at = now() - interval '1 hour', expires_at = now() - interval '1 second'
     where account_id = $1`,
    late,
  )
  await world().rows('alter table email_token enable trigger all')
  await world().rows(`update account set status = 'suspended' where id = $1`, suspended)
  expect(await take(lateToken)).toBeUndefined()
  expect(await take(suspendedToken)).toBeUndefined()
})

test('the first proof of an address takes away what somebody else may have set up under it', async () => {
  const accountId = await world().openAccount()
  const key = await createApiKey(world().deps, accountId, 'not mine')
  const session = await openSession(accountId)
  const token = await tokenFor(accountId, 'sign-in-link')
  expect(await lookAtMailLink(world().deps, token, 'sign-in-link')).toEqual({ dropsPassword: true })
  await take(token)
  expect(await session()).toBe(false)
  expect(key.ok && (await findKeyOwner(world().deps, key.value.key))).toBeUndefined()
  expect(await findSignIn(world().db, emailOf(accountId))).toMatchObject({
    passwordHash: undefined,
  })

  // Proved once, a link is only a way in.
  const later = await createApiKey(world().deps, accountId, 'mine')
  const own = await openSession(accountId)
  const next = await tokenFor(accountId, 'sign-in-link')
  expect(await lookAtMailLink(world().deps, next, 'sign-in-link')).toEqual({ dropsPassword: false })
  await take(next)
  expect(await own()).toBe(true)
  expect(later.ok && (await findKeyOwner(world().deps, later.value.key))).toBe(accountId)
})

test('a link to a new password sets it, ends every session, and uses up the other links', async () => {
  const accountId = await world().openAccount()
  const session = await openSession(accountId)
  const [token, another] = [
    await tokenFor(accountId, 'password-reset'),
    await tokenFor(accountId, 'password-reset'),
  ]
  const reset = (password: string, by = token) => resetByLink(deps(), { token: by, password })
  expect(await reset('short')).toMatchObject({ refusal: { code: 'invalid-password' } })
  expect(await session()).toBe(true)
  expect(await reset('a new password')).toEqual({ ok: true, value: undefined })
  expect(await session()).toBe(false)
  const found = await findSignIn(world().db, emailOf(accountId))
  expect(await verifyPassword(found?.passwordHash, 'a new password')).toBe(true)
  for (const by of [token, another, 'rubbish']) {
    expect(await reset('yet another one', by)).toMatchObject({ refusal: { code: 'link-over' } })
  }
})

test('what is stored of a link does not open it', async () => {
  const accountId = await world().openAccount()
  const token = await tokenFor(accountId, 'sign-in-link')
  const rows = await world().rows('select to_jsonb(t)::text as it from email_token t')
  expect(rows.map(({ it }) => String(it)).join()).not.toContain(token)
})

test('a mail is given to one worker, and given up when it is a day old', async () => {
  const accountId = await world().openAccount()
  await world().rows('delete from mail_outbox')
  await ask(emailOf(accountId), 'sign-in-link')
  const claims = await Promise.all([1, 2, 3].map(() => claimMail(world().db, 10, 60_000)))
  expect(claims.flat()).toMatchObject([{ account_id: accountId, locale: 'de', tries: 1 }])
  await world().rows(`update mail_outbox set created_at = now() - interval '25 hours'`)
  await forgetOldMail(world().db)
  expect(await world().rows('select from mail_outbox')).toEqual([])
})
