import Replicate from 'replicate'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { TaskId } from '@/lib/domain/ids'
import type { SubmitRequest } from '@/lib/domain/provider'
import { createReplicateProvider } from '@/lib/providers/replicate/provider'
import { createReplicateVerifier } from '@/lib/providers/replicate/verifier'
import { TEST_SECRET, TEST_TIMEOUT_MS } from '@/simulator/testing'
import { asGiven, openSimulated, type Simulated } from '@/test/simulated'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'
import { webhookSecretOf } from './replicate'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

const MODEL = 'replicate/flux-schnell'
const HOUR_MS = 60 * 60_000
let world: Simulated

beforeEach(async () => {
  world = await openSimulated()
})
afterEach(() => world.close())

const base = () => `${world.url}/replicate`
const patience = () => AbortSignal.timeout(TEST_TIMEOUT_MS)
const provider = () =>
  createReplicateProvider({
    token: 'r8_token',
    baseUrl: base(),
    verifiesCallbacks: true,
    now: world.now,
  })
const submit = (overrides: Partial<SubmitRequest> = {}) =>
  provider().submit(submitRequest({ model: MODEL, ...overrides }), patience())
async function accept(overrides: Partial<SubmitRequest> = {}): Promise<TaskId> {
  const { outcome } = await submit(overrides)
  if (outcome.kind !== 'accepted') throw new Error(`it was ${outcome.kind}`)
  return outcome.taskId
}
const observe = (id: TaskId) => provider().observe(id, MODEL, patience())
const lookUp = (callbackUrl: string | undefined, submittedAt = world.now()) =>
  provider().lookUp?.({ ...submitRequest({ model: MODEL }), callbackUrl }, submittedAt, patience())

