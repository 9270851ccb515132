import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AttemptKey } from '@/lib/domain/attempt'
import { callback, verifiersWith } from '@/test/callbacks'
import { acceptedAndReset, answering, looking } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { receiveCallback } from './receive-callback'

// What a provider calls back with: believed about which task it is, and only when it is genuine.

const world = openWorld()

const begin = async () => world().start(await world().openAccount(10))
const receive = (request: ReturnType<typeof callback>, secret?: string) =>
  receiveCallback({ ...world().deps, verifiers: verifiersWith(secret) }, request)
const about = ({ id }: AttemptKey, taskId = world().provider.taskIdOf(id) ?? 'task-of-nobody') => ({
  id,
  taskId,
  callbackSecret: world().deps.callbackSecret,
})
const trace = async (key: AttemptKey) => ({
  attempt: await world().attempt(key),
  callbacks: await world().rows('select from callback where attempt_id = $1', key.id),
  anomalies: await world().anomalies(key),
})

/** Sent once, accepted, and the answer lost. */
async function unresolved() {
  world().provider.answer('submit', acceptedAndReset)
  const key = await begin()
  await world().runToQuiet(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown', task_id: null })
  return key
}

test('a genuine callback resolves a lost answer, and the image is delivered for one charge', async () => {
  const key = await unresolved()
  expect(await receive(callback(about(key)))).toBe('kept')
  expect(await world().attempt(key)).toMatchObject({
    state: 'pending',
    task_id: world().provider.taskIdOf(key.id),
  })

  await world().runToQuiet(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'completed', settlement: 'settled' })
  expect(world().provider.posts()).toBe(1)
  expect(await world().history(key)).toEqual([
    'recorded',
    'submission_begun',
    'submission_unknown',
    'task_reported',
    'succeeded',
    'delivered',
  ])
})

const forged: readonly (readonly [string, Parameters<typeof callback>[1]])[] = [
  ['signed with another secret', { secret: 'another secret, as long as ours is' }],
  ['without a signature', { headers: { 'webhook-signature': null } }],
  ['with an empty signature', { headers: { 'webhook-signature': 'v1,' } }],
  ['with a signature of another version', { headers: { 'webhook-signature': 'v2,AAAA' } }],
  ['without an id', { headers: { 'webhook-id': null } }],
  ['with another id than was signed', { headers: { 'webhook-id': 'another' } }],
  ['without a time', { headers: { 'webhook-timestamp': null } }],
  ['with another time than was signed', { headers: { 'webhook-timestamp': '1' } }],
  ['with a time that is none', { headers: { 'webhook-timestamp': 'now' } }],
  ['signed six minutes ago', { ageSeconds: 360 }],
  ['signed six minutes ahead', { ageSeconds: -360 }],
  ['with an endless id', { deliveryId: 'x'.repeat(201) }],
]

test.each(forged)('a callback %s changes nothing', async (_what, changes) => {
  const key = await unresolved()
  const before = await trace(key)
  expect(await receive(callback(about(key), changes))).toBe('forged')
  expect(await trace(key)).toEqual(before)
})

test('without a secret of ours no callback is genuine', async () => {
  const key = await unresolved()
  const request = callback(about(key))
  expect(await receiveCallback({ ...world().deps, verifiers: new Map() }, request)).toBe('forged')
  expect(await receive({ ...request, provider: 'another' })).toBe('forged')
})

test('a byte changed after signing is a forgery', async () => {
  const key = await unresolved()
  const request = callback(about(key))
  const body = Buffer.concat([request.body, Buffer.from(' ')])
  expect(await receive({ ...request, body })).toBe('forged')
})

test.each([
  ['whose address is nobody’s', () => ({ token: 'x'.repeat(43) }), {}],
  ['about another attempt', () => ({}), { reference: randomUUID() }],
  ['that is no JSON', () => ({}), { body: 'ok' }],
  ['that names no task', () => ({}), { body: '{}' }],
  ['that names a task in no fit way', () => ({}), { body: '{"id":"a\\u0000"}' }],
])('a genuine callback %s is for nobody and changes nothing', async (_what, readdress, changes) => {
  const key = await unresolved()
  const before = await trace(key)
  expect(await receive({ ...callback(about(key), changes), ...readdress() })).toBe('ignored')
  expect(await trace(key)).toEqual(before)
})

