import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import type { SubmitRequest } from '@/lib/domain/provider'
import {
  saying,
  startScriptedServer,
  unusedAddress,
  type ScriptedServer,
} from '@/test/scripted-server'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'
import { failedLooks, retryAfters, TEST_NOW, unanswered } from '@/test/unanswered'
import { createBflProvider } from './provider'

let server: ScriptedServer
let region: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
  region = await startScriptedServer()
})
beforeEach(() => {
  server.reset()
  region.reset()
})
afterAll(async () => {
  await server.close()
  await region.close()
})

const MODEL = 'bfl/flux-2-pro'
const SUBMIT = /^\/v1\/flux-2-pro$/
const LOOK = /^\/v1\/get_result\?id=t1$/
const TASK = TaskId.parse('t1')
const CALLBACK = 'http://127.0.0.1:9/api/callbacks/bfl/token-1'

const provider = (baseUrl = server.url, regions: readonly string[] = []) =>
  createBflProvider({ key: 'bfl_secret', baseUrl, regions, now: () => TEST_NOW })
const soon = () => AbortSignal.timeout(500)
const submit = (overrides: Partial<SubmitRequest> = {}, baseUrl?: string) =>
  provider(baseUrl).submit(submitRequest({ model: MODEL, ...overrides }), soon())
const observe = (taskId = TASK, regions: readonly string[] = []) =>
  provider(server.url, regions).observe(taskId, MODEL, soon())
const sentBody = (): unknown => JSON.parse(server.heard()[0]?.body.toString() ?? '')

const accepted = { id: 't1', polling_url: 'https://api.bfl.ai/v1/get_result?id=t1', cost: 3 }

test('an answer with an id is an accepted task, whose cost is kept', async () => {
  server.on('POST', SUBMIT, saying(200, { ...accepted, polling_url: undefined }))
  const { outcome, usage } = await submit()
  expect(outcome).toEqual({ kind: 'accepted', taskId: TASK })
  expect(usage).toMatchObject({ httpStatus: 200, cost: { amount: 3, unit: 'credits' } })
  expect(JSON.stringify(usage)).not.toContain('bfl_secret')
  expect(server.posts()).toBe(1)
})

test('where the task is to be looked at is kept with its id', async () => {
  const polling_url = 'https://api.eu4.bfl.ai/v1/get_result?id=t1'
  server.on('POST', SUBMIT, saying(200, { ...accepted, polling_url }))
  expect((await submit()).outcome).toEqual({ kind: 'accepted', taskId: 't1@api.eu4.bfl.ai' })
})

test('with a callback the task is called as the callback will call it', async () => {
  const polling_url = 'https://api.eu4.bfl.ai/v1/get_result?id=t1'
  server.on('POST', SUBMIT, saying(200, { ...accepted, polling_url }))
  const { outcome } = await submit({ callbackUrl: CALLBACK })
  expect(outcome).toEqual({ kind: 'accepted', taskId: TASK })
})

test('the one POST carries what was asked, our address and this attempt’s secret', async () => {
  server.on('POST', SUBMIT, saying(200, { id: 't1', status: 'Pending', webhook_url: CALLBACK }))
  const image = (bytes: string) =>
    ({ contentType: 'image/png', bytes: Buffer.from(bytes) }) as const
  await submit({
    settings: { width: 832, height: 1216, seed: 7 },
    referenceImages: [image('one'), image('two')],
    callbackUrl: CALLBACK,
  })
  expect(server.heard()[0]?.headers).toMatchObject({
    'x-key': 'bfl_secret',
    'x-client-request-id': ATTEMPT_ID,
  })
  expect(sentBody()).toEqual({
    prompt: 'a red fox in the snow',
    width: 832,
    height: 1216,
    seed: 7,
    output_format: 'png',
    input_image: Buffer.from('one').toString('base64'),
    input_image_2: Buffer.from('two').toString('base64'),
    webhook_url: CALLBACK,
    webhook_secret: 'the-secret-of-one-attempt',
  })
})

test('what was not asked is not sent, nor a secret without an address', async () => {
  server.on('POST', SUBMIT, saying(200, accepted))
  await submit()
  expect(sentBody()).toEqual({
    prompt: 'a red fox in the snow',
    width: 1024,
    height: 1024,
    output_format: 'png',
  })
})

test.each(unanswered)('after %s nobody knows, and nothing is sent again', async (_what, act) => {
  server.on('POST', SUBMIT, act)
  expect((await submit()).outcome.kind).toBe('unknown')
  expect(server.posts()).toBe(1)
})

test.each(['', 'x'.repeat(121), 'a b'])('an id like %j names no task', async (id) => {
  server.on('POST', SUBMIT, saying(200, { ...accepted, id }))
  expect((await submit()).outcome.kind).toBe('unknown')
})

const told = (error: string) => ({ error, message: 'as they say it', details: {} })
const framework = { detail: [{ loc: ['body', 'width'], msg: 'too wide', type: 'value_error' }] }

