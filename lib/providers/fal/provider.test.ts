import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import type { SubmitRequest } from '@/lib/domain/provider'
import {
  saying,
  silent,
  startScriptedServer,
  unusedAddress,
  type Act,
  type ScriptedServer,
} from '@/test/scripted-server'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'
import { failedLooks, retryAfters, TEST_NOW, unanswered } from '@/test/unanswered'
import { createFalProvider } from './provider'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const MODEL = 'fal/flux-dev'
const TASK = TaskId.parse('764cabcf-b745-4b3e-ae38-1200304cf45b')
const SUBMIT = /^\/fal-ai\/flux\/dev(\?|$)/
const STATUS = /^\/fal-ai\/flux\/requests\/764cabcf-[0-9a-f-]+\/status$/
const RESULT = /^\/fal-ai\/flux\/requests\/764cabcf-[0-9a-f-]+$/
const CANCEL = /^\/fal-ai\/flux\/requests\/764cabcf-[0-9a-f-]+\/cancel$/

const provider = (baseUrl = server.url) =>
  createFalProvider({ key: 'key-id:key-secret', baseUrl, now: () => TEST_NOW })
const soon = () => AbortSignal.timeout(500)
const submit = (overrides: Partial<SubmitRequest> = {}, baseUrl?: string) =>
  provider(baseUrl).submit(submitRequest({ model: MODEL, ...overrides }), soon())
const observe = (model = MODEL) => provider().observe(TASK, model, soon())
const sentBody = (): unknown => JSON.parse(server.heard()[0]?.body.toString() ?? '')

const queued = { request_id: TASK, status: 'IN_QUEUE', queue_position: 0 }
const modelError = (type = 'value_error') => ({
  detail: [{ loc: ['body', 'prompt'], msg: 'as the model says it', type }],
})
const requestError = (errorType: string) => ({ detail: 'as fal says it', error_type: errorType })

test('an answer with an id is an accepted task', async () => {
  server.on('POST', SUBMIT, saying(200, queued, { 'x-fal-request-id': 'r-1' }))
  const { outcome, usage } = await submit()
  expect(outcome).toEqual({ kind: 'accepted', taskId: TASK })
  expect(usage).toMatchObject({ httpStatus: 200, providerRequestId: 'r-1' })
  expect(JSON.stringify(usage)).not.toContain('key-secret')
  expect(server.posts()).toBe(1)
})

test('the one POST is to be run once, and carries our tag and our address', async () => {
  server.on('POST', SUBMIT, saying(200, queued))
  const callbackUrl = 'http://127.0.0.1:9/api/callbacks/fal/token-1?a=b&c'
  await submit({ settings: { width: 832, height: 1216, seed: 7 }, callbackUrl })
  const [heard] = server.heard()
  expect(heard?.headers).toMatchObject({
    authorization: 'Key key-id:key-secret',
    'x-fal-no-retry': '1',
    'x-fal-tags': `attempt=${ATTEMPT_ID}`,
    'x-client-request-id': ATTEMPT_ID,
  })
  const { searchParams } = new URL(heard?.path ?? '', server.url)
  expect(searchParams.get('fal_webhook')).toBe(callbackUrl)
  expect(sentBody()).toEqual({
    prompt: 'a red fox in the snow',
    image_size: { width: 832, height: 1216 },
    output_format: 'png',
    num_images: 1,
    seed: 7,
  })
})

test('what was not asked is not sent, nor an address that fal could not call', async () => {
  server.on('POST', SUBMIT, saying(200, queued))
  await submit()
  expect(server.heard()[0]?.path).toBe('/fal-ai/flux/dev')
  expect(sentBody()).not.toHaveProperty('seed')
  expect(sentBody()).not.toHaveProperty('image_urls')
})

test('reference images go to the endpoint that takes them, within the request', async () => {
  server.on('POST', /^\/fal-ai\/flux-2-pro\/edit$/, saying(200, queued))
  const image = { contentType: 'image/png', bytes: Buffer.from('picture') } as const
  const { outcome } = await submit({ model: 'fal/flux-2-pro', referenceImages: [image, image] })
  expect(outcome.kind).toBe('accepted')
  const url = 'data:image/png;base64,cGljdHVyZQ=='
  expect(sentBody()).toMatchObject({ image_urls: [url, url] })
  expect(sentBody()).not.toHaveProperty('num_images')
})

