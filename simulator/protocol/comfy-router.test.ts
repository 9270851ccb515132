import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { comfyRouterModelFacts } from '@/lib/providers/comfy-router/models'
import { createComfyRouterProvider } from '@/lib/providers/comfy-router/provider'
import { PATIENCE, TEST_TIMEOUT_MS } from '@/simulator/testing'
import { openSimulated, type Simulated } from '@/test/simulated'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

let world: Simulated
beforeEach(async () => {
  world = await openSimulated()
})
afterEach(() => world.close())

const FLUX = 'comfy-router/flux-2-pro'
const send = (overrides = {}) =>
  createComfyRouterProvider({
    baseUrl: `${world.url}/comfy-router`,
    apiKey: 'comfyui-key-of-the-tests',
    now: world.now,
  }).submit(submitRequest({ model: FLUX, ...overrides }), AbortSignal.timeout(30_000))
const taskId = () =>
  vi.waitFor(async () => {
    const [task] = (await world.simulator.tasks(ATTEMPT_ID)).data
    if (task === undefined) throw new Error('no task yet')
    return task.id
  }, PATIENCE)
/** Sends, lets the time go by until the task is at its end, and answers what came of it. */
async function sent(overrides = {}, ends = 'succeeded') {
  const report = send(overrides)
  await world.until(await taskId(), ends)
  return report
}

test.each(
  comfyRouterModelFacts.map(({ id, sizes, seed, referenceImagesMax: most }) => ({
    id,
    sizes,
    seed,
    most,
  })),
)(
  'runs $id with all that can be asked of it, and hands out its picture',
  async ({ id: model, sizes, seed, most }) => {
    const [, size = { width: 1024, height: 1024 }] = sizes
    const image = { contentType: 'image/png', bytes: Buffer.from('an image') } as const
    const { outcome, usage } = await sent({
      model,
      settings: { ...size, ...(seed ? { seed: 4_294_967_295 } : {}) },
      referenceImages: Array.from({ length: most }, () => image),
    })
    const bytes =
      outcome.kind === 'made'
        ? outcome.image
        : outcome.kind === 'made-at' && 'url' in outcome.result
          ? Buffer.from(await (await fetch(outcome.result.url)).arrayBuffer())
          : undefined
    expect(bytes?.toString()).toMatch(/^drawn: /)
    expect(usage).toMatchObject({ httpStatus: 200, cost: { amount: 6.5, unit: 'Comfy credits' } })
    expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
  },
)

test.each([
  ['reject', { kind: 'rejected', failure: { code: 'invalid_input' } }],
  ['moderate', { kind: 'failed', failure: { code: 'moderated' } }],
  ['429', { kind: 'rejected-for-now', retryAfterMs: 1_000 }],
  ['500', { kind: 'unknown' }],
  ['503', { kind: 'unknown' }],
  ['bad-key', { kind: 'rejected', oursToMend: true }],
  ['no-credit', { kind: 'rejected', oursToMend: true }],
])('refuses by the drill %s as Router would, and makes nothing', async (drill, outcome) => {
  expect((await send({ prompt: `a fox #drill:${drill}` })).outcome).toMatchObject(outcome)
  expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
  expect((await world.simulator.tasks()).count).toBe(0)
})

test('ends a run that its maker refused, and says so again to the same key', async () => {
  const prompt = 'a fox #drill:moderate-late'
  const failed = { kind: 'failed', failure: { code: 'moderated' } }
  expect((await sent({ prompt }, 'failed')).outcome).toMatchObject(failed)
  expect((await send({ prompt })).outcome).toMatchObject(failed)
  expect((await world.simulator.tasks(ATTEMPT_ID)).count).toBe(1)
})

test('cannot tell what became of a run whose maker failed, nor runs it again', async () => {
  const prompt = 'a fox #drill:fail'
  expect((await sent({ prompt }, 'failed')).outcome.kind).toBe('unknown')
  expect((await send({ prompt })).outcome.kind).toBe('unknown')
  expect((await world.simulator.tasks(ATTEMPT_ID)).count).toBe(1)
})

