import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { faultNames } from './drills'
import {
  createManualClock,
  createTestFolder,
  startTestSimulator,
  PATIENCE,
  TEST_LATENCY_MS,
  TEST_TIMEOUT_MS,
  validBody,
  type ManualClock,
  type TestSimulator,
} from './testing'

const ErrorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) })
const errorOf = async (response: Response) => ErrorBody.parse(await response.json()).error
// More than any task takes, less than any outage lasts.
const WHOLE_TASK_MS = TEST_LATENCY_MS * 1.3

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

let clock: ManualClock
let simulator: TestSimulator
let folder: ReturnType<typeof createTestFolder>

beforeEach(async () => {
  clock = createManualClock()
  folder = createTestFolder()
  simulator = await startTestSimulator({ folder: folder.folder, clock })
})

afterEach(async () => {
  await simulator.close()
  folder.remove()
})

async function waitForStatus(id: string, status: string) {
  await vi.waitFor(async () => {
    const { data } = await simulator.tasks()
    expect(data.find((task) => task.id === id)?.status).toBe(status)
  }, PATIENCE)
}

/** Through the queue, then through the rendering: each step is seen before the clock moves on. */
async function finish(id: string, status: string, totalMs = WHOLE_TASK_MS) {
  clock.advance(totalMs / 2)
  await waitForStatus(id, 'rendering')
  await endRendering(id, status, totalMs)
}

async function endRendering(id: string, status: string, totalMs = WHOLE_TASK_MS) {
  await vi.waitFor(async () => {
    clock.advance(totalMs / 2)
    const { data } = await simulator.tasks()
    expect(data.find((task) => task.id === id)?.status).toBe(status)
  }, PATIENCE)
}

test('carries an accepted generation from the queue to a picture', async () => {
  const { id } = await simulator.accept()
  expect(await simulator.task(id)).toMatchObject({ status: 'queued', progress: 0, result: null })

  clock.advance(TEST_LATENCY_MS * 0.31)
  await waitForStatus(id, 'rendering')
  clock.advance(TEST_LATENCY_MS * 0.1)
  const early = await simulator.task(id)
  clock.advance(TEST_LATENCY_MS * 0.2)
  const later = await simulator.task(id)
  expect(early.progress).toBeGreaterThan(0)
  expect(later.progress).toBeGreaterThan(early.progress)
  expect(later.progress).toBeLessThan(1)

  clock.advance(TEST_LATENCY_MS)
  await waitForStatus(id, 'succeeded')
  const done = await simulator.task(id)
  expect(done).toMatchObject({
    reference: validBody.reference,
    progress: 1,
    error: null,
    result: { width: 256, height: 256, content_type: 'image/png' },
  })
  expect(done.result?.url).toBe(`${simulator.url}/v1/generations/${id}/image`)
  const image = await fetch(done.result?.url ?? '')
  expect(image.headers.get('content-type')).toBe('image/png')
  const bytes = Buffer.from(await image.arrayBuffer())
  expect(bytes.toString()).toBe('drawn: 7')
  expect(bytes.byteLength).toBe(done.result?.bytes)
})

const refusedBodies: readonly [string, unknown, string][] = [
  ['no JSON', 'not json', 'body'],
  ['no prompt', { ...validBody, prompt: undefined }, 'prompt'],
  ['an empty reference', { ...validBody, reference: '' }, 'reference'],
  ['a width below the least', { ...validBody, width: 255 }, 'width'],
  ['a height above the most', { ...validBody, height: 2_049 }, 'height'],
  ['half a pixel', { ...validBody, width: 512.5 }, 'width'],
  ['a negative seed', { ...validBody, seed: -1 }, 'seed'],
  ['a seed beyond 32 bits', { ...validBody, seed: 2 ** 32 }, 'seed'],
  ['an unknown field', { ...validBody, sampler: 'euler' }, 'sampler'],
  ['a callback to a file', { ...validBody, callback_url: 'file:///etc/passwd' }, 'callback_url'],
]

