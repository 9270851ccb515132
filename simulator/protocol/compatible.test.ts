import OpenAI from 'openai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCompatibleProvider } from '@/lib/providers/compatible/provider'
import { fetchResult } from '@/lib/providers/fetch-result'
import { TEST_TIMEOUT_MS } from '@/simulator/testing'
import { openSimulated, type Simulated } from '@/test/simulated'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

let world: Simulated
beforeEach(async () => {
  world = await openSimulated()
})
afterEach(() => world.close())

const MODEL = 'compatible/sdxl'
const provider = () =>
  createCompatibleProvider({
    baseUrl: `${world.url}/compatible/v1`,
    apiKey: undefined,
    models: ['SDXL'],
    now: world.now,
  })
const submit = async (overrides = {}) => {
  const request = submitRequest({ model: MODEL, ...overrides })
  return (await world.during(provider().submit(request, AbortSignal.timeout(30_000)))).outcome
}

test('draws while the caller waits, and says where the picture is', async () => {
  const outcome = await submit()
  const url = outcome.kind === 'made-at' && 'url' in outcome.result ? outcome.result.url : ''
  const { trustedOrigins } = provider()
  const fetched = await fetchResult(url, { trustedOrigins, allowPrivateHosts: false })
  expect(fetched.ok ? fetched.bytes.toString() : fetched).toMatch(/^drawn: \d+$/)
  expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
})

test.each([
  ['reject', { kind: 'rejected', failure: { code: 'invalid_input' } }],
  ['moderate', { kind: 'rejected', failure: { code: 'moderated' } }],
  ['429', { kind: 'rejected-for-now', retryAfterMs: 1_000 }],
  ['500', { kind: 'unknown' }],
  ['bad-key', { kind: 'rejected', oursToMend: true }],
  ['no-credit', { kind: 'rejected', oursToMend: true }],
  ['moderate-late', { kind: 'failed', failure: { code: 'moderated' } }],
  ['fail', { kind: 'unknown' }],
  ['lost-answer', { kind: 'unknown' }],
])('goes wrong by the drill %s as such a server would', async (drill, outcome) => {
  expect(await submit({ prompt: `a fox #drill:${drill}` })).toMatchObject(outcome)
  expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
})

test('is read by OpenAI’s own client, whichever form it asks for', async () => {
  const client = new OpenAI({
    apiKey: 'none',
    baseURL: `${world.url}/compatible/v1`,
    maxRetries: 0,
  })
  const generate = (response_format: 'url' | 'b64_json') =>
    world.during(
      client.images.generate({
        model: 'SDXL',
        prompt: 'a fox',
        size: '512x512',
        response_format,
      }),
    )
  expect((await generate('url')).data?.[0]?.url).toContain(world.url)
  expect((await generate('b64_json')).data?.[0]?.b64_json).toBeTruthy()
})