test('a lost answer is had again with the same key, from the same run', async () => {
  const prompt = 'a fox #drill:lost-answer'
  expect((await send({ prompt })).outcome.kind).toBe('unknown')
  // It still runs.
  expect((await send({ prompt })).outcome).toMatchObject({
    kind: 'unknown',
    evidence: { httpStatus: 409 },
  })
  await world.until(await taskId(), 'succeeded')
  expect((await send({ prompt })).outcome).toMatchObject({ kind: 'made-at' })
  expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(3)
  expect((await world.simulator.tasks(ATTEMPT_ID)).count).toBe(1)
})

test('a run that outlasts the connection is collected with the same key', async () => {
  await world.simulator.post('/_/faults', { fault: 'slow', ms: 20 * 60_000 })
  const first = send()
  const id = await taskId()
  world.advance(10 * 60_000)
  expect((await first).outcome).toMatchObject({ kind: 'unknown', evidence: { httpStatus: 504 } })
  await world.until(id, 'rendering')
  world.advance(20 * 60_000)
  await world.until(id, 'succeeded')
  expect((await send()).outcome).toMatchObject({ kind: 'made-at' })
  expect((await world.simulator.tasks(ATTEMPT_ID)).count).toBe(1)
})

test.each(['a fox', 'a fox #drill:lost-answer'])(
  'closing gives up an answer that still waits: %s',
  async (prompt) => {
    const rejections: unknown[] = []
    const hear = (reason: unknown) => rejections.push(reason)
    process.on('unhandledRejection', hear)
    try {
      const answered = send({ prompt })
      await taskId()
      await world.close()
      expect((await answered).outcome.kind).toBe('unknown')
      // Longer than anything waits between two looks at the store, which is closed.
      await sleep(200)
      expect(rejections).toEqual([])
    } finally {
      process.off('unhandledRejection', hear)
    }
    world = await openSimulated()
  },
)

test('refuses a key for another request than the one it stood for', async () => {
  await sent()
  const { outcome } = await send({ prompt: 'another prompt' })
  expect(outcome).toMatchObject({ kind: 'unknown', evidence: { httpStatus: 409 } })
  expect((await world.simulator.tasks(ATTEMPT_ID)).count).toBe(1)
})

test('forgets a key after a day, and then runs anew', async () => {
  await sent()
  world.advance(24 * 60 * 60_000)
  const second = send()
  await vi.waitFor(async () => {
    world.advance(1_000)
    expect((await world.simulator.tasks(ATTEMPT_ID)).count).toBe(2)
  }, PATIENCE)
  await vi.waitFor(async () => {
    world.advance(1_000)
    const { data } = await world.simulator.tasks(ATTEMPT_ID)
    expect(data.every(({ status }) => status === 'succeeded')).toBe(true)
  }, PATIENCE)
  expect((await second).outcome.kind).toBe('made-at')
})

const post = (model: string, body: unknown, headers: Record<string, string>) =>
  fetch(`${world.url}/comfy-router/v2/models/${model}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
const KEY = { 'x-api-key': 'comfyui-key-of-the-tests' }

test.each<readonly [string, string, object, number]>([
  ['an unknown field', 'bfl/flux-2-pro', { prompt: 'x', sampler: 'y' }, 422],
  ['no prompt', 'openai/gpt-image-2', {}, 422],
  ['a seed beyond 31 bits', 'ideogram/ideogram-4-5', { prompt: 'x', seed: 2 ** 31 }, 422],
  ['no contents', 'vertexai/gemini-3.1-flash-image', { contents: [] }, 422],
  ['a model that there is not', 'bfl/flux-9', { prompt: 'x' }, 404],
])('refuses %s', async (_what, model, body, status) => {
  const response = await post(model, body, KEY)
  expect(response.status).toBe(status)
  expect(response.headers.get('x-comfy-request-id')).not.toBeNull()
})

test('refuses whoever brings no key, and takes it in either header', async () => {
  expect((await post('bfl/flux-9', {}, {})).status).toBe(401)
  expect((await post('bfl/flux-9', {}, { authorization: 'Bearer comfyui-key' })).status).toBe(404)
})