test.each(refusedBodies)('refuses %s, naming the field, and records it', async (_, body, field) => {
  const response = await simulator.post('/v1/generations', body)
  expect(response.status).toBe(400)
  const error = await errorOf(response)
  expect(error.code).toBe('invalid_input')
  expect(error.message).toContain(field)
  const { count, data } = await simulator.submissions()
  expect(count).toBe(1)
  expect(data[0]).toMatchObject({ outcome: 'invalid_input', task_id: null })
  expect((await simulator.tasks()).count).toBe(0)
})

test('records what arrived: reference, prompt and the hash of the very bytes', async () => {
  const body = JSON.stringify({ ...validBody, prompt: 'tree \u0000 \ud83c\udf33 שלום 木' })
  const response = await simulator.post('/v1/generations', body)
  expect(response.status).toBe(202)
  const { data } = await simulator.submissions(validBody.reference)
  expect(data[0]).toMatchObject({
    reference: validBody.reference,
    prompt: 'tree \u0000 \ud83c\udf33 שלום 木',
    body_sha256: createHash('sha256').update(body).digest('hex'),
    outcome: 'accepted',
  })
})

test('makes two tasks of two submissions with one reference, and counts both', async () => {
  const first = await simulator.accept()
  const second = await simulator.accept()
  expect(second.id).not.toBe(first.id)
  await simulator.accept({ reference: 'another' })
  expect((await simulator.submissions(validBody.reference)).count).toBe(2)
  expect((await simulator.tasks(validBody.reference)).count).toBe(2)
})

const refusingDrills: readonly [string, number, string, string | null][] = [
  ['reject', 400, 'invalid_input', null],
  ['moderate', 422, 'content_policy', null],
  ['429', 429, 'rate_limited', '1'],
  ['500', 500, 'internal_error', null],
  ['503', 503, 'unavailable', '1'],
]

test.each(refusingDrills)(
  'the drill %s answers %i %s, records the submission and makes no task',
  async (drill, status, code, retryAfter) => {
    const response = await simulator.submit({ prompt: `a lake #drill:${drill}` })
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe(retryAfter)
    expect((await errorOf(response)).code).toBe(code)
    expect((await simulator.submissions()).data).toMatchObject([{ outcome: code, task_id: null }])
    expect((await simulator.tasks()).count).toBe(0)
  },
)

test.each([
  ['fail', 'render_failed'],
  ['moderate-late', 'content_policy'],
])('the drill %s accepts, then fails with %s', async (drill, code) => {
  const { id } = await simulator.accept({ prompt: `a lake #drill:${drill}` })
  await finish(id, 'failed')
  const task = await simulator.task(id)
  expect(task).toMatchObject({ status: 'failed', result: null, error: { code } })
  expect(task.progress).toBeLessThan(1)
  expect((await simulator.get(`/v1/generations/${id}/image`)).status).toBe(404)
})

test('the drill corrupt succeeds with bytes that are not an image', async () => {
  const { id } = await simulator.accept({ prompt: 'a lake #drill:corrupt' })
  await finish(id, 'succeeded')
  const image = await simulator.get(`/v1/generations/${id}/image`)
  expect(image.headers.get('content-type')).toBe('image/png')
  expect(await image.text()).toContain('not an image')
})

test('the drill slow is still rendering after 24 s and succeeds after 25', async () => {
  const { id } = await simulator.accept({ prompt: 'a lake #drill:slow' })
  clock.advance(24_000)
  await waitForStatus(id, 'rendering')
  await finish(id, 'succeeded', 40_000)
})

test('the drill status-outage answers 503 for 20 s, then the status', async () => {
  const { id } = await simulator.accept({ prompt: 'a lake #drill:status-outage' })
  clock.advance(19_999)
  const during = await simulator.get(`/v1/generations/${id}`)
  expect(during.status).toBe(503)
  clock.advance(1)
  expect((await simulator.task(id)).id).toBe(id)
})

test('the drill result-down hides the picture for 20 s after success and no longer', async () => {
  const { id } = await simulator.accept({ prompt: 'a lake #drill:result-down' })
  await finish(id, 'succeeded')
  expect((await simulator.get(`/v1/generations/${id}/image`)).status).toBe(503)
  clock.advance(20_000)
  expect((await simulator.get(`/v1/generations/${id}/image`)).status).toBe(200)
})