test.each<readonly [string, number, object, object]>([
  ['a wrong input', 400, told('validation_error'), { failure: { code: 'invalid_input' } }],
  ['a wrong field', 422, framework, { failure: { code: 'invalid_input' } }],
  ['too much', 413, told('too_large'), { failure: { code: 'invalid_input' } }],
  ['a policy', 400, told('content_policy_violation'), { failure: { code: 'moderated' } }],
  ['a wrong key', 401, told('invalid_api_key'), { oursToMend: true }],
  ['no money', 402, { detail: 'Insufficient credits' }, { oursToMend: true }],
  ['no permission', 403, { detail: 'Not authenticated' }, { oursToMend: true }],
  ['a model that is gone', 404, { detail: 'Not Found' }, { oursToMend: true }],
])('%s (%i) proves that nothing was made', async (_what, status, body, expected) => {
  server.on('POST', SUBMIT, saying(status, body))
  expect((await submit()).outcome).toMatchObject({ kind: 'rejected', ...expected })
  expect(server.posts()).toBe(1)
})

test.each([409, 500, 502, 503])('%i proves nothing, whatever it says', async (status) => {
  server.on('POST', SUBMIT, saying(status, told('internal_error')))
  expect((await submit()).outcome.kind).toBe('unknown')
  expect(server.posts()).toBe(1)
})

test.each(retryAfters)('429 with %s as Retry-After is a wish to wait', async (_what, value, ms) => {
  const headers = value === undefined ? {} : { 'retry-after': value }
  server.on('POST', SUBMIT, saying(429, told('rate_limit_exceeded'), headers))
  expect((await submit()).outcome).toMatchObject({ kind: 'rejected-for-now', retryAfterMs: ms })
  expect(server.posts()).toBe(1)
})

test('how long to wait may also be said in the body', async () => {
  server.on('POST', SUBMIT, saying(429, { ...told('rate_limit_exceeded'), retry_after: 5 }))
  expect((await submit()).outcome).toMatchObject({ retryAfterMs: 5_000 })
})

test('where nobody listens, nothing was sent', async () => {
  expect((await submit({}, await unusedAddress())).outcome.kind).toBe('rejected-for-now')
})

test('a model that is not known any more is never posted for', async () => {
  expect((await submit({ model: 'bfl/gone' })).outcome).toMatchObject({ kind: 'rejected' })
  expect(server.posts()).toBe(0)
})

test.each<readonly [string, number, object, object]>([
  ['pending', 200, { status: 'Pending', progress: 0.4 }, { kind: 'pending', progress: 0.4 }],
  ['pending, at no sane progress', 200, { status: 'Pending', progress: 40 }, { kind: 'pending' }],
  [
    'ready',
    200,
    { status: 'Ready', result: { sample: 'https://delivery.eu.bfl.ai/a.png' } },
    { kind: 'succeeded', result: { url: 'https://delivery.eu.bfl.ai/a.png' } },
  ],
  ['ready, nobody says where', 200, { status: 'Ready', result: null }, { kind: 'unavailable' }],
  [
    'moderated before it ran',
    200,
    { status: 'Request Moderated', result: null },
    { kind: 'failed', failure: { code: 'moderated' } },
  ],
  [
    'moderated after it ran',
    200,
    { status: 'Content Moderated', result: null },
    { kind: 'failed', failure: { code: 'moderated' } },
  ],
  [
    'in error',
    200,
    { status: 'Error', error: 'generation_timeout', message: 'It took too long' },
    { kind: 'failed', failure: { code: 'provider_failed' } },
  ],
  [
    'in error for its content',
    200,
    { status: 'Error', error: 'content_policy_violation' },
    { kind: 'failed', failure: { code: 'moderated' } },
  ],
  [
    'in error without a reason',
    200,
    { status: 'Error', details: {} },
    { kind: 'failed', failure: { code: 'provider_failed' } },
  ],
  ['unknown', 200, { status: 'Task not found' }, { kind: 'missing' }],
  ['unknown, with 404', 404, { status: 'Task not found' }, { kind: 'missing' }],
  ['not found by somebody else', 404, { detail: 'Not Found' }, { kind: 'unavailable' }],
  ['of an unheard-of status', 200, { status: 'Pondering' }, { kind: 'unavailable' }],
  ['ready, says an error', 500, { status: 'Ready' }, { kind: 'unavailable' }],
])('a task that is %s is observed as that', async (_what, status, body, expected) => {
  server.on('GET', LOOK, saying(status, { id: 't1', ...body }))
  expect(await observe()).toMatchObject(expected)
})

test.each(failedLooks)('a look answered by %s says nothing of the task', async (_what, act) => {
  server.on('GET', LOOK, act)
  expect(await observe()).toMatchObject({ kind: 'unavailable' })
})

const notFound = saying(200, { id: 't1', status: 'Task not found' })
const ready = saying(200, { id: 't1', status: 'Ready', result: { sample: 'https://x/a.png' } })

test('a task that one region does not know is found in another', async () => {
  server.on('GET', LOOK, notFound)
  region.on('GET', LOOK, ready)
  expect(await observe(TASK, [region.url])).toMatchObject({ kind: 'succeeded' })
})

test('a task that is known where it was submitted is asked for nowhere else', async () => {
  server.on('GET', LOOK, ready)
  await observe(TASK, [region.url])
  expect(region.heard()).toEqual([])
})

test('a task is missing only when no region knows it', async () => {
  server.on('GET', LOOK, notFound)
  region.on('GET', LOOK, notFound, saying(503))
  expect(await observe(TASK, [region.url])).toMatchObject({ kind: 'missing' })
  expect(await observe(TASK, [region.url])).toMatchObject({ kind: 'unavailable' })
})
