import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import { saying, startScriptedServer, unusedAddress, type Act } from '@/test/scripted-server'
import type { ScriptedServer } from '@/test/scripted-server'
import { ATTEMPT_ID, jsonOf, submitRequest } from '@/test/submit-request'
import { failedLooks, retryAfters, TEST_NOW, unanswered } from '@/test/unanswered'
import { openAiModelFacts } from './models'
import { createOpenAiProvider } from './provider'

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const KEY = 'sk-key-of-the-tests'
const AT_ONCE = 'openai/gpt-image-2'
const BACKGROUND = 'openai/gpt-image-2-background'
const TASK = TaskId.parse('resp_0001')
const IMAGE = Buffer.from('a picture')
const BASE64 = IMAGE.toString('base64')

const provider = (baseUrl = server.url, hasWebhook = true) =>
  createOpenAiProvider({
    baseUrl,
    apiKey: KEY,
    responsesModel: 'gpt-5.6-luna',
    hasWebhook,
    now: () => TEST_NOW,
  })
const signal = () => AbortSignal.timeout(1_000)
const submit = (model: string, overrides = {}, baseUrl?: string) =>
  provider(baseUrl).submit(submitRequest({ model, ...overrides }), signal())
const answer = (...acts: readonly Act[]) => server.on('POST', /./, ...acts)
const error = (
  status: number,
  body: { code?: string | null; type?: string; message?: string; moderation_details?: object },
  headers = {},
) =>
  saying(
    status,
    { error: { message: 'why', type: 'invalid_request_error', param: null, code: null, ...body } },
    headers,
  )
const made = saying(200, {
  created: 1,
  data: [{ b64_json: BASE64 }],
  usage: { total_tokens: 1_076 },
})
const accepted = saying(200, { id: TASK, object: 'response', status: 'queued', output: [] })

const surfaces: readonly (readonly [string, Act, object])[] = [
  [AT_ONCE, made, { kind: 'made', image: IMAGE }],
  [BACKGROUND, accepted, { kind: 'accepted', taskId: TASK }],
]

