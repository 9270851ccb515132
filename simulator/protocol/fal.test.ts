import { createFalClient } from '@fal-ai/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import type { SubmitRequest } from '@/lib/domain/provider'
import { createFalProvider } from '@/lib/providers/fal/provider'
import { createFalVerifier } from '@/lib/providers/fal/verifier'
import { createPublishedKeys } from '@/lib/providers/jwks'
import { TEST_TIMEOUT_MS } from '@/simulator/testing'
import { asGiven, openSimulated, type Simulated } from '@/test/simulated'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

const MODEL = 'fal/flux-dev'
let world: Simulated

beforeEach(async () => {
  world = await openSimulated()
})
afterEach(() => world.close())

const base = () => `${world.url}/fal`
const patience = () => AbortSignal.timeout(TEST_TIMEOUT_MS)
const provider = () => createFalProvider({ key: 'id:secret', baseUrl: base(), now: world.now })
const verifier = (jwksUrl = `${base()}/.well-known/jwks.json`) =>
  createFalVerifier(createPublishedKeys(jwksUrl))
const submit = (overrides: Partial<SubmitRequest> = {}) =>
  provider().submit(submitRequest({ model: MODEL, ...overrides }), patience())
async function accept(overrides: Partial<SubmitRequest> = {}): Promise<TaskId> {
  const { outcome } = await submit(overrides)
  if (outcome.kind !== 'accepted') throw new Error(`it was ${outcome.kind}`)
  return outcome.taskId
}
const observe = (id: TaskId, model = MODEL) => provider().observe(id, model, patience())

test('an accepted request is seen pending, then with its picture', async () => {
  const id = await accept({ settings: { width: 1216, height: 832, seed: 7 } })
  expect(await observe(id)).toEqual({ kind: 'pending', progress: undefined })
  await world.until(id, 'rendering')
  expect(await observe(id)).toEqual({ kind: 'pending', progress: undefined })
  await world.until(id, 'succeeded')
  const seen = await observe(id)
  expect(seen).toMatchObject({ kind: 'succeeded', cost: { amount: 1, unit: 'billable units' } })
  const result = seen.kind === 'succeeded' && 'url' in seen.result ? seen.result.url : ''
  expect(new URL(result).origin).toBe(provider().trustedOrigins[0])
  expect((await fetch(result)).status).toBe(200)
  expect(await world.simulator.submissions(ATTEMPT_ID)).toMatchObject({ count: 1 })
})

test('reference images are taken by the model that has an endpoint for them', async () => {
  const referenceImages = [{ contentType: 'image/webp', bytes: Buffer.from('picture') }] as const
  const id = await accept({ model: 'fal/flux-2-pro', referenceImages })
  await world.until(id, 'succeeded')
  expect(await observe(id, 'fal/flux-2-pro')).toMatchObject({ kind: 'succeeded' })
  expect(await observe(id)).toMatchObject({ kind: 'missing' })
})

test.each([
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
  ['reject', 'succeeded', 'invalid_input'],
  ['moderate', 'succeeded', 'moderated'],
  ['moderate-late', 'failed', 'moderated'],
  ['fail', 'failed', 'provider_failed'],
])('the drill %s fails as it should once it has run', async (drill, end, code) => {
  const id = await accept({ prompt: `a fox #drill:${drill}`, callbackUrl: world.callbackUrl })
  await world.until(id, end)
  expect(await observe(id)).toMatchObject({ kind: 'failed', failure: { code } })
  const heard = await world.callback()
  const verified = await verifier().verify(asGiven(heard, world.now(), undefined))
  expect(verified).toEqual({ deliveryId: id, taskId: id, claims: 'failed' })
})

test('a waiting request is cancelled for good, a running one is asked, a made one is not', async () => {
  const cancel = (id: TaskId) => provider().cancel?.(id, MODEL, patience())
  const waiting = await accept()
  expect(await cancel(waiting)).toEqual({ kind: 'cancelled' })
  expect(await observe(waiting)).toMatchObject({ failure: { code: 'cancelled' } })
  const running = await accept()
  await world.until(running, 'rendering')
  expect(await cancel(running)).toEqual({ kind: 'asked' })
  await world.until(running, 'succeeded')
  expect(await cancel(running)).toEqual({ kind: 'too-late' })
  expect(await observe(running)).toMatchObject({ kind: 'succeeded' })
})

