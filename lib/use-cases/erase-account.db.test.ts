import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '@/lib/auth/password'
import { findSignIn, insertSession, registerIdentity } from '@/lib/db/account-store'
import { changePassword } from '@/lib/db/identity-store'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AccountId, SessionId } from '@/lib/domain/ids'
import { artworkKeyOf, referenceKeyOf } from '@/lib/storage/object-keys'
import { acceptedAndReset, answering, errorBody } from '@/test/fake-provider-server'
import { pngBytes } from '@/test/images'
import { openWorld } from '@/test/world'
import { createApiKey, findKeyOwner } from './api-keys'
import { auditLedger } from './audit-ledger'
import { eraseAccount, sweepErasures } from './erase-account'
import { setFavourites } from './keep-pictures'
import { readImage } from './read-attempts'
import { keepImageForReference } from './reference-images'
import { readShared, sharePicture } from './share-picture'
import { setSpendingLimit } from './spending'
import { startAttempt } from './start-attempt'
import { generation } from '@/test/factories'

// Somebody deletes their account, with attempts in every state. What is theirs goes, the books stay.

const world = openWorld()
const PASSWORD = 'correct horse battery'

const deps = () => ({ ...world().deps, hashPassword, verifyPassword })
const emailOf = (accountId: AccountId) => `${accountId}@example.com`
const erase = (accountId: AccountId, changed: { confirmation?: string; password?: string } = {}) =>
  eraseAccount(deps(), accountId, {
    confirmation: emailOf(accountId),
    password: PASSWORD,
    ...changed,
  })

type Scene = {
  readonly accountId: AccountId
  /** In its prompts, its errors and the name of its key, and in nobody else’s. */
  readonly words: string
  readonly keys: Readonly<
    Record<
      'initializing' | 'pending' | 'delivering' | 'completed' | 'unresolved' | 'failed',
      AttemptKey
    >
  >
  readonly shared: string
  readonly apiKey: string
  readonly reference: string
}
let scene: Scene

async function setTheScene(): Promise<Scene> {
  const accountId = await world().openAccount(50)
  const words = `my aunt ${randomUUID()} in her garden`
  await changePassword(world().db, {
    accountId,
    passwordHash: await hashPassword(PASSWORD),
    kept: undefined,
  })
  const begin = () => world().start(accountId, { prompt: words })
  const completed = await begin()
  await world().runToQuiet(completed)
  await setFavourites(world().deps, accountId, [completed.id], true)
  const share = await sharePicture(world().deps, accountId, completed.id, true)
  const [delivering, pending] = [await begin(), await begin()]
  for (const key of [delivering, pending]) await world().step(key)
  await world().step(delivering)
  world().provider.answer('submit', acceptedAndReset)
  const unresolved = await begin()
  await world().runToQuiet(unresolved)
  world().provider.answer('submit', answering(422, errorBody('content_policy', words)))
  const failed = await begin()
  await world().runToQuiet(failed)
  const key = await createApiKey(world().deps, accountId, words)
  const kept = await keepImageForReference(world().deps, accountId, await pngBytes())
  if (!kept.ok || !key.ok || !share) throw new Error('the scene is not set')
  await setSpendingLimit(world().deps, accountId, '40')
  await insertSession(world().db, {
    id: SessionId.parse(randomUUID()),
    accountId,
    expiresAt: new Date(Date.now() + 60_000),
  })
  return {
    accountId,
    words,
    keys: { initializing: await begin(), pending, delivering, completed, unresolved, failed },
    shared: share.url.replace('/s/', ''),
    apiKey: key.value.key,
    reference: kept.value.sha256,
  }
}
beforeEach(async () => {
  scene = await setTheScene()
})

/** Every text of every table, where the account's rows can be. */
async function traces(words: string): Promise<readonly string[]> {
  const tables = await world().rows(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await world().rows(
      `select 1 from ${String(name)} t where to_jsonb(t)::text like $1`,
      `%${words}%`,
    )
    if (rows.length > 0) found.push(String(name))
  }
  return found
}

const statesOf = async ({ keys }: Scene) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(keys).map(async ([name, key]) => {
        const { state, settlement } = await world().attempt(key)
        return [name, `${state} ${settlement ?? 'open'}`] as const
      }),
    ),
  )

