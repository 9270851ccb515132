import { v7 as newUuid } from 'uuid'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '@/lib/auth/password'
import { findSessionIdentity, findSignIn, insertSession } from '@/lib/db/account-store'
import { SessionId, type AccountId } from '@/lib/domain/ids'
import { openWorld } from '@/test/world'
import { changeOwnPassword, renameOwn } from './own-identity'
import { endAllOtherSessions, endOneSession, listSessions } from './sessions'

const world = openWorld()
const PASSWORD = 'correct horse battery'
const passwords = () => ({ ...world().deps, hashPassword, verifyPassword })

async function open(accountId: AccountId, device?: string): Promise<SessionId> {
  const id = SessionId.parse(newUuid())
  const expiresAt = new Date(Date.now() + 60_000)
  await insertSession(world().db, { id, accountId, expiresAt, device })
  return id
}
const stands = async (id: SessionId) => (await findSessionIdentity(world().db, id)) !== undefined

async function openAccountWith(password: string): Promise<AccountId> {
  const accountId = await world().openAccount()
  await world().rows(
    'update user_identity set password_hash = $2 where account_id = $1',
    accountId,
    await hashPassword(password),
  )
  return accountId
}

test('somebody sees their own sessions that stand, which one is this, and nobody else’s', async () => {
  const [mine, others] = [await world().openAccount(), await world().openAccount()]
  const first = await open(mine, 'Firefox on Linux')
  const second = await open(mine)
  await open(others)
  await endOneSession(world().deps, mine, await open(mine))
  const listed = await listSessions(world().deps, mine, second)
  expect(listed.map(({ id, device, is_this }) => [id, device, is_this])).toEqual(
    expect.arrayContaining([
      [first, 'Firefox on Linux', false],
      [second, null, true],
    ]),
  )
  expect(listed).toHaveLength(2)
})

test('an ended session is nobody’s from the next request on, and another’s cannot be ended', async () => {
  const [mine, others] = [await world().openAccount(), await world().openAccount()]
  const [session, foreign] = [await open(mine), await open(others)]
  expect(await endOneSession(world().deps, mine, foreign)).toBe(false)
  expect(await endOneSession(world().deps, mine, 'not an id')).toBe(false)
  expect(await stands(foreign)).toBe(true)
  expect(await endOneSession(world().deps, mine, session)).toBe(true)
  expect(await stands(session)).toBe(false)
  expect(await endOneSession(world().deps, mine, session)).toBe(false)
})

test('all others end, and this one stays', async () => {
  const accountId = await world().openAccount()
  const own = await open(accountId)
  const others = [await open(accountId), await open(accountId)]
  expect(await endAllOtherSessions(world().deps, accountId, own)).toBe(2)
  expect(await Promise.all([own, ...others].map(stands))).toEqual([true, false, false])
})

test('the last use is written when it is a minute old, and not with every request', async () => {
  const accountId = await world().openAccount()
  const id = await open(accountId)
  const lastUse = async () =>
    (await world().rows('select last_used_at from session where id = $1', id))[0]?.['last_used_at']
  expect(await stands(id)).toBe(true)
  expect(await lastUse()).toBeNull()
  // As if it had been opened a while ago: the column itself is guarded.
  await world().rows(
    `update session set last_used_at = now() - interval '2 minutes' where id = $1`,
    id,
  )
  const before = await lastUse()
  expect(await stands(id)).toBe(true)
  const after = await lastUse()
  expect(after).not.toEqual(before)
  expect(await stands(id)).toBe(true)
  expect(await lastUse()).toEqual(after)
})

test('a new password is taken with the old one, and ends every other session', async () => {
  const accountId = await openAccountWith(PASSWORD)
  const own = await open(accountId)
  const other = await open(accountId)
  const change = (current: unknown, password: unknown) =>
    changeOwnPassword(passwords(), { accountId, sessionId: own }, { current, password })
  for (const wrong of ['', `${PASSWORD}!`, 'x'.repeat(201), { $ne: '' }, undefined]) {
    expect(await change(wrong, 'a new one, longer')).toMatchObject({
      refusal: { code: 'wrong-password' },
    })
  }
  expect(await change(PASSWORD, 'short')).toMatchObject({
    refusal: { code: 'invalid-input', message: 'Choose a password of at least 10 characters.' },
  })
  expect(await stands(other)).toBe(true)
  expect(await change(PASSWORD, 'a new one, longer')).toMatchObject({ ok: true })
  expect(await Promise.all([own, other].map(stands))).toEqual([true, false])
  const found = await findSignIn(world().db, `${accountId}@example.com`)
  expect(await verifyPassword(found?.passwordHash, 'a new one, longer')).toBe(true)
})

test('whoever has no password sets one without', async () => {
  const accountId = await world().openAccount()
  await world().rows(
    'update user_identity set password_hash = null where account_id = $1',
    accountId,
  )
  const own = { accountId, sessionId: await open(accountId) }
  const set = await changeOwnPassword(passwords(), own, { current: '', password: PASSWORD })
  expect(set.ok).toBe(true)
  const again = await changeOwnPassword(passwords(), own, { current: '', password: `${PASSWORD}2` })
  expect(again.ok).toBe(false)
})

test.each([
  ['  Ada Lovelace ', 'Ada Lovelace'],
  ['', undefined],
  ['   ', undefined],
  ['x'.repeat(101), undefined],
  [7, undefined],
])('the name %j is kept as %j', async (written, kept) => {
  const accountId = await world().openAccount()
  const renamed = await renameOwn(world().deps, accountId, written)
  expect(renamed.ok).toBe(kept !== undefined)
  const [row] = await world().rows(
    'select name from user_identity where account_id = $1',
    accountId,
  )
  expect(row?.['name']).toBe(kept ?? 'Ada')
})