test('an accepted prediction is seen pending, then with its picture', async () => {
  const id = await accept({ settings: { width: 1216, height: 832, seed: 7 } })
  expect(await observe(id)).toEqual({ kind: 'pending', progress: undefined })
  await world.until(id, 'succeeded')
  const seen = await observe(id)
  expect(seen).toMatchObject({ kind: 'succeeded', cost: { unit: 'seconds' } })
  const result = seen.kind === 'succeeded' && 'url' in seen.result ? seen.result.url : ''
  expect(new URL(result).origin).toBe(provider().trustedOrigins[0])
  expect((await fetch(result)).status).toBe(200)
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

test.each(['moderate', 'moderate-late'])(
  '%s: a refused prompt fails as moderated',
  async (drill) => {
    const id = await accept({ prompt: `a fox #drill:${drill}` })
    await world.until(id, drill === 'moderate' ? 'succeeded' : 'failed')
    expect(await observe(id)).toMatchObject({ kind: 'failed', failure: { code: 'moderated' } })
  },
)

test('a failed prediction is seen failed', async () => {
  const id = await accept({ prompt: 'a fox #drill:fail' })
  await world.until(id, 'failed')
  expect(await observe(id)).toMatchObject({ kind: 'failed', failure: { code: 'provider_failed' } })
})

test('a waiting prediction is cancelled for good, and a made one is not', async () => {
  const [waiting, made] = [await accept(), await accept()]
  expect(await provider().cancel?.(waiting, MODEL, patience())).toEqual({ kind: 'cancelled' })
  expect(await observe(waiting)).toMatchObject({ failure: { code: 'cancelled' } })
  await world.until(made, 'succeeded')
  expect(await provider().cancel?.(made, MODEL, patience())).toEqual({ kind: 'too-late' })
})

test('a callback is genuine, and only with the account’s secret, in time and unchanged', async () => {
  const id = await accept({ callbackUrl: world.callbackUrl })
  await world.until(id, 'succeeded')
  const heard = await world.callback()
  const verifier = createReplicateVerifier(webhookSecretOf(TEST_SECRET))
  const verified = { deliveryId: `msg_${id}`, taskId: id, claims: 'succeeded' }
  expect(await verifier.verify(asGiven(heard, world.now(), undefined))).toEqual(verified)

  const late = new Date(world.now().getTime() + 6 * 60_000)
  expect(await verifier.verify(asGiven(heard, late, undefined))).toBeUndefined()
  const changed = { ...heard, body: Buffer.from(heard.body.toString().replace(id, 'another')) }
  expect(await verifier.verify(asGiven(changed, world.now(), undefined))).toBeUndefined()
  const others = createReplicateVerifier(webhookSecretOf('somebody-else’s-secret'))
  expect(await others.verify(asGiven(heard, world.now(), undefined))).toBeUndefined()
  const unsigned = { ...heard, headers: {} }
  expect(await verifier.verify(asGiven(unsigned, world.now(), undefined))).toBeUndefined()
})

test('a forged callback is refused and the true one after it is not', async () => {
  const id = await accept({
    prompt: 'a fox #drill:callback-forged',
    callbackUrl: world.callbackUrl,
  })
  await world.until(id, 'succeeded')
  const verifier = createReplicateVerifier(webhookSecretOf(TEST_SECRET))
  const verify = async (index: number) =>
    verifier.verify(asGiven(await world.callback(index), world.now(), undefined))
  expect(await verify(0)).toBeUndefined()
  expect(await verify(1)).toMatchObject({ taskId: id })
})

test('a task whose answer was lost is found by our address, also on a later page', async () => {
  const submittedAt = world.now()
  const lost = await submit({
    prompt: 'a fox #drill:lost-answer',
    callbackUrl: world.callbackUrl,
  })
  expect(lost.outcome.kind).toBe('unknown')
  const [task] = (await world.simulator.tasks(ATTEMPT_ID)).data
  for (let other = 0; other < 101; other += 1) await accept()
  const found = await lookUp(world.callbackUrl, submittedAt)
  expect(found).toEqual({ kind: 'found', taskId: task?.id })
  expect(await lookUp(`${world.callbackUrl}-of-another`, submittedAt)).toMatchObject({
    kind: 'absent',
  })
})

test('an hour after the end the output is gone, which is no failure', async () => {
  const id = await accept()
  await world.until(id, 'succeeded')
  world.advance(HOUR_MS)
  expect(await observe(id)).toMatchObject({ kind: 'missing' })
})

test('an unknown prediction is missing, and a status outage is only a failed look', async () => {
  expect(await observe(TaskId.parse('a'.repeat(26)))).toMatchObject({ kind: 'missing' })
  const id = await accept({ prompt: 'a fox #drill:status-outage' })
  expect(await observe(id)).toMatchObject({ kind: 'unavailable' })
})

const post = (body: unknown, headers: Record<string, string> = {}, model = 'flux-schnell') =>
  fetch(`${base()}/v1/models/black-forest-labs/${model}/predictions`, {
    method: 'POST',
    headers: { authorization: 'Bearer r8_token', ...headers },
    body: JSON.stringify(body),
  })
const input = { prompt: 'a fox' }

test.each([
  ['a field that is not documented', { input, metadata: {} }],
  ['an input that the model does not know', { input: { ...input, width: 512 } }],
  ['no prompt', { input: {} }],
  ['a ratio that there is not', { input: { ...input, aspect_ratio: '7:5' } }],
  ['an event that there is not', { input, webhook_events_filter: ['end'] }],
  ['a webhook that is no address', { input, webhook: 'here' }],
])('%s is refused with 422', async (_what, body) => {
  expect((await post(body)).status).toBe(422)
})

test('what Replicate refuses by status is refused so', async () => {
  expect((await post({ input }, { authorization: '' })).status).toBe(401)
  expect((await post({ input }, {}, 'no-such-model')).status).toBe(404)
  expect((await post({ input }, { 'cancel-after': 'soon' })).status).toBe(422)
  expect((await post({ input }, { 'cancel-after': '4s' })).status).toBe(422)
  expect((await post({ input }, { 'cancel-after': '5s' })).status).toBe(201)
  expect((await fetch(`${base()}/v1/predictions`)).status).toBe(401)
})

test('the secret of the webhooks is handed out as Replicate does', async () => {
  const response = await fetch(`${base()}/v1/webhooks/default/secret`, {
    headers: { authorization: 'Bearer r8_token' },
  })
  const { key } = z.object({ key: z.string() }).parse(await response.json())
  expect(key).toBe(webhookSecretOf(TEST_SECRET))
})

test('Replicate’s own client understands every answer', async () => {
  const client = new Replicate({ auth: 'r8_token', baseUrl: `${base()}/v1` })
  const created = await client.predictions.create({
    model: 'black-forest-labs/flux-schnell',
    input,
  })
  expect(created.status).toBe('starting')
  await world.until(created.id, 'succeeded')
  const made = await client.wait(created)
  expect(z.array(z.url()).parse(made.output)).toHaveLength(1)
  expect((await client.predictions.list()).results.map(({ id }) => id)).toEqual([created.id])
  const second = await client.predictions.create({
    model: 'black-forest-labs/flux-1.1-pro',
    input: { ...input, aspect_ratio: 'custom', width: 512, height: 512 },
  })
  expect((await client.predictions.cancel(second.id)).status).toBe('canceled')
  expect((await client.webhooks.default.secret.get()).key).toMatch(/^whsec_/)
})
