import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { AccountId } from '@/lib/domain/ids'
import { openWorld } from '@/test/world'
import {
  findExternalIdentities,
  signInExternally,
  unlinkIdentity,
  type ExternalPerson,
} from './external-identity-store'

// Whom an issuer's word lets in: never into an account whose address nobody has proved.

const world = openWorld()
const ISSUER = 'https://issuer.example'

const person = (changed: Partial<ExternalPerson> = {}): ExternalPerson => ({
  issuer: ISSUER,
  subject: randomUUID(),
  verifiedEmail: `${randomUUID()}@example.com`,
  name: 'Grace',
  ...changed,
})
const signIn = (who: ExternalPerson, here: { signedIn?: AccountId; newAccount?: AccountId } = {}) =>
  signInExternally(world().db, who, {
    signedIn: here.signedIn,
    newAccount: here.newAccount ?? AccountId.parse(randomUUID()),
    signupCredits: 7,
  })
const emailOf = (accountId: AccountId) => `${accountId}@example.com`
const prove = (accountId: AccountId) =>
  world().rows(
    'update user_identity set email_verified_at = now() where account_id = $1',
    accountId,
  )
const suspend = (accountId: AccountId) =>
  world().rows(`update account set status = 'suspended' where id = $1`, accountId)

test('whoever is new gets an account with the credits of a sign-up, once', async () => {
  const who = person()
  const first = await signIn(who)
  expect(first).toMatchObject({ outcome: 'registered', accountId: expect.any(String) as string })
  const again = await signIn(who)
  expect(again).toEqual({ outcome: 'known', accountId: first.accountId })
  const { accountId } = first
  if (!accountId) return
  expect(await world().balance(accountId)).toMatchObject({ available: 7 })
  const [identity] = await world().rows(
    'select * from user_identity where account_id = $1',
    accountId,
  )
  expect(identity).toMatchObject({ name: 'Grace', password_hash: null, role: 'user' })
  expect(identity?.['email_verified_at']).not.toBeNull()
})

test('the same person twenty times at once is one account with one grant', async () => {
  const who = person()
  const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(who)))
  expect(new Set(answers.map(({ accountId }) => accountId)).size).toBe(1)
  expect(answers.filter(({ outcome }) => outcome === 'registered')).toHaveLength(1)
})

test('a guest’s account becomes theirs, with all that is in it', async () => {
  const guest = AccountId.parse(randomUUID())
  await world().rows('select open_guest_account($1)', guest)
  expect(await signIn(person(), { newAccount: guest })).toEqual({
    outcome: 'registered',
    accountId: guest,
  })
  const [account] = await world().rows('select kind from account where id = $1', guest)
  expect(account).toEqual({ kind: 'user' })
})

test('an account whose address nobody has proved is not joined, whatever an issuer says', async () => {
  const accountId = await world().openAccount()
  const who = person({ verifiedEmail: emailOf(accountId) })
  expect(await signIn(who)).toEqual({ outcome: 'unproved', accountId: undefined })
  await prove(accountId)
  expect(await signIn(who)).toEqual({ outcome: 'joined', accountId })
  expect(await signIn(who)).toEqual({ outcome: 'known', accountId })
  // Another name of the same issuer with the same address is another person.
  expect(await signIn({ ...who, subject: 'another' })).toMatchObject({ outcome: 'unproved' })
})

test('without an address that the issuer verified nobody is let in', async () => {
  expect(await signIn(person({ verifiedEmail: undefined }))).toEqual({
    outcome: 'no_email',
    accountId: undefined,
  })
})

test('whoever is signed in adds the issuer’s name to their own account, and to no other', async () => {
  const [mine, others] = [await world().openAccount(), await world().openAccount()]
  const who = person({ verifiedEmail: undefined })
  expect(await signIn(who, { signedIn: mine })).toEqual({ outcome: 'linked', accountId: mine })
  expect(await signIn(who, { signedIn: others })).toMatchObject({ outcome: 'taken' })
  expect(await signIn(person(), { signedIn: mine })).toMatchObject({ outcome: 'taken' })
  expect(await signIn(who, { signedIn: mine })).toEqual({ outcome: 'known', accountId: mine })
  expect(await findExternalIdentities(world().db, mine)).toMatchObject([{ issuer: ISSUER }])
  expect(await findExternalIdentities(world().db, others)).toEqual([])
})

test('a suspended account lets nobody in by any name', async () => {
  const accountId = await world().openAccount()
  await prove(accountId)
  const who = person({ verifiedEmail: emailOf(accountId) })
  await signIn(who)
  await suspend(accountId)
  expect(await signIn(who)).toMatchObject({ outcome: 'suspended' })
  expect(await signIn({ ...who, issuer: 'https://another.example' })).toMatchObject({
    outcome: 'suspended',
  })
})

test('the last way in is not taken away', async () => {
  const { accountId } = await signIn(person())
  if (!accountId) throw new Error('nobody')
  expect(await unlinkIdentity(world().db, accountId, ISSUER)).toBe('last_way_in')
  await signIn(person({ issuer: 'https://another.example' }), { signedIn: accountId })
  expect(await unlinkIdentity(world().db, accountId, ISSUER)).toBe('unlinked')
  expect(await unlinkIdentity(world().db, accountId, 'https://another.example')).toBe('last_way_in')
  const withPassword = await world().openAccount()
  await signIn(person(), { signedIn: withPassword })
  expect(await unlinkIdentity(world().db, withPassword, ISSUER)).toBe('unlinked')
  expect(await unlinkIdentity(world().db, withPassword, ISSUER)).toBe('unknown')
})