test.each(unanswered)('after %s nobody knows, and nothing is sent again', async (_what, act) => {
  server.on('POST', SUBMIT, act)
  expect((await submit()).outcome.kind).toBe('unknown')
  expect(server.posts()).toBe(1)
})

test.each<readonly [string, number, object, object]>([
  ['a model error', 422, modelError(), { failure: { code: 'invalid_input' } }],
  ['a bare model error', 422, modelError().detail, { failure: { code: 'invalid_input' } }],
  [
    'a policy violation',
    422,
    modelError('content_policy_violation'),
    { failure: { code: 'moderated' } },
  ],
  ['a bad request', 400, requestError('bad_request'), { failure: { code: 'invalid_input' } }],
  ['too much', 413, { detail: 'Too large' }, { failure: { code: 'invalid_input' } }],
  ['a wrong key', 401, { detail: 'Invalid key.' }, { oursToMend: true }],
  ['no money', 402, { detail: 'Pay.' }, { oursToMend: true }],
  [
    'an exhausted balance',
    403,
    { detail: 'User is locked. Reason: Exhausted balance.' },
    { oursToMend: true },
  ],
  ['an app that is gone', 404, { detail: 'Application not found' }, { oursToMend: true }],
])('%s (%i) proves that nothing was made', async (_what, status, body, expected) => {
  server.on('POST', SUBMIT, saying(status, body))
  expect((await submit()).outcome).toMatchObject({ kind: 'rejected', ...expected })
  expect(server.posts()).toBe(1)
})

test.each([409, 499, 500, 502, 503, 504])(
  '%i proves nothing, even with the body of a request error',
  async (status) => {
    server.on('POST', SUBMIT, saying(status, requestError('runner_scheduling_failure')))
    expect((await submit()).outcome.kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  },
)

test.each(retryAfters)('429 with %s as Retry-After is a wish to wait', async (_what, value, ms) => {
  const headers = value === undefined ? {} : { 'retry-after': value }
  server.on('POST', SUBMIT, saying(429, requestError('concurrent_requests_limit'), headers))
  expect((await submit()).outcome).toMatchObject({ kind: 'rejected-for-now', retryAfterMs: ms })
  expect(server.posts()).toBe(1)
})

test('where nobody listens, nothing was sent', async () => {
  expect((await submit({}, await unusedAddress())).outcome.kind).toBe('rejected-for-now')
})

test('a model that is not known any more is never posted for, nor looked for', async () => {
  expect((await submit({ model: 'fal/gone' })).outcome).toMatchObject({ kind: 'rejected' })
  expect(await observe('fal/gone')).toMatchObject({ kind: 'unavailable' })
  expect(await provider().cancel?.(TASK, 'fal/gone', soon())).toMatchObject({ kind: 'unavailable' })
  expect(server.heard()).toEqual([])
})

test.each<readonly [string, number, object, object]>([
  ['queued', 202, queued, { kind: 'pending' }],
  ['under way', 202, { status: 'IN_PROGRESS' }, { kind: 'pending' }],
  ['queued, as older answers have it', 200, queued, { kind: 'pending' }],
  [
    'completed with an error',
    200,
    { status: 'COMPLETED', error: 'it broke', error_type: 'runner_server_error' },
    { kind: 'failed', failure: { code: 'provider_failed' } },
  ],
  [
    'completed by being cancelled',
    200,
    { status: 'COMPLETED', error: 'cancelled', error_type: 'client_cancelled' },
    { kind: 'failed', failure: { code: 'cancelled' } },
  ],
  ['of an unheard-of status', 200, { status: 'FAILED' }, { kind: 'unavailable' }],
  ['unknown', 404, { status: 'NOT_FOUND' }, { kind: 'missing' }],
  ['not found by somebody else', 404, { detail: 'Not Found' }, { kind: 'unavailable' }],
  ['completed, says an error', 500, { status: 'COMPLETED' }, { kind: 'unavailable' }],
])('a request that is %s is observed as that', async (_what, status, body, expected) => {
  server.on('GET', STATUS, saying(status, body))
  expect(await observe()).toMatchObject(expected)
})

const completed = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  server.on('GET', STATUS, saying(200, { status: 'COMPLETED' }))
  server.on('GET', RESULT, saying(status, body, headers))
  return observe()
}
const image = { url: 'https://v3.fal.media/files/a.png', width: 1024, height: 1024 }