describe.each(surfaces)('a submission of %s', (model, success, outcome) => {
  test('is one POST that carries the key and our name for it, and tells no key', async () => {
    answer(success)
    const report = await submit(model)
    expect(report.outcome).toEqual(outcome)
    expect(server.posts()).toBe(1)
    expect(server.heard()[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-client-request-id': ATTEMPT_ID,
      'content-type': 'application/json',
    })
    expect(JSON.stringify(report)).not.toContain(KEY)
  })

  test.each(unanswered)('answered by %s is unknown, and was sent once', async (_what, act) => {
    answer(act)
    expect((await submit(model)).outcome.kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })

  test('to where nobody listens was not sent', async () => {
    const { outcome: unsent } = await submit(model, {}, await unusedAddress())
    expect(unsent).toMatchObject({ kind: 'rejected-for-now' })
  })

  test.each([400, 413, 415, 422])('refused with %i made nothing', async (status) => {
    answer(error(status, { code: 'invalid_value', message: 'size is wrong' }))
    const { outcome: refused } = await submit(model)
    expect(refused).toMatchObject({
      kind: 'rejected',
      failure: { code: 'invalid_input' },
      evidence: { httpStatus: status, errorCode: 'invalid_value' },
    })
    expect(JSON.stringify(refused)).toContain('did not accept the input: size is wrong')
    expect(server.posts()).toBe(1)
  })

  test.each<readonly [number, string | null]>([
    [401, 'invalid_api_key'],
    [401, null],
    [402, null],
    [403, 'unsupported_country_region_territory'],
    [404, 'model_not_found'],
    [429, 'credit_balance_exhausted'],
    [429, 'organization_spend_limit_exceeded'],
    [429, 'project_spend_limit_exceeded'],
    [429, 'organization_usage_limit_exceeded'],
    [429, 'insufficient_quota'],
    [400, 'billing_hard_limit_reached'],
  ])('refused with %i %s is ours to mend and is not sent again', async (status, code) => {
    answer(error(status, { code }, { 'retry-after': '1' }))
    expect((await submit(model)).outcome).toMatchObject({ kind: 'rejected', oursToMend: true })
    expect(server.posts()).toBe(1)
  })

  test('refused for an exhausted quota that only its type names is ours to mend', async () => {
    answer(error(429, { type: 'insufficient_quota' }))
    expect((await submit(model)).outcome).toMatchObject({ kind: 'rejected', oursToMend: true })
  })

  test.each(['moderation_blocked', 'content_policy_violation'])(
    'refused with %s is moderated',
    async (code) => {
      answer(error(400, { code, type: 'image_generation_user_error' }))
      expect((await submit(model)).outcome).toMatchObject({
        kind: 'rejected',
        failure: { code: 'moderated' },
      })
    },
  )

  test('whose image was made and withheld has failed, moderated', async () => {
    const moderation_details = { moderation_stage: 'output', categories: ['violence'] }
    answer(error(400, { code: 'moderation_blocked', moderation_details }))
    expect((await submit(model)).outcome).toMatchObject({
      kind: 'failed',
      failure: { code: 'moderated' },
    })
  })

  test.each(retryAfters)('that is asked to wait by %s waits', async (_what, header, ms) => {
    answer(
      error(
        429,
        { code: 'rate_limit_exceeded', type: 'requests' },
        header === undefined ? {} : { 'retry-after': header },
      ),
    )
    expect((await submit(model)).outcome).toMatchObject({
      kind: 'rejected-for-now',
      retryAfterMs: ms,
    })
    expect(server.posts()).toBe(1)
  })

  test.each([405, 408, 409, 500, 502, 503, 504])(
    'answered %i with an error of OpenAI’s shape is unknown all the same',
    async (status) => {
      answer(error(status, { type: 'server_error' }))
      expect((await submit(model)).outcome.kind).toBe('unknown')
      expect(server.posts()).toBe(1)
    },
  )
})

describe('the Images API', () => {
  test('is asked for exactly the pixels and the quality, and for nothing that was not given', async () => {
    answer(made)
    const settings = { width: 1536, height: 864, quality: 'low' }
    const { usage } = await submit('openai/gpt-image-2.6-flare', { settings })
    expect(server.heard()[0]?.path).toBe('/images/generations')
    expect(jsonOf(server.heard()[0])).toEqual({
      model: 'gpt-image-2.6-flare',
      prompt: 'a red fox in the snow',
      n: 1,
      size: '1536x864',
      quality: 'low',
      output_format: 'png',
    })
    expect(usage.cost).toEqual({ amount: 1_076, unit: 'tokens' })
    await submit(AT_ONCE)
    expect(jsonOf(server.heard()[1])).not.toHaveProperty('quality')
  })

  test('is given the images to go by in one multipart POST to the edits', async () => {
    answer(made)
    const prompt = 'two\nlines'
    const bytes = Buffer.from([13, 10, 0, 255])
    const { outcome } = await submit(AT_ONCE, {
      prompt,
      referenceImages: [
        { contentType: 'image/png', bytes },
        { contentType: 'image/jpeg', bytes: Buffer.from('second') },
      ],
    })
    expect(outcome).toMatchObject({ kind: 'made' })
    expect(server.posts()).toBe(1)
    const [heard] = server.heard()
    expect(heard?.path).toBe('/images/edits')
    const form = await new Response(new Uint8Array(heard?.body ?? []), {
      headers: { 'content-type': heard?.headers['content-type'] ?? '' },
    }).formData()
    expect(form.get('prompt')).toBe(prompt)
    expect(form.get('size')).toBe('1024x1024')
    const files = form.getAll('image[]').filter((one) => one instanceof File)
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      ['reference-1.png', 'image/png'],
      ['reference-2.jpg', 'image/jpeg'],
    ])
    expect(Buffer.from((await files[0]?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(bytes)
  })

  test.each<readonly [string, unknown]>([
    ['no image', { created: 1, data: [] }],
    ['an empty image', { data: [{ b64_json: '' }] }],
    ['an image that is no base64', { data: [{ b64_json: '<html>' }] }],
    ['an address, which it never gives', { data: [{ url: 'https://example.com/a.png' }] }],
  ])('that answers 200 with %s was paid and tells nothing', async (_what, body) => {
    answer(saying(200, body))
    expect((await submit(AT_ONCE)).outcome.kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })

  test('promises nothing about a lost answer, and waits long for it', async () => {
    expect(provider().capabilities(AT_ONCE)).toMatchObject({
      answers: 'at-once',
      idempotentForMs: undefined,
      lookup: undefined,
      callback: undefined,
    })
    expect(provider().submitTimeoutMs(AT_ONCE)).toBe(600_000)
    expect(await provider().observe(TASK, AT_ONCE, signal())).toMatchObject({ kind: 'missing' })
    expect(server.heard()).toEqual([])
  })
})

describe('the Responses API', () => {
  test('is asked for one image in the background, kept, under our reference', async () => {
    answer(accepted)
    const bytes = Buffer.from('an image')
    await submit(BACKGROUND, {
      settings: { width: 1024, height: 1536, quality: 'medium' },
      referenceImages: [{ contentType: 'image/webp', bytes }],
    })
    expect(server.heard()[0]?.path).toBe('/responses')
    expect(jsonOf(server.heard()[0])).toMatchObject({
      model: 'gpt-5.6-luna',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'a red fox in the snow' },
            { type: 'input_image', image_url: 'data:image/webp;base64,YW4gaW1hZ2U=' },
          ],
        },
      ],
      background: true,
      store: true,
      metadata: { attempt_id: ATTEMPT_ID },
      tools: [
        { type: 'image_generation', model: 'gpt-image-2', size: '1024x1536', quality: 'medium' },
      ],
      tool_choice: 'required',
      max_tool_calls: 1,
    })
  })

  test.each([{ id: '' }, { id: 7 }, { object: 'response', status: 'queued' }])(
    'that answers 200 with %j may have begun, and is not asked again',
    async (body) => {
      answer(saying(200, body))
      expect((await submit(BACKGROUND)).outcome.kind).toBe('unknown')
      expect(server.posts()).toBe(1)
    },
  )

  test('can bring a lost answer back only where the project’s webhook calls us', () => {
    const capabilities = (hasWebhook: boolean) =>
      provider(server.url, hasWebhook).capabilities(BACKGROUND)
    expect(capabilities(true)).toMatchObject({ answers: 'later', callback: 'project' })
    expect(capabilities(false).callback).toBeUndefined()
    expect(capabilities(true)).toMatchObject({ idempotentForMs: undefined, lookup: undefined })
  })
})