test('a callback is genuine only by fal’s key, in time and unchanged', async () => {
  const id = await accept({ callbackUrl: world.callbackUrl })
  await world.until(id, 'succeeded')
  const heard = await world.callback()
  const verify = (changed: object, now = world.now(), by = verifier()) =>
    by.verify(asGiven({ ...heard, ...changed }, now, undefined))
  const verified = { deliveryId: id, taskId: id, claims: 'succeeded' }
  expect(await verify({})).toEqual(verified)

  expect(await verify({}, new Date(world.now().getTime() + 6 * 60_000))).toBeUndefined()
  expect(await verify({ body: Buffer.concat([heard.body, Buffer.from(' ')]) })).toBeUndefined()
  for (const name of ['request-id', 'user-id', 'timestamp', 'signature']) {
    const header = `x-fal-webhook-${name}`
    const given = [heard.headers[header]].flat()[0] ?? ''
    const others = {
      ...heard.headers,
      [header]: given.replace(/.$/, (last) => (last === '1' ? '2' : '1')),
    }
    expect(await verify({ headers: others })).toBeUndefined()
    expect(await verify({ headers: { ...heard.headers, [header]: undefined } })).toBeUndefined()
  }
  expect(await verify({}, world.now(), verifier(`${world.url}/no-keys-here`))).toBeUndefined()
})

test('a forged callback is refused and the true one after it is not', async () => {
  const id = await accept({
    prompt: 'a fox #drill:callback-forged',
    callbackUrl: world.callbackUrl,
  })
  await world.until(id, 'succeeded')
  const verify = async (index: number) =>
    verifier().verify(asGiven(await world.callback(index), world.now(), undefined))
  expect(await verify(0)).toBeUndefined()
  expect(await verify(1)).toMatchObject({ taskId: id })
})

test('an hour after the end the result is gone, which is no failure', async () => {
  const id = await accept()
  await world.until(id, 'succeeded')
  world.advance(60 * 60_000)
  expect(await observe(id)).toMatchObject({ kind: 'missing' })
})

test('an unknown request is missing, and a status outage is only a failed look', async () => {
  const nobody = TaskId.parse('00000000-0000-4000-8000-000000000000')
  expect(await observe(nobody)).toMatchObject({ kind: 'missing' })
  const id = await accept({ prompt: 'a fox #drill:status-outage' })
  expect(await observe(id)).toMatchObject({ kind: 'unavailable' })
})

test('what fal refuses by status is refused so', async () => {
  const post = (path: string, authorization = 'Key id:secret') =>
    fetch(`${base()}${path}`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify({ prompt: 'a fox' }),
    })
  expect((await post('/fal-ai/flux/dev', '')).status).toBe(401)
  expect((await post('/fal-ai/flux/dev', 'Bearer id:secret')).status).toBe(401)
  expect((await post('/fal-ai/no-such-app')).status).toBe(404)
  expect((await post('/fal-ai/flux/dev?fal_webhook=here')).status).toBe(400)
  expect((await post('/fal-ai/flux/dev')).status).toBe(200)
})

test('fal’s own client understands every answer', async () => {
  const client = createFalClient({
    credentials: 'id:secret',
    // It has no setting for its address, so what it asks of fal is asked of the simulator.
    fetch: (input, init) => {
      const { host, pathname, search } = new URL(input instanceof Request ? input.url : input)
      expect(host).toBe('queue.fal.run')
      return fetch(`${base()}${pathname}${search}`, init)
    },
  })
  const input = { prompt: 'a fox', image_size: { width: 512, height: 512 } }
  const { request_id: requestId } = await client.queue.submit('fal-ai/flux/dev', { input })
  expect(await client.queue.status('fal-ai/flux/dev', { requestId })).toMatchObject({
    status: 'IN_QUEUE',
  })
  await world.until(requestId, 'succeeded')
  expect(await client.queue.status('fal-ai/flux/dev', { requestId })).toMatchObject({
    status: 'COMPLETED',
  })
  const { data } = await client.queue.result('fal-ai/flux/dev', { requestId })
  expect(data.images).toHaveLength(1)
  const second = await client.queue.submit('fal-ai/flux-2-pro', { input })
  await client.queue.cancel('fal-ai/flux-2-pro', { requestId: second.request_id })
})
