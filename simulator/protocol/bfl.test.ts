import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import type { SubmitRequest } from '@/lib/domain/provider'
import { createBflProvider } from '@/lib/providers/bfl/provider'
import { bflVerifier } from '@/lib/providers/bfl/verifier'
import { TEST_TIMEOUT_MS } from '@/simulator/testing'
import { asGiven, openSimulated, type Simulated } from '@/test/simulated'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

const MODEL = 'bfl/flux-2-pro'
const SECRET = 'the-secret-of-one-attempt'
let world: Simulated

beforeEach(async () => {
  world = await openSimulated()
})
afterEach(() => world.close())

const base = () => `${world.url}/bfl`
const patience = () => AbortSignal.timeout(TEST_TIMEOUT_MS)
const provider = () =>
  createBflProvider({ key: 'bfl_key', baseUrl: base(), regions: [], now: world.now })
const submit = (overrides: Partial<SubmitRequest> = {}) =>
  provider().submit(submitRequest({ model: MODEL, ...overrides }), patience())
async function accept(overrides: Partial<SubmitRequest> = {}): Promise<TaskId> {
  const { outcome } = await submit(overrides)
  if (outcome.kind !== 'accepted') throw new Error(`it was ${outcome.kind}`)
  return outcome.taskId
}
const observe = (id: TaskId) => provider().observe(id, MODEL, patience())

test('an accepted task is seen pending, then with its picture, and says what it cost', async () => {
  const referenceImages = [{ contentType: 'image/png', bytes: Buffer.from('picture') }] as const
  const { outcome, usage } = await submit({ referenceImages })
  expect(usage.cost).toEqual({ amount: 3, unit: 'credits' })
  const id = TaskId.parse(outcome.kind === 'accepted' && outcome.taskId)
  expect(await observe(id)).toEqual({ kind: 'pending', progress: 0 })
  await world.until(id, 'succeeded')
  const seen = await observe(id)
  expect(seen).toMatchObject({ kind: 'succeeded' })
  const result = seen.kind === 'succeeded' && 'url' in seen.result ? seen.result.url : ''
  expect(new URL(result).origin).toBe(provider().trustedOrigins[0])
  expect((await fetch(result)).status).toBe(200)
  // A result is there for ten minutes.
  world.advance(10 * 60_000)
  expect((await fetch(result)).status).toBe(403)
  expect(await world.simulator.submissions(ATTEMPT_ID)).toMatchObject({ count: 1 })
})

test.each([
  ['reject', { kind: 'rejected', failure: { code: 'invalid_input' } }],
  ['429', { kind: 'rejected-for-now', retryAfterMs: 1_000 }],
  ['500', { kind: 'unknown' }],
  ['503', { kind: 'unknown' }],
  ['bad-key', { kind: 'rejected', oursToMend: true }],
  ['no-credit', { kind: 'rejected', oursToMend: true }],
  ['lost-answer', { kind: 'unknown' }],
])('the drill %s comes out as it should, after one POST', async (drill, expected) => {
  const { outcome } = await submit({ prompt: `a fox #drill:${drill}` })
  expect(outcome).toMatchObject(expected)
  expect(await world.simulator.submissions(ATTEMPT_ID)).toMatchObject({ count: 1 })
})

test.each([
  ['moderate', 'succeeded', 'moderated'],
  ['moderate-late', 'failed', 'moderated'],
  ['fail', 'failed', 'provider_failed'],
])('the drill %s is seen failed, and called back as that', async (drill, end, code) => {
  const id = await accept({ prompt: `a fox #drill:${drill}`, callbackUrl: world.callbackUrl })
  await world.until(id, end)
  expect(await observe(id)).toMatchObject({ kind: 'failed', failure: { code } })
  const heard = await world.callback()
  const verified = await bflVerifier.verify(asGiven(heard, world.now(), SECRET))
  expect(verified).toEqual({ deliveryId: `${id}:Error`, taskId: id, claims: 'failed' })
})

test('a callback is genuine only by the secret of its own attempt, and unchanged', async () => {
  const id = await accept({ callbackUrl: world.callbackUrl })
  await world.until(id, 'succeeded')
  const heard = await world.callback()
  const verify = (secret: string | undefined, changed: object = {}) =>
    bflVerifier.verify(asGiven({ ...heard, ...changed }, world.now(), secret))
  expect(await verify(SECRET)).toEqual({
    deliveryId: `${id}:Ready`,
    taskId: id,
    claims: 'succeeded',
  })
  expect(await verify('the-secret-of-another')).toBeUndefined()
  expect(await verify(undefined)).toBeUndefined()
  const body = Buffer.from(heard.body.toString().replace(id, 'another'))
  expect(await verify(SECRET, { body })).toBeUndefined()
  expect(await verify(SECRET, { headers: {} })).toBeUndefined()
})

test('a task whose answer was lost is named by its callback', async () => {
  const lost = await submit({
    prompt: 'a fox #drill:late-success',
    callbackUrl: world.callbackUrl,
  })
  expect(lost.outcome.kind).toBe('unknown')
  const [task] = (await world.simulator.tasks(ATTEMPT_ID)).data
  await world.until(task?.id ?? '', 'succeeded')
  const heard = await world.callback()
  const verified = await bflVerifier.verify(asGiven(heard, world.now(), SECRET))
  expect(verified?.taskId).toBe(task?.id)
  expect(await observe(TaskId.parse(task?.id))).toMatchObject({ kind: 'succeeded' })
})

test('a forged callback is refused and the true one after it is not', async () => {
  const id = await accept({
    prompt: 'a fox #drill:callback-forged',
    callbackUrl: world.callbackUrl,
  })
  await world.until(id, 'succeeded')
  const verify = async (index: number) =>
    bflVerifier.verify(asGiven(await world.callback(index), world.now(), SECRET))
  expect(await verify(0)).toBeUndefined()
  expect(await verify(1)).toMatchObject({ taskId: id })
})

test('an unknown task is missing, and a status outage is only a failed look', async () => {
  expect(await observe(TaskId.parse('nobody'))).toMatchObject({ kind: 'missing' })
  const id = await accept({ prompt: 'a fox #drill:status-outage' })
  expect(await observe(id)).toMatchObject({ kind: 'unavailable' })
})

const post = (model: string, body: object, headers: Record<string, string> = { 'x-key': 'k' }) =>
  fetch(`${base()}/v1/${model}`, { method: 'POST', headers, body: JSON.stringify(body) })

test.each([
  ['no prompt', 'flux-2-pro', {}],
  ['a width between the steps', 'flux-2-pro', { prompt: 'a fox', width: 1_000 }],
  ['a height that is too small', 'flux-2-pro', { prompt: 'a fox', height: 32 }],
  ['a width beyond the older model', 'flux-pro-1.1', { prompt: 'a fox', width: 1_472 }],
  ['a callback address that is none', 'flux-2-pro', { prompt: 'a fox', webhook_url: 'here' }],
])('%s is refused with 422', async (_what, model, body) => {
  expect((await post(model, body)).status).toBe(422)
})

test('what Black Forest Labs refuses by status is refused so', async () => {
  expect((await post('flux-2-pro', { prompt: 'a fox' }, {})).status).toBe(401)
  expect((await post('no-such-model', { prompt: 'a fox' })).status).toBe(404)
  expect((await fetch(`${base()}/v1/get_result?id=x`)).status).toBe(401)
  const withoutId = fetch(`${base()}/v1/get_result`, { headers: { 'x-key': 'k' } })
  expect((await withoutId).status).toBe(422)
})