test('of two accounts of one failure, the result’s says more than the status’', async () => {
  const error = { error: 'Unexpected status code: 422', error_type: null }
  server.on('GET', STATUS, saying(200, { status: 'COMPLETED', ...error }))
  server.on('GET', RESULT, saying(422, modelError('content_policy_violation')))
  expect(await observe()).toMatchObject({ kind: 'failed', failure: { code: 'moderated' } })
  server.on('GET', RESULT, saying(500, {}))
  expect(await observe()).toMatchObject({ kind: 'failed', failure: { code: 'provider_failed' } })
})

test('a completed request has its picture in its result, and what it cost', async () => {
  const seen = await completed(200, { images: [image] }, { 'x-fal-billable-units': '1.05' })
  expect(seen).toEqual({
    kind: 'succeeded',
    result: { url: image.url },
    cost: { amount: 1.05, unit: 'billable units' },
  })
})

test.each<readonly [string, number, unknown, object]>([
  ['no picture', 200, { images: [] }, { failure: { code: 'unusable_result' } }],
  [
    'a picture that the checker blacked out',
    200,
    { images: [image], has_nsfw_concepts: [true] },
    { failure: { code: 'moderated' } },
  ],
  ['a model error', 422, modelError(), { failure: { code: 'invalid_input' } }],
  [
    'a policy violation',
    422,
    modelError('content_policy_violation'),
    { failure: { code: 'moderated' } },
  ],
  [
    'a model error of its own making',
    500,
    modelError('internal_server_error'),
    { failure: { code: 'provider_failed' } },
  ],
  [
    'a runner that broke',
    503,
    requestError('runner_disconnected'),
    { failure: { code: 'provider_failed' } },
  ],
  [
    'a start that took too long',
    504,
    requestError('startup_timeout'),
    { failure: { code: 'provider_failed' } },
  ],
  ['a cancellation', 499, requestError('client_cancelled'), { failure: { code: 'cancelled' } }],
])('completed with %s is a failure', async (_what, status, body, expected) => {
  expect(await completed(status, body)).toMatchObject({ kind: 'failed', ...expected })
})

test.each<readonly [string, number, unknown, string]>([
  ['a result that is gone', 404, { status: 'NOT_FOUND' }, 'missing'],
  ['a result of another shape', 200, { video: {} }, 'unavailable'],
  ['an error that may be of the look', 500, requestError('internal_error'), 'unavailable'],
  ['a result that is not there yet', 400, requestError('bad_request'), 'unavailable'],
  ['a refused key', 401, modelError(), 'unavailable'],
  ['a bare 500', 500, {}, 'unavailable'],
])('completed with %s proves nothing', async (_what, status, body, kind) => {
  expect(await completed(status, body)).toMatchObject({ kind })
})

test.each(failedLooks)('a look answered by %s says nothing of the task', async (_what, act) => {
  server.on('GET', STATUS, act)
  expect(await observe()).toMatchObject({ kind: 'unavailable' })
  server.on('GET', STATUS, saying(200, { status: 'COMPLETED' }))
  server.on('GET', RESULT, act)
  expect(await observe()).toMatchObject({ kind: 'unavailable' })
})

test.each<readonly [string, Act, object]>([
  ['removed from the queue', saying(200, { status: 'OK' }), { kind: 'cancelled' }],
  ['told to stop', saying(202, { status: 'CANCELLATION_REQUESTED' }), { kind: 'asked' }],
  ['over already', saying(400, { status: 'ALREADY_COMPLETED' }), { kind: 'too-late' }],
  ['unknown', saying(404, { status: 'NOT_FOUND' }), { kind: 'unavailable' }],
  ['not heard of', silent, { kind: 'unavailable' }],
  ['met by an error', saying(500, {}), { kind: 'unavailable' }],
])('cancelling a request that is %s is told as that', async (_what, act, expected) => {
  server.on('PUT', CANCEL, act)
  expect(await provider().cancel?.(TASK, MODEL, soon())).toMatchObject(expected)
})

test('a task’s name is no way to another address', async () => {
  server.on('GET', /./, saying(500))
  await provider().observe(TaskId.parse('../../x?y#z'), MODEL, soon())
  expect(server.heard()[0]?.path).toBe('/fal-ai/flux/requests/..%2F..%2Fx%3Fy%23z/status')
})
