import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { registerIdentity } from '@/lib/db/account-store'
import { declareCapabilities } from '@/lib/db/verification-store'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AccountId, TaskId } from '@/lib/domain/ids'
import { createDecoder } from '@/lib/storage/decoder-process'
import { sha256Of } from '@/lib/storage/sha256'
import { acceptedAndReset, answering, looking } from '@/test/fake-provider-server'
import { pngBytes, truncatedPngBytes } from '@/test/images'
import { openWorld } from '@/test/world'
import { bringImage } from './bring-image'
import { performAdminAct, type Admin } from './perform-admin-act'
import { reviewForAdmin } from './review-attempts'
import { verifyForAdmins } from './verify-for-admins'

const world = openWorld()
const containing = (words: string): unknown => expect.stringContaining(words)
const reason = 'found in the dashboard of the provider'
const decoder = createDecoder()
afterAll(() => decoder.close())

async function openAdmin(): Promise<Admin> {
  const accountId = AccountId.parse(world().newId())
  const person = { accountId, email: `${accountId}@example.com`, role: 'admin' } as const
  const signUp = { name: 'Grace', passwordHash: '$argon2id$of-a-test', signupCredits: 0 }
  await registerIdentity(world().db, { ...person, ...signUp })
  return person
}

async function unresolved() {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  world().provider.answer('submit', acceptedAndReset)
  await world().step(key)
  world().provider.reset()
  const { version } = await world().attempt(key)
  return { account, key, seen: { attemptId: key.id, version } }
}

const ask = (admin: Admin, input: object) =>
  performAdminAct(world(), admin, { id: randomUUID(), reason, ...input })
/** As if the pause since the last try had passed. */
const verify = async (by = world().deps) => {
  await world().rows('update verification set due_at = now() where outcome is null')
  await verifyForAdmins(by, decoder)
}
const newest = async (admin: Admin, { id }: AttemptKey) =>
  (await reviewForAdmin(world(), admin, id))?.verifications[0]

test('an attached task is believed when the provider has it under our reference', async () => {
  const admin = await openAdmin()
  const { key, seen } = await unresolved()
  const taskId = world().provider.taskIdOf(key.id)
  expect(await ask(admin, { act: 'attach-task', taskId, ...seen })).toMatchObject({ ok: true })
  expect(await newest(admin, key)).toMatchObject({ outcome: null, task_id: taskId })
  expect(await ask(admin, { act: 'attach-task', taskId, ...seen })).toMatchObject({
    refusal: { code: 'not-possible', message: containing('already') },
  })
  await verify()
  expect(await newest(admin, key)).toMatchObject({ outcome: 'applied' })
  const [event] = await world().rows(
    'select actor, kind, evidence from attempt_event where attempt_id = $1 order by seq desc limit 1',
    key.id,
  )
  expect(event).toMatchObject({
    actor: `admin:${admin.email}`,
    kind: 'task_attached',
    evidence: { reason, proof: containing('has the reference of this attempt') },
  })
  await world().runToQuiet(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'completed', settlement: 'settled' })
  expect(world().provider.posts()).toBe(0)
})

test('what is not there, or is of another attempt, is refused, and nothing changes', async () => {
  const admin = await openAdmin()
  const [one, other] = [await unresolved(), await unresolved()]
  const before = await world().attempt(one.key)
  const stranger = world().provider.taskIdOf(other.key.id)
  await ask(admin, { act: 'attach-task', taskId: stranger, ...one.seen })
  await verify()
  expect(await newest(admin, one.key)).toMatchObject({
    outcome: 'other_attempt',
    found: containing(other.key.id),
  })
  world().provider.answer('status', answering(404))
  await ask(admin, { act: 'attach-task', taskId: 'invented', ...one.seen })
  await verify()
  expect(await newest(admin, one.key)).toMatchObject({ outcome: 'missing' })
  expect(await world().attempt(one.key)).toEqual(before)
})

test('a provider that is away is asked again, and in the end it is said that it was away', async () => {
  const admin = await openAdmin()
  const { key, seen } = await unresolved()
  const taskId = world().provider.taskIdOf(key.id)
  world().provider.answer('status', answering(503))
  await ask(admin, { act: 'attach-task', taskId, ...seen })
  for (let tries = 1; tries < 7; tries += 1) {
    await verify()
    expect(await newest(admin, key)).toMatchObject({ outcome: null })
  }
  await verify()
  expect(await newest(admin, key)).toMatchObject({ outcome: 'unreachable' })
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown', task_id: null })
  world().provider.reset()
  expect(await ask(admin, { act: 'attach-task', taskId, ...seen })).toMatchObject({ ok: true })
  await verify()
  expect(await world().attempt(key)).toMatchObject({ state: 'pending' })
})

test('what became known meanwhile goes before what was said', async () => {
  const admin = await openAdmin()
  const { key, seen } = await unresolved()
  const taskId = world().provider.taskIdOf(key.id)
  await ask(admin, { act: 'attach-task', taskId, ...seen })
  await ask(admin, { act: 'fail', proof: 'its support says so', ...seen })
  await verify()
  expect(await newest(admin, key)).toMatchObject({ outcome: 'changed' })
  expect(await world().entries(key)).toEqual(['reserved', 'released'])
})

