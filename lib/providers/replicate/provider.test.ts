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
import { createReplicateProvider } from './provider'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const CREATE = /^\/v1\/models\/black-forest-labs\/flux-schnell\/predictions$/
const TASK = TaskId.parse('gm3qorzdhgbfurvjtvhg6dckhu')
const CALLBACK = 'http://127.0.0.1:9/api/callbacks/replicate/token-1'

const provider = (baseUrl = server.url) =>
  createReplicateProvider({
    token: 'r8_token',
    baseUrl,
    verifiesCallbacks: true,
    now: () => TEST_NOW,
  })
const soon = () => AbortSignal.timeout(500)
const submit = (overrides: Partial<SubmitRequest> = {}, baseUrl?: string) =>
  provider(baseUrl).submit(submitRequest({ model: 'replicate/flux-schnell', ...overrides }), soon())
const observe = () => provider().observe(TASK, 'replicate/flux-schnell', soon())

const prediction = (overrides: object = {}) => ({
  id: TASK,
  model: 'black-forest-labs/flux-schnell',
  version: 'hidden',
  status: 'starting',
  input: { prompt: 'a red fox in the snow' },
  output: null,
  error: null,
  data_removed: false,
  created_at: '2026-01-01T00:00:00Z',
  urls: { get: 'https://x/', cancel: 'https://x/cancel' },
  ...overrides,
})
const problem = (status: number, title: string, detail = 'as Replicate says it') =>
  saying(status, { title, detail, status })

test.each([201, 202, 200])('%i with an id is an accepted task', async (status) => {
  server.on('POST', CREATE, saying(status, prediction()))
  const { outcome, usage } = await submit()
  expect(outcome).toEqual({ kind: 'accepted', taskId: TASK })
  expect(usage).toMatchObject({ httpStatus: status })
  expect(JSON.stringify(usage)).not.toContain('r8_token')
  expect(server.posts()).toBe(1)
})

test('the one POST carries what was asked, our reference, a deadline and our address', async () => {
  server.on('POST', CREATE, saying(201, prediction()))
  await submit({
    settings: { width: 1344, height: 768, seed: 4_294_967_295 },
    callbackUrl: CALLBACK,
  })
  const [heard] = server.heard()
  expect(heard?.headers).toMatchObject({
    authorization: 'Bearer r8_token',
    'cancel-after': '10m',
    'x-client-request-id': ATTEMPT_ID,
  })
  expect(JSON.parse(heard?.body.toString() ?? '')).toEqual({
    input: {
      prompt: 'a red fox in the snow',
      aspect_ratio: '16:9',
      num_outputs: 1,
      output_format: 'png',
      seed: 4_294_967_295,
    },
    webhook: CALLBACK,
    webhook_events_filter: ['start', 'completed'],
  })
})

test('what was not asked is not sent', async () => {
  server.on('POST', CREATE, saying(201, prediction()))
  await submit()
  const body: unknown = JSON.parse(server.heard()[0]?.body.toString() ?? '')
  expect(body).toEqual({
    input: {
      prompt: 'a red fox in the snow',
      aspect_ratio: '1:1',
      num_outputs: 1,
      output_format: 'png',
    },
  })
})

test('a model that takes pixels is asked for exactly those', async () => {
  server.on('POST', /flux-1\.1-pro\/predictions$/, saying(201, prediction()))
  await submit({ model: 'replicate/flux-1.1-pro', settings: { width: 832, height: 1216 } })
  expect(JSON.parse(server.heard()[0]?.body.toString() ?? '')).toMatchObject({
    input: { aspect_ratio: 'custom', width: 832, height: 1216 },
  })
})

test.each(unanswered)('after %s nobody knows, and nothing is sent again', async (_what, act) => {
  server.on('POST', CREATE, act)
  expect((await submit()).outcome.kind).toBe('unknown')
  expect(server.posts()).toBe(1)
})

test('an answer that names no task is paid for and not sent again', async () => {
  server.on('POST', CREATE, saying(201, prediction({ id: '' })))
  expect((await submit()).outcome.kind).toBe('unknown')
})