const linesOf = ({ accountId }: Scene) =>
  world().rows('select * from ledger_entry where account_id = $1 order by seq', accountId)

test('the right address and the right password are asked for, and nothing happens without', async () => {
  const { accountId } = scene
  for (const [changed, field] of [
    [{ confirmation: '' }, 'confirmation'],
    [{ confirmation: 'another@example.com' }, 'confirmation'],
    [{ password: 'wrong password' }, 'password'],
    [{ password: '' }, 'password'],
  ] as const) {
    expect(await erase(accountId, changed)).toMatchObject({ ok: false, refusal: { field } })
  }
  expect(await findSignIn(world().db, emailOf(accountId))).toBeDefined()
  expect(await findKeyOwner(world().deps, scene.apiKey)).toBe(accountId)
})

test('from the same moment on nobody is let in, nothing is shown and nothing begins', async () => {
  const { accountId, keys } = scene
  expect(await erase(accountId)).toEqual({ ok: true, value: undefined })
  expect(await findSignIn(world().db, emailOf(accountId))).toBeUndefined()
  expect(await findKeyOwner(world().deps, scene.apiKey)).toBeUndefined()
  expect(await readShared(world().deps, scene.shared)).toBeUndefined()
  expect(await readImage(world().deps, accountId, keys.completed.id)).toBeUndefined()
  const input = { requestId: randomUUID(), ...generation }
  expect(await startAttempt(world().deps, accountId, input)).toMatchObject({
    refusal: { code: 'account-suspended' },
  })
  expect(await world().rows('select from session where account_id = $1', accountId)).toEqual([])
  expect(await erase(accountId)).toMatchObject({ ok: false })
})

test('the ledger stays line by line, what was not sent is released, and the audit finds nothing', async () => {
  const before = await linesOf(scene)
  await erase(scene.accountId)
  const after = await linesOf(scene)
  expect(after.slice(0, before.length)).toEqual(before)
  expect(after.slice(before.length).map(({ kind }) => kind)).toEqual(['released'])
  expect(await statesOf(scene)).toEqual({
    initializing: 'failed released',
    pending: 'pending open',
    delivering: 'delivering open',
    completed: 'completed settled',
    unresolved: 'status_unknown open',
    failed: 'failed released',
  })
  expect(await auditLedger(world().deps)).toMatchObject({ ok: true })
})

test('what is under way is seen through, charged as for everybody, and its picture is not kept', async () => {
  const { accountId, keys } = scene
  await erase(accountId)
  for (const key of [keys.pending, keys.delivering]) {
    await world().runToQuiet(key)
    expect(await world().entries(key)).toEqual(['reserved', 'settled'])
  }
  await sweepErasures(world().deps)
  for (const key of [keys.pending, keys.delivering]) {
    expect(await readImage(world().deps, accountId, key.id)).toBeUndefined()
    expect(
      await world().rows('select from deleted_artwork where attempt_id = $1', key.id),
    ).toHaveLength(1)
  }
  expect(await auditLedger(world().deps)).toMatchObject({ ok: true })
})

test('once everything has ended nothing tells who it was or what they asked for', async () => {
  const { accountId, keys } = scene
  const before = await linesOf(scene)
  await erase(accountId)
  // What is unresolved keeps its prompt until its end: finding it may need it.
  expect(await traces(scene.words)).toContain('attempt')
  world().provider.answer('submit')
  for (const key of Object.values(keys)) await world().runToQuiet(key)
  await world().rows(
    `select apply_decision(account_id, id, version, null, 'failed', 'failed_by_operator', 'operator:test',
       '{}', null, null, 'provider_failed', 'x', 'released', null, null, null, 0)
     from attempt where id = $1`,
    keys.unresolved.id,
  )
  await sweepErasures(world().deps)

  expect(await traces(scene.words)).toEqual([])
  expect(await traces(emailOf(accountId))).toEqual([])
  expect(
    await world().rows('select from reference_image where account_id = $1', accountId),
  ).toEqual([])
  expect((await linesOf(scene)).slice(0, before.length)).toEqual(before)
  const [erasure] = await world().rows(
    'select finished_at from account_erasure where account_id = $1',
    accountId,
  )
  expect(erasure?.['finished_at']).not.toBeNull()
  expect(await auditLedger(world().deps)).toMatchObject({ ok: true })
  const rest = await world().rows(
    `select distinct a.blur, e.evidence from artwork a
     join attempt_event e on e.attempt_id = a.attempt_id where a.account_id = $1`,
    accountId,
  )
  expect(rest).toEqual([{ blur: '', evidence: {} }])
})

