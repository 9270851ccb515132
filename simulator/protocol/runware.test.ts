import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import { createRunwareProvider } from '@/lib/providers/runware/provider'
import { taskUuidOf } from '@/lib/providers/runware/task-uuid'
import { createRunwareVerifier } from '@/lib/providers/runware/verifier'
import { TEST_TIMEOUT_MS } from '@/simulator/testing'
import { asGiven, openSimulated, type Simulated } from '@/test/simulated'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

let world: Simulated
beforeEach(async () => {
  world = await openSimulated()
})
afterEach(() => world.close())

const UUID = taskUuidOf(ATTEMPT_ID)
const TASK = TaskId.parse(UUID)
const MODEL = 'runware/flux-2-dev'
const signal = () => AbortSignal.timeout(10_000)
const provider = (apiKey = 'key-of-the-tests') =>
  createRunwareProvider({ baseUrl: `${world.url}/runware`, apiKey, now: world.now })
const submit = async (overrides = {}) =>
  (await provider().submit(submitRequest({ model: MODEL, ...overrides }), signal())).outcome
const observe = () => provider().observe(TASK, MODEL, signal())
const lookUp = () => provider().lookUp?.(submitRequest({ model: MODEL }), world.now(), signal())
const post = (body: unknown, headers = { authorization: 'Bearer key-of-the-tests' }) =>
  fetch(`${world.url}/runware`, { method: 'POST', headers, body: JSON.stringify(body) })

test('takes a task, runs it and hands out its picture', async () => {
  const settings = { width: 1344, height: 768, seed: 4_294_967_295 }
  expect(await submit({ settings })).toEqual({ kind: 'accepted', taskId: UUID })
  expect(await observe()).toMatchObject({ kind: 'pending' })
  await world.until(UUID, 'succeeded')
  const seen = await observe()
  expect(seen).toMatchObject({ kind: 'succeeded', cost: { unit: 'USD' } })
  const url = seen.kind === 'succeeded' && 'url' in seen.result ? seen.result.url : ''
  expect(await (await fetch(url)).text()).toBe('drawn: 4294967295')
  expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
})

test('is asked for a task after polling has forgotten it, and has it in the archive', async () => {
  await submit()
  await world.until(UUID, 'succeeded')
  world.advance(24 * 60 * 60_000)
  expect(await observe()).toMatchObject({ kind: 'succeeded' })
})

test.each([
  ['moderate-late', 'moderated'],
  ['fail', 'provider_failed'],
])('lets a task fail (%s)', async (drill, code) => {
  await submit({ prompt: `a fox #drill:${drill}` })
  await world.until(UUID, 'failed')
  expect(await observe()).toMatchObject({ kind: 'failed', failure: { code } })
})

test.each([
  ['reject', { kind: 'rejected', failure: { code: 'invalid_input' } }],
  ['moderate', { kind: 'rejected', failure: { code: 'moderated' } }],
  ['429', { kind: 'rejected-for-now', retryAfterMs: 1_000 }],
  ['500', { kind: 'unknown' }],
  ['503', { kind: 'unknown' }],
  ['bad-key', { kind: 'rejected', oursToMend: true }],
  ['no-credit', { kind: 'rejected', oursToMend: true }],
])('refuses by the drill %s as Runware would, and makes nothing', async (drill, outcome) => {
  expect(await submit({ prompt: `a fox #drill:${drill}` })).toMatchObject(outcome)
  expect(await world.simulator.submissions(ATTEMPT_ID)).toMatchObject({ count: 1 })
  expect((await world.simulator.tasks()).count).toBe(0)
  expect(await observe()).toMatchObject({ kind: 'missing' })
})

test('whose answer is lost has a task that is found by our reference, once it has ended', async () => {
  expect(await lookUp()).toMatchObject({ kind: 'absent' })
  expect(await submit({ prompt: 'a fox #drill:lost-answer' })).toMatchObject({ kind: 'unknown' })
  expect(await lookUp()).toMatchObject({ kind: 'absent' })
  await world.until(UUID, 'succeeded')
  expect(await lookUp()).toEqual({ kind: 'found', taskId: UUID })
})

test('refuses a second POST with the same UUID, which tells that the first was accepted', async () => {
  await submit()
  expect(await submit()).toEqual({ kind: 'accepted', taskId: UUID })
  expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(2)
  expect((await world.simulator.tasks(ATTEMPT_ID)).count).toBe(1)
})

test.each([
  ['a picture', '', 'succeeded'],
  ['a failure', ' #drill:fail', 'failed'],
])('calls back with %s at the attempt’s own address', async (_what, drill, claims) => {
  await submit({ prompt: `a fox${drill}`, callbackUrl: world.callbackUrl })
  await world.until(UUID, claims)
  const callback = await world.callback()
  const verify = (secret: string | undefined) =>
    createRunwareVerifier().verify(asGiven(callback, world.now(), secret))
  expect(await verify('secret')).toMatchObject({ taskId: UUID, claims })
  expect(await verify(undefined)).toBeUndefined()
})

test('looks away while its status is down', async () => {
  await submit({ prompt: 'a fox #drill:status-outage' })
  expect(await observe()).toMatchObject({ kind: 'unavailable' })
})

test.each<readonly [string, object]>([
  ['a UUID of another version', { taskUUID: ATTEMPT_ID }],
  ['an unknown parameter', { sampler: 'euler' }],
  ['a side that is no multiple of 16', { width: 1_000 }],
  ['a prompt of one character', { positivePrompt: 'x' }],
])('refuses %s', async (_what, overrides) => {
  const task = {
    taskType: 'imageInference',
    taskUUID: UUID,
    deliveryMethod: 'async',
    model: 'runware:400@1',
    positivePrompt: 'a fox',
    width: 1024,
    height: 1024,
    ...overrides,
  }
  expect((await post([task])).status).toBe(400)
  expect((await post(task)).status).toBe(400)
  expect((await world.simulator.submissions()).data.map(({ outcome }) => outcome)).toEqual([
    'invalid_input',
    'invalid_input',
  ])
})

test.each([
  ['a look', [{ taskType: 'getResponse', taskUUID: UUID }]],
  ['a task', [{ taskType: 'imageInference' }]],
])('refuses %s without a key', async (_what, body) => {
  expect((await post(body, { authorization: '' })).status).toBe(401)
})