test('a worker that died between recording and saying so does not do it twice', async () => {
  const admin = await openAdmin()
  const { key, seen } = await unresolved()
  const taskId = world().provider.taskIdOf(key.id)
  await ask(admin, { act: 'attach-task', taskId, ...seen })
  await verify()
  // As it was before the end was written.
  await world().rows(
    `with past_the_guards as (select set_config('session_replication_role', 'replica', true))
     update verification set outcome = null, found = null, ended_at = null
     from past_the_guards where attempt_id = $1`,
    key.id,
  )
  world().provider.answer('status', looking('rendering'))
  const { version } = await world().attempt(key)
  await verify()
  expect(await newest(admin, key)).toMatchObject({ outcome: 'applied' })
  expect((await world().attempt(key)).version).toBe(version)
})

test('a search is offered where the provider documents one, and what it finds is the task', async () => {
  const admin = await openAdmin()
  const { key, seen } = await unresolved()
  expect(await ask(admin, { act: 'look-up', ...seen })).toMatchObject({
    refusal: { message: containing('No worker has said') },
  })
  const [simulator] = world().deps.providers.values()
  if (!simulator) throw new Error('there is no provider')
  const capabilities = {
    ...simulator.capabilities('simulator/proof'),
    lookup: { by: 'reference', forMs: 60_000 },
  } as const
  const [model] = await world().rows('select model from attempt where id = $1', key.id)
  const declared = { model: String(model?.['model']), provider: 'simulator' }
  await declareCapabilities(world().db, [{ ...declared, capabilities }])
  const taskId = TaskId.parse(world().provider.taskIdOf(key.id))
  let found: 'absent' | 'found' = 'absent'
  const lookUp = () =>
    Promise.resolve(
      found === 'found'
        ? ({ kind: 'found', taskId } as const)
        : ({ kind: 'absent', reason: 'no such reference' } as const),
    )
  const searching = { ...simulator, capabilities: () => capabilities, lookUp }
  const by = { ...world().deps, providers: new Map([['simulator', searching]]) }
  await ask(admin, { act: 'look-up', ...seen })
  await verify(by)
  expect(await newest(admin, key)).toMatchObject({ outcome: 'absent', found: 'no such reference' })
  found = 'found'
  await ask(admin, { act: 'look-up', ...seen })
  await verify(by)
  expect(await newest(admin, key)).toMatchObject({ outcome: 'applied', task_id: taskId })
  expect(await world().attempt(key)).toMatchObject({ state: 'pending', task_id: taskId })
  const plain = simulator.capabilities('simulator/proof')
  await declareCapabilities(world().db, [{ ...declared, capabilities: plain }])
  const { seen: another } = await unresolved()
  expect(await ask(admin, { act: 'look-up', ...another })).toMatchObject({
    refusal: { message: containing('offers no search') },
  })
})

test('a brought image is decoded, delivered and settled, under the name of who brought it', async () => {
  const admin = await openAdmin()
  const { account, key, seen } = await unresolved()
  const bytes = await pngBytes('#246')
  const kept = await bringImage(world(), admin, key.id, bytes)
  expect(kept).toMatchObject({ ok: true, value: { sha256: sha256Of(bytes) } })
  const { sha256 } = kept.ok ? kept.value : { sha256: '' }
  await ask(admin, { act: 'record-delivery', sha256, ...seen })
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown' })
  await verify()
  expect(await newest(admin, key)).toMatchObject({ outcome: 'applied' })
  await world().runToQuiet(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'completed', settlement: 'settled' })
  expect(await world().balance(account)).toEqual({ available: 9, held: 0, spent: 1 })
  const [artwork] = await world().rows(
    `select encode(sha256, 'hex') as sha256, object_key from artwork where attempt_id = $1`,
    key.id,
  )
  expect(artwork?.['sha256']).toBe(sha256)
  const stored = await world().images.get(String(artwork?.['object_key']))
  expect(stored?.equals(bytes)).toBe(true)
  const [brought] = await world().rows(
    `select actor, evidence from attempt_event where attempt_id = $1 and kind = 'image_brought'`,
    key.id,
  )
  expect(brought).toMatchObject({ actor: `admin:${admin.email}`, evidence: { reason } })
})

test('what cannot be decoded is refused, and fails nothing', async () => {
  const admin = await openAdmin()
  const { account, key, seen } = await unresolved()
  const text = Buffer.from('no image at all')
  expect(await bringImage(world(), admin, key.id, text)).toMatchObject({
    refusal: { code: 'not-an-image' },
  })
  expect(await bringImage(world(), admin, key.id, await truncatedPngBytes())).toMatchObject({
    refusal: { code: 'not-an-image' },
  })
  // Whole by its structure, and rubbish inside.
  const broken = await pngBytes('#135')
  broken.fill(0, 45, broken.length - 16)
  const kept = await bringImage(world(), admin, key.id, broken)
  if (kept.ok) {
    await ask(admin, { act: 'record-delivery', sha256: kept.value.sha256, ...seen })
    await verify()
    expect(await newest(admin, key)).toMatchObject({ outcome: 'unusable' })
  } else expect(kept.refusal.code).toBe('not-an-image')
  await ask(admin, { act: 'record-delivery', sha256: 'ab'.repeat(32), ...seen })
  await verify()
  expect(await newest(admin, key)).toMatchObject({ outcome: null })
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown', settlement: null })
  expect(await world().balance(account)).toMatchObject({ held: 1 })
})

test('only an admin brings an image, and only of an attempt that there is', async () => {
  const admin = await openAdmin()
  const bytes = await pngBytes()
  for (const role of ['user', 'support', 'auditor'] as const) {
    expect(await bringImage(world(), { ...admin, role }, randomUUID(), bytes)).toMatchObject({
      refusal: { code: 'not-admin' },
    })
  }
  expect(await bringImage(world(), admin, randomUUID(), bytes)).toMatchObject({
    refusal: { code: 'not-found' },
  })
})