test('a fault that is armed for a reference hits only that reference, and only so often', async () => {
  const armed = await simulator.post('/_/faults', { fault: 429, reference: 'hit', times: 2 })
  expect(armed.status).toBe(201)
  expect((await simulator.submit({ reference: 'spared' })).status).toBe(202)
  expect((await simulator.submit({ reference: 'hit' })).status).toBe(429)
  expect((await simulator.submit({ reference: 'hit' })).status).toBe(429)
  expect((await simulator.submit({ reference: 'hit' })).status).toBe(202)
  expect((await simulator.submissions('hit')).count).toBe(3)
})

test('an armed fault is gone after it was disarmed', async () => {
  await simulator.post('/_/faults', { fault: 'reject', times: 5 })
  await fetch(`${simulator.url}/_/faults`, { method: 'DELETE' })
  expect((await simulator.submit()).status).toBe(202)
})

test('an unknown fault is refused with the names of those there are', async () => {
  const response = await simulator.post('/_/faults', { fault: 'earthquake' })
  expect(response.status).toBe(400)
  const { message } = await errorOf(response)
  for (const name of faultNames) expect(message).toContain(name)
})

test('only a queued generation can be cancelled', async () => {
  const { id } = await simulator.accept()
  const cancelled = await simulator.post(`/v1/generations/${id}/cancel`, '')
  expect(cancelled.status).toBe(200)
  expect(await cancelled.json()).toMatchObject({ id, status: 'cancelled' })
  clock.advance(WHOLE_TASK_MS)
  expect((await simulator.task(id)).status).toBe('cancelled')

  const { id: started } = await simulator.accept()
  clock.advance(WHOLE_TASK_MS / 2)
  await waitForStatus(started, 'rendering')
  const tooLate = await simulator.post(`/v1/generations/${started}/cancel`, '')
  expect(tooLate.status).toBe(409)
  expect(await tooLate.json()).toMatchObject({ id: started, status: 'rendering' })
})

test('knows no generation that was never accepted, and no other address or method', async () => {
  const missing = await simulator.get('/v1/generations/gen_nothing')
  expect(missing.status).toBe(404)
  expect((await errorOf(missing)).code).toBe('not_found')
  expect((await simulator.get('/v2/generations')).status).toBe(404)
  expect((await simulator.get('/v1/generations')).status).toBe(405)
  expect(await (await simulator.get('/_/health')).json()).toEqual({ status: 'ok' })
})

test('a body beyond a megabyte is refused and recorded, and makes no task', async () => {
  const response = await simulator.submit({ prompt: 'x'.repeat(1_100_000) })
  expect(response.status).toBe(413)
  expect((await simulator.submissions()).data).toMatchObject([{ outcome: 'too_large' }])
  expect((await simulator.tasks()).count).toBe(0)
})

test('takes up a queued generation after a restart and keeps a finished one', async () => {
  const finished = await simulator.accept({ reference: 'finished' })
  await finish(finished.id, 'succeeded')
  const queued = await simulator.accept({ reference: 'queued' })
  await simulator.close()

  simulator = await startTestSimulator({ folder: folder.folder, clock })
  expect((await simulator.task(finished.id)).status).toBe('succeeded')
  expect((await simulator.get(`/v1/generations/${finished.id}/image`)).status).toBe(200)
  expect((await simulator.task(queued.id)).status).toBe('queued')
  await finish(queued.id, 'succeeded')
  expect((await simulator.submissions()).count).toBe(2)
})

test('draws again after a restart what was being rendered', async () => {
  const { id } = await simulator.accept()
  clock.advance(WHOLE_TASK_MS / 2)
  await waitForStatus(id, 'rendering')
  await simulator.close()

  simulator = await startTestSimulator({ folder: folder.folder, clock })
  expect((await simulator.task(id)).status).toBe('rendering')
  await endRendering(id, 'succeeded')
})

test('a picture that cannot be drawn fails its generation instead of hanging', async () => {
  await simulator.close()
  const draw = () => Promise.reject(new Error('no canvas'))
  simulator = await startTestSimulator({ folder: folder.folder, clock, draw })
  const { id } = await simulator.accept()
  await finish(id, 'failed')
  expect((await simulator.task(id)).error?.code).toBe('render_failed')
})