const image = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: BASE64 }
const response = (overrides: object) => ({
  id: TASK,
  object: 'response',
  status: 'completed',
  output: [],
  error: null,
  incomplete_details: null,
  metadata: { attempt_id: ATTEMPT_ID },
  usage: null,
  ...overrides,
})
const look = (act: Act) => server.on('GET', /^\/responses\/resp_0001$/, act)
const observe = () => provider().observe(TASK, BACKGROUND, signal())

describe('a look at a response', () => {
  test.each<readonly [string, object, object]>([
    ['queued', { status: 'queued' }, { kind: 'pending' }],
    ['in progress', { status: 'in_progress' }, { kind: 'pending' }],
    [
      'completed',
      { output: [{ type: 'reasoning' }, image], usage: { total_tokens: 9 } },
      { kind: 'succeeded', result: { from: 'task' }, cost: { amount: 9, unit: 'tokens' } },
    ],
    ['completed without an image', {}, { kind: 'failed', failure: { code: 'unusable_result' } }],
    [
      'completed with a failed call',
      { output: [{ ...image, status: 'failed', result: null }] },
      { kind: 'failed', failure: { code: 'unusable_result' } },
    ],
    [
      'completed with a refusal',
      { output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'no' }] }] },
      { kind: 'failed', failure: { code: 'moderated' } },
    ],
    [
      'failed',
      { status: 'failed', error: { code: 'server_error', message: 'it broke' } },
      { kind: 'failed', failure: { code: 'provider_failed' } },
    ],
    [
      'failed without a reason',
      { status: 'failed' },
      { kind: 'failed', failure: { code: 'provider_failed' } },
    ],
    [
      'failed for its content',
      { status: 'failed', error: { code: 'image_content_policy_violation', message: 'no' } },
      { kind: 'failed', failure: { code: 'moderated' } },
    ],
    ['cancelled', { status: 'cancelled' }, { kind: 'failed', failure: { code: 'cancelled' } }],
    [
      'incomplete',
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      { kind: 'failed', failure: { code: 'provider_failed' } },
    ],
    [
      'incomplete for its content',
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      { kind: 'failed', failure: { code: 'moderated' } },
    ],
    ['pondering', { status: 'pondering' }, { kind: 'unavailable' }],
    ['somebody else’s', { id: 'resp_0002' }, { kind: 'unavailable' }],
  ])('that is %s tells that', async (_what, overrides, expected) => {
    look(saying(200, response(overrides)))
    expect(await observe()).toMatchObject(expected)
  })

  test('that OpenAI does not know is missing, which proves nothing', async () => {
    look(error(404, { message: 'not found' }))
    expect(await observe()).toMatchObject({ kind: 'missing' })
  })

  test.each(failedLooks)('answered by %s failed, and says nothing of it', async (_what, act) => {
    look(act)
    expect(await observe()).toMatchObject({ kind: 'unavailable' })
  })

  test('that is asked to wait says so', async () => {
    look(error(429, {}, { 'retry-after': '33' }))
    expect(await observe()).toMatchObject({ kind: 'unavailable', retryAfterMs: 33_000 })
  })

  test('goes nowhere else, whatever the response is called', async () => {
    server.on('GET', /./, saying(500))
    await provider().observe(TaskId.parse('../models?x=1#y'), BACKGROUND, signal())
    expect(server.heard()[0]?.path).toBe('/responses/..%2Fmodels%3Fx%3D1%23y')
  })
})