test.each<readonly [number, object]>([
  [400, { failure: { code: 'invalid_input' } }],
  [413, { failure: { code: 'invalid_input' } }],
  [422, { failure: { code: 'invalid_input' } }],
  [401, { oursToMend: true }],
  [402, { oursToMend: true }],
  [403, { oursToMend: true }],
  [404, { oursToMend: true }],
])('%i with problem details proves that nothing was made', async (status, expected) => {
  server.on('POST', CREATE, problem(status, 'A problem'))
  expect((await submit()).outcome).toMatchObject({
    kind: 'rejected',
    ...expected,
    evidence: { httpStatus: status, errorCode: 'A problem' },
  })
  expect(server.posts()).toBe(1)
})

test.each([409, 410, 500, 503])('%i proves nothing, whatever it says', async (status) => {
  server.on('POST', CREATE, problem(status, 'A problem'))
  expect((await submit()).outcome.kind).toBe('unknown')
})

test.each(retryAfters)('429 with %s as Retry-After is a wish to wait', async (_what, value, ms) => {
  const headers = value === undefined ? {} : { 'retry-after': value }
  server.on('POST', CREATE, saying(429, { detail: 'Request was throttled.' }, headers))
  expect((await submit()).outcome).toMatchObject({ kind: 'rejected-for-now', retryAfterMs: ms })
  expect(server.posts()).toBe(1)
})

test('where nobody listens, nothing was sent', async () => {
  expect((await submit({}, await unusedAddress())).outcome.kind).toBe('rejected-for-now')
})

test('a model that is not known any more is never posted for', async () => {
  expect((await submit({ model: 'replicate/gone' })).outcome).toMatchObject({ kind: 'rejected' })
  expect(server.posts()).toBe(0)
})

test.each<readonly [string, object, object]>([
  ['starting', { status: 'starting' }, { kind: 'pending' }],
  ['processing', { status: 'processing' }, { kind: 'pending' }],
  [
    'succeeded with a list',
    { status: 'succeeded', output: ['https://replicate.delivery/a.png', 'b'] },
    { kind: 'succeeded', result: { url: 'https://replicate.delivery/a.png' } },
  ],
  [
    'succeeded with one address',
    { status: 'succeeded', output: 'https://x/a.png', metrics: { predict_time: 1.5 } },
    {
      kind: 'succeeded',
      result: { url: 'https://x/a.png' },
      cost: { amount: 1.5, unit: 'seconds' },
    },
  ],
  [
    'succeeded without output',
    { status: 'succeeded', output: null },
    { kind: 'failed', failure: { code: 'unusable_result' } },
  ],
  [
    'succeeded with nothing in its list',
    { status: 'succeeded', output: [] },
    { kind: 'failed', failure: { code: 'unusable_result' } },
  ],
  [
    'succeeded, its output removed since',
    { status: 'succeeded', output: null, data_removed: true },
    { kind: 'missing' },
  ],
  [
    'succeeded with something else',
    { status: 'succeeded', output: { image: 'https://x' } },
    { kind: 'unavailable' },
  ],
  [
    'failed',
    { status: 'failed', error: 'CUDA out of memory' },
    { kind: 'failed', failure: { code: 'provider_failed' } },
  ],
  [
    'failed without a reason',
    { status: 'failed', error: null },
    { kind: 'failed', failure: { code: 'provider_failed' } },
  ],
  [
    'failed for its content',
    { status: 'failed', error: 'NSFW content detected. Try a different prompt.' },
    { kind: 'failed', failure: { code: 'moderated' } },
  ],
  ['canceled', { status: 'canceled' }, { kind: 'failed', failure: { code: 'cancelled' } }],
  ['aborted', { status: 'aborted' }, { kind: 'failed', failure: { code: 'cancelled' } }],
  ['of an unheard-of status', { status: 'pondering' }, { kind: 'unavailable' }],
])('a prediction that is %s is observed as that', async (_what, overrides, expected) => {
  server.on('GET', /^\/v1\/predictions\/gm3/, saying(200, prediction(overrides)))
  expect(await observe()).toMatchObject(expected)
})