test('files of reference images and of pictures go too', async () => {
  const { accountId, keys, reference } = scene
  const { images } = world().deps
  expect(await images.get(referenceKeyOf(accountId, reference))).toBeDefined()
  await erase(accountId)
  await sweepErasures(world().deps)
  expect(await images.get(referenceKeyOf(accountId, reference))).toBeUndefined()
  expect(await world().rows('select from erased_file')).toEqual([])
  // The picture’s own file has its tombstone, which the sweep of deleted pictures goes by.
  const [tombstone] = await world().rows(
    'select object_key from deleted_artwork join artwork using (attempt_id) where attempt_id = $1',
    keys.completed.id,
  )
  expect(tombstone?.['object_key']).toBe(artworkKeyOf(keys.completed, 'image/png'))
})

test('a store that is down keeps the list of files, and they go later', async () => {
  const { accountId, reference } = scene
  await erase(accountId)
  const failing = { ...world().images, remove: () => Promise.reject(new Error('down')) }
  await sweepErasures({ ...world().deps, images: failing })
  expect(await world().images.get(referenceKeyOf(accountId, reference))).toBeDefined()
  await sweepErasures(world().deps)
  expect(await world().images.get(referenceKeyOf(accountId, reference))).toBeUndefined()
})

test('a reference image stays for as long as an open attempt is made after it', async () => {
  const { accountId, reference } = scene
  await world().rows('alter table attempt disable trigger attempt_guarded')
  await world().rows(
    `update attempt set settings = settings || jsonb_build_object('referenceImages', jsonb_build_array($2::text))
     where id = $1`,
    scene.keys.unresolved.id,
    reference,
  )
  await world().rows('alter table attempt enable trigger attempt_guarded')
  await erase(accountId)
  await sweepErasures(world().deps)
  expect(await world().images.get(referenceKeyOf(accountId, reference))).toBeDefined()
})

test('the address can sign up anew, as somebody else', async () => {
  const { accountId } = scene
  await erase(accountId)
  const newcomer = AccountId.parse(randomUUID())
  const registered = await registerIdentity(world().db, {
    accountId: newcomer,
    email: emailOf(accountId),
    name: 'Ada',
    role: 'user',
    passwordHash: '$argon2id$of-a-test',
    signupCredits: 5,
  })
  expect(registered).toBe('registered')
  expect(await world().balance(newcomer)).toMatchObject({ available: 5 })
})

test('whoever acts for others, or did, stays on the record', async () => {
  const { accountId } = scene
  await world().rows(`update user_identity set role = 'admin' where account_id = $1`, accountId)
  expect(await erase(accountId)).toMatchObject({ refusal: { code: 'has-role' } })
  expect(await findSignIn(world().db, emailOf(accountId))).toBeDefined()
  await world().rows(`update user_identity set role = 'user' where account_id = $1`, accountId)
})

test('the same deletion twice at the same moment is one', async () => {
  const outcomes = await Promise.all([1, 2, 3].map(() => erase(scene.accountId)))
  expect(outcomes.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(1)
  expect(
    await world().rows('select from account_erasure where account_id = $1', scene.accountId),
  ).toHaveLength(1)
})

test('deleting while attempts end at the same moment leaves no trace of them either', async () => {
  const { accountId, keys } = scene
  await Promise.all([
    erase(accountId),
    ...[keys.pending, keys.delivering].map((key) => world().step(key)),
  ])
  for (const key of [keys.pending, keys.delivering]) await world().runToQuiet(key)
  await sweepErasures(world().deps)
  const rows = await world().rows(
    `select prompt from attempt where account_id = $1 and state in ('completed', 'failed')`,
    accountId,
  )
  expect(new Set(rows.map(({ prompt }) => prompt))).toEqual(new Set(['(deleted)']))
})
