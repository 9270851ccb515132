import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import { ideogramModelFacts } from '@/lib/providers/ideogram/models'
import { createIdeogramProvider } from '@/lib/providers/ideogram/provider'
import { createIdeogramVerifier } from '@/lib/providers/ideogram/verifier'
import { TEST_TIMEOUT_MS } from '@/simulator/testing'
import { asGiven, openSimulated, type Simulated } from '@/test/simulated'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

let world: Simulated
beforeEach(async () => {
  world = await openSimulated()
})
afterEach(() => world.close())

const MODEL = 'ideogram/ideogram-4.5'
const signal = () => AbortSignal.timeout(10_000)
const provider = (apiKey = 'key-of-the-tests') =>
  createIdeogramProvider({ baseUrl: `${world.url}/ideogram`, apiKey, now: world.now })
const submit = async (overrides = {}) =>
  (await provider().submit(submitRequest({ model: MODEL, ...overrides }), signal())).outcome
const accept = async (overrides = {}) => {
  const outcome = await submit(overrides)
  return TaskId.parse(outcome.kind === 'accepted' ? outcome.taskId : undefined)
}
const observe = (id: TaskId) => provider().observe(id, MODEL, signal())
const DAY = 24 * 60 * 60_000

test.each(
  ideogramModelFacts.map(({ id, qualities, negativePrompt }) => ({
    id,
    qualities,
    negativePrompt,
  })),
)(
  'takes $id with all that can be asked of it, and hands out its picture',
  async ({ id: model, qualities, negativePrompt }) => {
    const [quality] = qualities
    const id = await accept({
      model,
      settings: {
        width: 832,
        height: model === 'ideogram/p-image' ? 1216 : 1248,
        seed: 4_294_967_295,
        ...(quality === undefined ? {} : { quality }),
        ...(negativePrompt ? { negativePrompt: 'fog' } : {}),
      },
    })
    expect(await observe(id)).toMatchObject({ kind: 'pending' })
    await world.until(id, 'succeeded')
    const seen = await observe(id)
    expect(seen).toMatchObject({ kind: 'succeeded', cost: { amount: 0.06, unit: 'USD' } })
    const url = seen.kind === 'succeeded' && 'url' in seen.result ? seen.result.url : ''
    expect(await (await fetch(url)).text()).toBe('drawn: 2147483647')
    world.advance(DAY)
    expect((await fetch(url)).status).toBe(403)
  },
)

test('takes images to go by', async () => {
  const bytes = Buffer.from('an image')
  const id = await accept({ referenceImages: [{ contentType: 'image/jpeg', bytes }] })
  expect((await world.simulator.submissions(ATTEMPT_ID)).data).toMatchObject([{ task_id: id }])
})

test.each([
  ['moderate-late', 'moderated'],
  ['fail', 'provider_failed'],
])('lets a generation fail (%s)', async (drill, code) => {
  const id = await accept({ prompt: `a fox #drill:${drill}` })
  await world.until(id, 'failed')
  expect(await observe(id)).toMatchObject({ kind: 'failed', failure: { code } })
})

test.each([
  ['reject', { kind: 'rejected', failure: { code: 'invalid_input' } }],
  ['moderate', { kind: 'rejected', failure: { code: 'moderated' } }],
  ['429', { kind: 'rejected-for-now', retryAfterMs: 1_000 }],
  ['500', { kind: 'unknown' }],
  ['503', { kind: 'unknown' }],
  ['bad-key', { kind: 'rejected', oursToMend: true }],
  ['no-credit', { kind: 'rejected', oursToMend: true }],
  ['lost-answer', { kind: 'unknown' }],
])('answers the drill %s as Ideogram would', async (drill, outcome) => {
  expect(await submit({ prompt: `a fox #drill:${drill}` })).toMatchObject(outcome)
  expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
  expect((await world.simulator.tasks()).count).toBe(drill === 'lost-answer' ? 1 : 0)
})

test('holds ten images at a time and no more', async () => {
  for (let time = 0; time < 10; time += 1) await accept()
  expect(await submit()).toMatchObject({ kind: 'rejected-for-now', retryAfterMs: undefined })
})

test('makes another generation of every POST', async () => {
  expect(await accept()).not.toBe(await accept())
})

test.each([
  ['an image', '', 'succeeded', 'succeeded'],
  ['an image that is withheld', ' #drill:moderate-late', 'failed', 'failed'],
  ['a failure', ' #drill:fail', 'failed', 'failed'],
])(
  'calls back with %s, signed with a key that it publishes',
  async (_what, drill, ends, claims) => {
    const id = await accept({ prompt: `a fox${drill}`, callbackUrl: world.callbackUrl })
    await world.until(id, ends)
    const callback = await world.callback()
    const verifier = createIdeogramVerifier(`${world.url}/ideogram`)
    expect(await verifier.verify(asGiven(callback, world.now(), 'any'))).toMatchObject({
      taskId: id,
      claims,
    })
    const later = new Date(world.now().getTime() + 10 * 60_000)
    expect(await verifier.verify(asGiven(callback, later, 'any'))).toBeUndefined()
  },
)

test('a forged callback is told from the true one', async () => {
  const prompt = 'a fox #drill:callback-forged'
  const id = await accept({ prompt, callbackUrl: world.callbackUrl })
  await world.until(id, 'succeeded')
  const verifier = createIdeogramVerifier(`${world.url}/ideogram`)
  const verify = async (index: number) =>
    verifier.verify(asGiven(await world.callback(index), world.now(), 'any'))
  expect(await verify(0)).toBeUndefined()
  expect(await verify(1)).toMatchObject({ taskId: id })
})

test('looks away while its status is down', async () => {
  const id = await accept({ prompt: 'a fox #drill:status-outage' })
  expect(await observe(id)).toMatchObject({ kind: 'unavailable' })
})

test('knows no generation of another protocol', async () => {
  const { id } = await world.simulator.accept()
  expect(await observe(TaskId.parse(id))).toMatchObject({ kind: 'missing' })
})

const post = (path: string, body: unknown, headers: Record<string, string> = { 'api-key': 'k' }) =>
  fetch(`${world.url}/ideogram/v2/image/generate/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })

test.each<readonly [string, string, object, number]>([
  ['an unknown field', 'ideogram-4-5', { prompt: 'x', sampler: 'y' }, 400],
  ['no prompt', 'ideogram-4-5', {}, 400],
  ['a seed beyond 31 bits', 'ideogram-4-5', { prompt: 'x', seed: 2 ** 31 }, 400],
  ['the lowest quality without images', 'ideogram-4-5', { prompt: 'x', quality: 'very_low' }, 400],
  [
    'a side that is no multiple of 16',
    'p-image-ideogram',
    { prompt: 'x', custom_width: 1_000 },
    400,
  ],
  ['a model that there is not', 'ideogram-9', { prompt: 'x' }, 404],
])('refuses %s', async (_what, model, body, status) => {
  expect((await post(model, body)).status).toBe(status)
})

test('refuses whoever brings no key', async () => {
  expect((await post('ideogram-4-5', { prompt: 'x' }, {})).status).toBe(401)
  expect((await fetch(`${world.url}/ideogram/v2/generations/abc`)).status).toBe(401)
})