test.each(failedLooks)('a look answered by %s says nothing of the task', async (_what, act) => {
  server.on('GET', /./, act)
  expect(await observe()).toMatchObject({ kind: 'unavailable' })
})

test('an unknown prediction is missing, and a page that is not found is only a failed look', async () => {
  server.on('GET', /./, problem(404, 'Not found'), saying(404, '<html>'))
  expect(await observe()).toMatchObject({ kind: 'missing' })
  expect(await observe()).toMatchObject({ kind: 'unavailable' })
})

test.each([
  ['canceled', 'cancelled'],
  ['aborted', 'cancelled'],
  ['processing', 'asked'],
  ['starting', 'asked'],
  ['succeeded', 'too-late'],
  ['failed', 'too-late'],
])('cancelling a task that is then %s is told as %s', async (status, kind) => {
  server.on('POST', /^\/v1\/predictions\/gm3.*\/cancel$/, saying(200, prediction({ status })))
  expect(await provider().cancel?.(TASK, 'replicate/flux-schnell', soon())).toEqual({ kind })
})

test.each<readonly [string, Act]>([
  ['404', problem(404, 'Not found')],
  ['500', problem(500, 'Broken')],
  ['silence', silent],
])('cancelling that is answered by %s tells nothing', async (_what, act) => {
  server.on('POST', /cancel$/, act)
  const told = await provider().cancel?.(TASK, 'replicate/flux-schnell', soon())
  expect(told).toMatchObject({ kind: 'unavailable' })
})

const lookUp = (callbackUrl: string | undefined = CALLBACK) =>
  provider().lookUp?.(
    { ...submitRequest({ model: 'replicate/flux-schnell' }), callbackUrl },
    TEST_NOW,
    soon(),
  )
const page = (next: string | null, ...results: readonly object[]) =>
  saying(200, { previous: null, next, results })

test('a task is found by our address, and by nothing that is only like it', async () => {
  server.on(
    'GET',
    /^\/v1\/predictions\?/,
    page(
      null,
      prediction({ id: 'other1', webhook: `${CALLBACK}/` }),
      prediction({ id: 'other2' }),
      prediction({ webhook: CALLBACK }),
    ),
  )
  expect(await lookUp()).toEqual({ kind: 'found', taskId: TASK })
  const asked = new URL(server.heard()[0]?.path ?? '', server.url).searchParams
  expect(Object.fromEntries(asked)).toEqual({
    created_after: '2025-12-31T23:59:00.000Z',
    created_before: '2026-01-01T00:10:00.000Z',
  })
})

test('a prediction of the same prompt and seed is not taken for ours', async () => {
  server.on('GET', /./, page(null, prediction()))
  expect(await lookUp()).toMatchObject({ kind: 'absent' })
})

test('without an address of ours nothing is looked for', async () => {
  const told = await provider().lookUp?.(
    submitRequest({ model: 'replicate/flux-schnell' }),
    TEST_NOW,
    soon(),
  )
  expect(told).toMatchObject({ kind: 'absent' })
  expect(server.heard()).toEqual([])
})

test('the search goes on from page to page, but not to another host', async () => {
  server.on(
    'GET',
    /./,
    page(`${server.url}/v1/predictions?cursor=2`, prediction({ id: 'other' })),
    page('http://elsewhere.example/v1/predictions?cursor=3'),
  )
  expect(await lookUp()).toMatchObject({ kind: 'unavailable' })
  expect(server.heard().map(({ path }) => path)).toHaveLength(2)
})

test('a list without end is given up, which proves nothing', async () => {
  server.on('GET', /./, page(`${server.url}/v1/predictions?cursor=again`))
  expect(await lookUp()).toMatchObject({ kind: 'unavailable' })
  expect(server.heard().length).toBeLessThanOrEqual(10)
})

test.each(failedLooks)('a search answered by %s found nothing out', async (_what, act) => {
  server.on('GET', /./, act)
  expect(await lookUp()).toMatchObject({ kind: 'unavailable' })
})