test('a callback for one attempt at the address of another is for nobody', async () => {
  const [one, other] = [await unresolved(), await unresolved()]
  const request = callback(about(one))
  const { token } = callback(about(other))
  expect(await receive({ ...request, token })).toBe('ignored')
  expect(await world().attempt(other)).toMatchObject({ state: 'status_unknown' })
})

test('a callback that comes before our answer is believed, and the answer is old news', async () => {
  const key = await begin()
  world().provider.answer('submit', async (exchange) => {
    const id = await exchange.accept()
    expect(await receive(callback(about(key, id)))).toBe('kept')
    exchange.response.writeHead(202).end(JSON.stringify({ id }))
  })
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'pending' })
  await world().runToQuiet(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'completed' })
  expect(await world().anomalies(key)).toEqual([])
  expect(world().provider.posts()).toBe(1)
})

test('a callback delivered ten times, in order and at once, is kept once', async () => {
  const key = await unresolved()
  const request = callback(about(key))
  const first = await receive(request)
  const again = await Promise.all(Array.from({ length: 9 }, () => receive(request)))

  expect([first, ...again].filter((outcome) => outcome === 'kept')).toHaveLength(1)
  expect((await trace(key)).callbacks).toHaveLength(1)
  expect((await world().history(key)).filter((kind) => kind === 'task_reported')).toHaveLength(1)
})

test('a callback kept by a process that died before it acted on it is acted on when it comes again', async () => {
  const key = await unresolved()
  const request = callback(about(key), { deliveryId: 'delivery-1' })
  await world().rows(
    `insert into callback values ('simulator', 'delivery-1', $1, $2, '{}')`,
    key.id,
    key.accountId,
  )
  expect(await receive(request)).toBe('ignored')
  expect(await world().attempt(key)).toMatchObject({ state: 'pending' })
})

test('a callback only makes the worker look: what it says of the outcome is not believed', async () => {
  const key = await begin()
  await world().step(key)
  world().provider.answer('status', looking('rendering'))
  expect(await receive(callback(about(key), { status: 'failed' }))).toBe('kept')
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'pending', settlement: null })
})

test.each([
  ['pending', 1],
  ['delivering', 2],
])(
  'a second task while %s is an anomaly: kept once, nothing charged for it',
  async (state, steps) => {
    const key = await begin()
    for (let step = 0; step < steps; step += 1) await world().step(key)
    const { version } = await world().attempt(key)
    for (let time = 0; time < 2; time += 1) await receive(callback(about(key, 'a-second-task')))

    expect(await world().attempt(key)).toMatchObject({ state, version })
    expect(await world().anomalies(key)).toEqual(['second_task'])
    await world().runToQuiet(key)
    expect(await world().entries(key)).toEqual(['reserved', 'settled'])
  },
)

test('the callback of a task that was seen to the end is no anomaly', async () => {
  const key = await begin()
  await world().runToQuiet(key)
  expect(await receive(callback(about(key)))).toBe('kept')
  expect(await world().anomalies(key)).toEqual([])
})

test('a success after a confirmed failure is an anomaly, and the failure and the release stand', async () => {
  world().provider.answer('status', looking('failed'))
  const key = await begin()
  await world().runToQuiet(key)
  expect(await receive(callback(about(key), { status: 'succeeded' }))).toBe('kept')

  expect(await world().attempt(key)).toMatchObject({ state: 'failed', settlement: 'released' })
  expect(await world().anomalies(key)).toEqual(['success_after_failure'])
  expect(await world().entries(key)).toEqual(['reserved', 'released'])
})

test('a task of an attempt that was refused is an anomaly, and nothing is charged', async () => {
  world().provider.answer('submit', answering(422, { error: { code: 'x', message: 'y' } }))
  const key = await begin()
  await world().runToQuiet(key)
  await receive(callback(about(key, 'made-after-all'), { status: 'rendering' }))
  expect(await world().anomalies(key)).toEqual(['unexpected_task'])
  expect(await world().entries(key)).toEqual(['reserved', 'released'])
})