describe('the image of a response', () => {
  const fetchOutput = () => provider().fetchOutput?.(TASK, BACKGROUND, signal())

  test('is handed out as bytes', async () => {
    look(saying(200, response({ output: [image] })))
    expect(await fetchOutput()).toEqual({ ok: true, bytes: IMAGE })
  })

  test('is gone when OpenAI does not know the response any more', async () => {
    look(error(404, {}))
    expect(await fetchOutput()).toMatchObject({ ok: false, gone: true })
  })

  test.each<readonly [string, Act]>([
    ['OpenAI is down', saying(503)],
    ['there is none yet', saying(200, response({ status: 'in_progress' }))],
  ])('is asked for again when %s', async (_what, act) => {
    look(act)
    expect(await fetchOutput()).toMatchObject({ ok: false, gone: false })
  })
})

describe('a response that a webhook named', () => {
  const referenceOf = () => provider().referenceOf?.(TASK, signal())

  test('says which attempt it is', async () => {
    look(saying(200, response({ status: 'in_progress' })))
    expect(await referenceOf()).toEqual({ kind: 'found', taskId: TASK, reference: ATTEMPT_ID })
  })

  test.each<readonly [string, Act, string]>([
    ['is of another program of the project', saying(200, response({ metadata: {} })), 'absent'],
    ['carries no metadata', saying(200, response({ metadata: null })), 'absent'],
    ['is not there', error(404, {}), 'absent'],
    ['cannot be read now', saying(503), 'unavailable'],
  ])('that %s names none', async (_what, act, kind) => {
    look(act)
    expect(await referenceOf()).toMatchObject({ kind })
  })
})

describe('a wish to cancel', () => {
  const cancel = () => provider().cancel?.(TASK, BACKGROUND, signal())
  const toCancel = (act: Act) => server.on('POST', /^\/responses\/resp_0001\/cancel$/, act)

  test.each([
    ['cancelled', 'cancelled'],
    ['queued', 'asked'],
    ['in_progress', 'asked'],
    ['completed', 'too-late'],
    ['failed', 'too-late'],
    ['incomplete', 'too-late'],
    ['pondering', 'unavailable'],
  ])('that finds it %s is %s', async (status, kind) => {
    toCancel(saying(200, response({ status })))
    expect(await cancel()).toMatchObject({ kind })
  })

  test.each<readonly [string, Act]>([
    ['400', error(400, { message: 'Cannot cancel a completed response.' })],
    ['404', error(404, {})],
    ['HTML', saying(200, '<html>')],
  ])('that is answered by %s says nothing', async (_what, act) => {
    toCancel(act)
    expect(await cancel()).toMatchObject({ kind: 'unavailable' })
  })
})

test('every model is asked for by a name and in sizes that OpenAI takes', async () => {
  server.on('POST', /images/, made)
  server.on('POST', /responses/, accepted)
  for (const { id, sizes } of openAiModelFacts) {
    for (const settings of sizes) await submit(id, { settings })
  }
  for (const heard of server.heard()) {
    const sent = JSON.stringify(jsonOf(heard))
    expect(sent).toMatch(/"model":"gpt-image-[0-9.]+(-flare|-sunburst)?"/)
    const [, width, height] = /"size":"(\d+)x(\d+)"/.exec(sent) ?? []
    expect([Number(width) % 16, Number(height) % 16]).toEqual([0, 0])
    expect(Number(width) * Number(height)).toBeGreaterThanOrEqual(655_360)
  }
})

test('a model that is not offered any more is not asked for', async () => {
  expect((await submit('openai/gpt-image-1')).outcome).toMatchObject({
    kind: 'rejected',
    failure: { code: 'provider_unavailable' },
  })
  expect(server.posts()).toBe(0)
})
