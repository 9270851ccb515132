import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStabilityProvider } from '@/lib/providers/stability/provider'
import { stabilityModelFacts } from '@/lib/providers/stability/models'
import { TEST_TIMEOUT_MS } from '@/simulator/testing'
import { openSimulated, type Simulated } from '@/test/simulated'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

let world: Simulated
beforeEach(async () => {
  world = await openSimulated()
})
afterEach(() => world.close())

const provider = () =>
  createStabilityProvider({
    baseUrl: `${world.url}/stability`,
    apiKey: 'sk-key-of-the-tests',
    now: world.now,
  })
const submit = async (overrides = {}) => {
  const request = submitRequest({ model: 'stability/core', ...overrides })
  return (await world.during(provider().submit(request, AbortSignal.timeout(30_000)))).outcome
}
function post(path: string, fields: Readonly<Record<string, string>>, headers = {}) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return fetch(`${world.url}/stability/v2beta/stable-image/generate/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-key', ...headers },
    body,
  })
}

test('draws while the caller waits, with the seed that was asked for', async () => {
  const settings = { width: 1344, height: 768, seed: 42, negativePrompt: 'snow' }
  expect(await submit({ settings })).toEqual({ kind: 'made', image: Buffer.from('drawn: 42') })
  expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
})

test('takes every model and every size that we offer', async () => {
  for (const { id } of stabilityModelFacts) {
    expect(await submit({ model: id })).toMatchObject({ kind: 'made' })
  }
  for (const settings of stabilityModelFacts[0]?.sizes ?? []) {
    expect(await submit({ settings })).toMatchObject({ kind: 'made' })
  }
})

test.each([
  ['reject', { kind: 'rejected', failure: { code: 'invalid_input' } }, 0],
  ['moderate', { kind: 'rejected', failure: { code: 'moderated' } }, 0],
  // The minute of the lockout: Stability documents no header.
  ['429', { kind: 'rejected-for-now', retryAfterMs: 60_000 }, 0],
  ['500', { kind: 'unknown' }, 0],
  ['503', { kind: 'unknown' }, 0],
  ['bad-key', { kind: 'rejected', oursToMend: true }, 0],
  ['no-credit', { kind: 'rejected', oursToMend: true }, 0],
  ['moderate-late', { kind: 'failed', failure: { code: 'moderated' } }, 1],
  ['fail', { kind: 'unknown' }, 1],
  ['lost-answer', { kind: 'unknown' }, 1],
])('goes wrong by the drill %s as Stability would', async (drill, outcome, tasks) => {
  expect(await submit({ prompt: `a fox #drill:${drill}` })).toMatchObject(outcome)
  expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
  expect((await world.simulator.tasks()).count).toBe(tasks)
})

test('answers with bytes whoever asks for bytes', async () => {
  const response = await world.during(
    post('sd3', { prompt: 'a fox', seed: '7' }, { accept: 'image/*' }),
  )
  expect(response.headers.get('finish-reason')).toBe('SUCCESS')
  expect(response.headers.get('seed')).toBe('7')
  expect(await response.text()).toBe('drawn: 7')
})

test.each<readonly [string, string, Readonly<Record<string, string>>]>([
  ['no prompt', 'core', {}],
  ['a shape that it does not make', 'core', { prompt: 'a fox', aspect_ratio: '7:5' }],
  ['a seed beyond its range', 'ultra', { prompt: 'a fox', seed: '4294967295' }],
  ['a model where there is no choice', 'core', { prompt: 'a fox', model: 'sd3.5-large' }],
  ['a model that it does not have', 'sd3', { prompt: 'a fox', model: 'sd4' }],
  ['an unknown field', 'core', { prompt: 'a fox', sampler: 'euler' }],
])('refuses %s', async (_what, path, fields) => {
  expect((await post(path, fields)).status).toBe(400)
  expect((await world.simulator.submissions()).data).toMatchObject([{ outcome: 'invalid_input' }])
})

test('refuses what is no multipart body, and who has no key', async () => {
  const url = `${world.url}/stability/v2beta/stable-image/generate/core`
  const headers = { authorization: 'Bearer sk-key', 'content-type': 'application/json' }
  const body = JSON.stringify({ prompt: 'a fox' })
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(400)
  expect((await fetch(url, { method: 'POST', body })).status).toBe(401)
})
