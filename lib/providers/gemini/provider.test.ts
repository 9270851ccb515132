import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import { saying, startScriptedServer, unusedAddress, type Act } from '@/test/scripted-server'
import type { ScriptedServer } from '@/test/scripted-server'
import { ATTEMPT_ID, jsonOf, submitRequest } from '@/test/submit-request'
import { failedLooks, retryAfters, TEST_NOW, unanswered } from '@/test/unanswered'
import { gemini } from './kind'
import { geminiModelFacts } from './models'
import { createGeminiProvider } from './provider'

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const KEY = 'AIza-key-of-the-tests'
const AT_ONCE = 'gemini/gemini-nano-banana-2.1'
const BACKGROUND = 'gemini/gemini-nano-banana-2.1-background'
const TASK = TaskId.parse('v1_0001')
const IMAGE = Buffer.from('a picture')
const BASE64 = IMAGE.toString('base64')

const provider = (baseUrl = server.url, hasWebhook = true) =>
  createGeminiProvider({ baseUrl, apiKey: KEY, hasWebhook, now: () => TEST_NOW })
const signal = () => AbortSignal.timeout(1_000)
const submit = (model: string, overrides = {}, baseUrl?: string) =>
  provider(baseUrl).submit(submitRequest({ model, ...overrides }), signal())
const answer = (...acts: readonly Act[]) => server.on('POST', /./, ...acts)
const error = (status: number, name: string, more = {}, headers = {}) =>
  saying(status, { error: { code: status, message: 'why', status: name, ...more } }, headers)
const content = (part: object, more = {}) => ({
  candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', ...more }],
})
const inline = { inlineData: { mimeType: 'image/png', data: BASE64 } }
const made = saying(200, { ...content(inline), usageMetadata: { totalTokenCount: 1_126 } })
const accepted = saying(200, { id: TASK, object: 'interaction', status: 'in_progress' })

const surfaces: readonly (readonly [string, Act, object])[] = [
  [AT_ONCE, made, { kind: 'made', image: IMAGE }],
  [BACKGROUND, accepted, { kind: 'accepted', taskId: TASK }],
]

describe.each(surfaces)('a submission of %s', (model, success, outcome) => {
  test('is one POST that carries the key in a header, and tells no key', async () => {
    answer(success)
    const report = await submit(model)
    expect(report.outcome).toEqual(outcome)
    expect(server.posts()).toBe(1)
    expect(server.heard()[0]?.headers).toMatchObject({
      'x-goog-api-key': KEY,
      'x-client-request-id': ATTEMPT_ID,
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

  test.each<readonly [string, object]>([
    ['of the older shape', { code: 400, message: 'why', status: 'INVALID_ARGUMENT' }],
    ['of the newer shape', { code: 'invalid_request', message: 'why' }],
  ])('refused with 400 %s made nothing', async (_shape, body) => {
    answer(saying(400, { error: body }))
    expect((await submit(model)).outcome).toMatchObject({
      kind: 'rejected',
      failure: { code: 'invalid_input' },
    })
    expect(server.posts()).toBe(1)
  })

  test.each<readonly [string, Act]>([
    ['a wrong key', error(400, 'INVALID_ARGUMENT', { details: [{ reason: 'API_KEY_INVALID' }] })],
    ['a key that expired', error(400, 'INVALID_ARGUMENT', { message: 'API key expired.' })],
    ['a country without a free tier', error(400, 'FAILED_PRECONDITION')],
    ['401', error(401, 'UNAUTHENTICATED')],
    ['403', error(403, 'PERMISSION_DENIED')],
    ['a model that is not there', error(404, 'NOT_FOUND')],
    [
      'used up credits',
      error(429, 'RESOURCE_EXHAUSTED', { message: 'Your prepayment credits are depleted.' }),
    ],
    [
      'a spending cap',
      error(429, 'RESOURCE_EXHAUSTED', { message: 'It has exceeded its monthly spending cap.' }),
    ],
    [
      'a plan without the model',
      error(429, 'RESOURCE_EXHAUSTED', { message: '* Quota exceeded, limit: 0, model: x' }),
    ],
  ])('refused for %s is ours to mend and is not sent again', async (_what, act) => {
    answer(act)
    expect((await submit(model)).outcome).toMatchObject({ kind: 'rejected', oursToMend: true })
    expect(server.posts()).toBe(1)
  })

  test.each(retryAfters)('that is asked to wait by %s waits', async (_what, header, ms) => {
    const headers = header === undefined ? {} : { 'retry-after': header }
    answer(error(429, 'RESOURCE_EXHAUSTED', { message: 'limit: 10' }, headers))
    expect((await submit(model)).outcome).toMatchObject({
      kind: 'rejected-for-now',
      retryAfterMs: ms,
    })
    expect(server.posts()).toBe(1)
  })

  test.each([
    ['34s', 34_000],
    ['0.5s', 500],
    ['soon', undefined],
  ])('that is asked in its details to wait (%s) waits', async (retryDelay, ms) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }]
    answer(error(429, 'RESOURCE_EXHAUSTED', { details }))
    expect((await submit(model)).outcome).toMatchObject({
      kind: 'rejected-for-now',
      retryAfterMs: ms,
    })
  })

  test.each([408, 409, 499, 502, 503, 504])(
    'answered %i with an error of Google’s shape is unknown all the same',
    async (status) => {
      answer(error(status, 'UNAVAILABLE'))
      expect((await submit(model)).outcome.kind).toBe('unknown')
      expect(server.posts()).toBe(1)
    },
  )
})

describe('generateContent', () => {
  test('is asked for exactly the shape, and for nothing that was not given', async () => {
    answer(made)
    const { usage } = await submit(AT_ONCE, { settings: { width: 1376, height: 768 } })
    const [heard] = server.heard()
    expect(heard?.path).toBe('/v1beta/models/gemini-nano-banana-2.1:generateContent')
    expect(jsonOf(heard)).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'a red fox in the snow' }] }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        imageConfig: { aspectRatio: '16:9', imageSize: '1K' },
      },
    })
    expect(usage.cost).toEqual({ amount: 1_126, unit: 'tokens' })
  })

  test('is given the images to go by within the one POST', async () => {
    answer(made)
    const bytes = Buffer.from('an image')
    await submit(AT_ONCE, { referenceImages: [{ contentType: 'image/webp', bytes }] })
    expect(jsonOf(server.heard()[0])).toMatchObject({
      contents: [
        {
          parts: [
            { text: 'a red fox in the snow' },
            { inlineData: { mimeType: 'image/webp', data: 'YW4gaW1hZ2U=' } },
          ],
        },
      ],
    })
  })

  test('hands out the picture and not what it drew while thinking', async () => {
    const thought = {
      thought: true,
      inlineData: { mimeType: 'image/png', data: Buffer.from('a sketch').toString('base64') },
    }
    const parts = [thought, { text: 'Here it is.' }, inline, thought]
    answer(saying(200, { candidates: [{ content: { parts }, finishReason: 'STOP' }] }))
    expect((await submit(AT_ONCE)).outcome).toEqual({ kind: 'made', image: IMAGE })
  })

  test.each(['SAFETY', 'OTHER', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'IMAGE_SAFETY'])(
    'that blocks the prompt (%s) has failed, moderated',
    async (blockReason) => {
      answer(saying(200, { promptFeedback: { blockReason } }))
      expect((await submit(AT_ONCE)).outcome).toMatchObject({
        kind: 'failed',
        failure: { code: 'moderated' },
      })
      expect(server.posts()).toBe(1)
    },
  )

  test.each([
    ['SAFETY', 'moderated'],
    ['BLOCKLIST', 'moderated'],
    ['PROHIBITED_CONTENT', 'moderated'],
    ['SPII', 'moderated'],
    ['RECITATION', 'moderated'],
    ['IMAGE_SAFETY', 'moderated'],
    ['IMAGE_PROHIBITED_CONTENT', 'moderated'],
    ['IMAGE_RECITATION', 'moderated'],
    ['STOP', 'unusable_result'],
    ['MAX_TOKENS', 'unusable_result'],
    ['LANGUAGE', 'unusable_result'],
    ['OTHER', 'unusable_result'],
    ['NO_IMAGE', 'unusable_result'],
    ['IMAGE_OTHER', 'unusable_result'],
    ['A_REASON_OF_NEXT_YEAR', 'unusable_result'],
  ])('that stops without an image (%s) has failed: %s', async (finishReason, code) => {
    answer(saying(200, content({ text: 'I cannot.' }, { finishReason })))
    expect((await submit(AT_ONCE)).outcome).toMatchObject({ kind: 'failed', failure: { code } })
    expect(server.posts()).toBe(1)
  })

  test.each<readonly [string, object]>([
    ['no candidate', { candidates: [] }],
    ['no reason', { candidates: [{ content: { parts: [{ text: 'hm' }] } }] }],
    [
      'an image that is none',
      { candidates: [{ content: { parts: [{ inlineData: { data: '?' } }] } }] },
    ],
  ])('that answers 200 with %s tells nothing', async (_what, body) => {
    answer(saying(200, body))
    expect((await submit(AT_ONCE)).outcome.kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })

  test('that breaks in the documented way has failed free of charge, and is not sent again', async () => {
    answer(error(500, 'INTERNAL'))
    expect((await submit(AT_ONCE)).outcome).toMatchObject({
      kind: 'failed',
      failure: { code: 'provider_failed' },
      evidence: { httpStatus: 500, errorCode: 'INTERNAL' },
    })
    expect(server.posts()).toBe(1)
  })

  test('promises nothing about a lost answer', async () => {
    expect(provider().capabilities(AT_ONCE)).toMatchObject({
      answers: 'at-once',
      callback: undefined,
      lookup: undefined,
    })
    expect(await provider().observe(TASK, AT_ONCE, signal())).toMatchObject({ kind: 'missing' })
  })
})

describe('an interaction', () => {
  test('is asked for in the background, kept, under our reference and with our address', async () => {
    answer(accepted)
    const bytes = Buffer.from('an image')
    const callbackUrl = 'http://127.0.0.1/api/callbacks/gemini/token'
    await submit(BACKGROUND, {
      callbackUrl,
      settings: { width: 768, height: 1376 },
      referenceImages: [{ contentType: 'image/png', bytes }],
    })
    const [heard] = server.heard()
    expect(heard?.path).toBe('/v1beta/interactions')
    expect(heard?.headers['api-revision']).toBe('2026-05-20')
    expect(jsonOf(heard)).toEqual({
      model: 'gemini-nano-banana-2.1',
      input: [
        { type: 'text', text: 'a red fox in the snow' },
        { type: 'image', mime_type: 'image/png', data: 'YW4gaW1hZ2U=' },
      ],
      background: true,
      store: true,
      response_format: { type: 'image', aspect_ratio: '9:16', image_size: '1K' },
      labels: { attempt: ATTEMPT_ID },
      webhook_config: { uris: [callbackUrl], user_metadata: { attempt_id: ATTEMPT_ID } },
    })
  })

  test('is asked for without a callback that could not be checked', async () => {
    answer(accepted)
    const unchecked = provider(server.url, false)
    const callbackUrl = 'http://127.0.0.1/api/callbacks/gemini/token'
    await unchecked.submit(submitRequest({ model: BACKGROUND, callbackUrl }), signal())
    expect(jsonOf(server.heard()[0])).not.toHaveProperty('webhook_config')
    expect(unchecked.capabilities(BACKGROUND).callback).toBeUndefined()
    expect(provider().capabilities(BACKGROUND).callback).toBe('attempt')
  })

  test('that is answered with 500 may have begun', async () => {
    answer(error(500, 'INTERNAL'))
    expect((await submit(BACKGROUND)).outcome.kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })
})

const picture = { type: 'image', mime_type: 'image/png', data: BASE64 }
const interaction = (overrides: object) => ({ id: TASK, status: 'completed', ...overrides })
const output = (...contents: readonly object[]) => ({
  steps: [
    { type: 'user_input', content: [{ type: 'image', data: 'c2VudCBpbg==' }] },
    { type: 'model_output', content: contents },
  ],
})
const look = (act: Act) => server.on('GET', /^\/v1beta\/interactions\/v1_0001$/, act)
const observe = () => provider().observe(TASK, BACKGROUND, signal())

describe('a look at an interaction', () => {
  test.each<readonly [string, object, object]>([
    ['queued', { status: 'queued' }, { kind: 'pending' }],
    ['in progress', { status: 'in_progress' }, { kind: 'pending' }],
    ['waiting for us', { status: 'requires_action' }, { kind: 'pending' }],
    ['to be continued', { status: 'requires_continuation' }, { kind: 'pending' }],
    [
      'completed',
      { ...output(picture), usage: { total_tokens: 9 } },
      { kind: 'succeeded', result: { from: 'task' }, cost: { amount: 9, unit: 'tokens' } },
    ],
    [
      'completed without a picture of its own',
      output({ type: 'text', text: 'I cannot.' }),
      { kind: 'failed', failure: { code: 'unusable_result' } },
    ],
    [
      'completed with a picture elsewhere',
      output({ type: 'image', uri: 'gs://somewhere' }),
      { kind: 'unavailable' },
    ],
    [
      'failed',
      { status: 'failed', errors: [{ code: 'x', message: 'it broke' }] },
      { kind: 'failed', failure: { code: 'provider_failed' } },
    ],
    [
      'failed silently',
      { status: 'failed' },
      { kind: 'failed', failure: { code: 'provider_failed' } },
    ],
    ['cancelled', { status: 'cancelled' }, { kind: 'failed', failure: { code: 'cancelled' } }],
    ['incomplete', { status: 'incomplete' }, { kind: 'unavailable' }],
    ['out of budget', { status: 'budget_exceeded' }, { kind: 'unavailable' }],
    ['pondering', { status: 'pondering' }, { kind: 'unavailable' }],
    ['somebody else’s', { id: 'v1_0002' }, { kind: 'unavailable' }],
  ])('that is %s tells that', async (_what, overrides, expected) => {
    look(saying(200, interaction(overrides)))
    expect(await observe()).toMatchObject(expected)
  })

  test('that Google does not know is missing, which proves nothing', async () => {
    look(error(404, 'NOT_FOUND'))
    expect(await observe()).toMatchObject({ kind: 'missing' })
  })

  test.each(failedLooks)('answered by %s failed, and says nothing of it', async (_what, act) => {
    look(act)
    expect(await observe()).toMatchObject({ kind: 'unavailable' })
  })
})

describe('the picture of an interaction', () => {
  const fetchOutput = () => provider().fetchOutput?.(TASK, BACKGROUND, signal())

  test('is handed out as bytes', async () => {
    look(saying(200, interaction(output({ type: 'text', text: 'Here.' }, picture))))
    expect(await fetchOutput()).toEqual({ ok: true, bytes: IMAGE })
  })

  test.each<readonly [string, Act, boolean]>([
    ['gone when Google has forgotten it', error(404, 'NOT_FOUND'), true],
    ['asked for again when Google is down', saying(503), false],
    ['asked for again when there is none', saying(200, interaction({})), false],
  ])('is %s', async (_what, act, gone) => {
    look(act)
    expect(await fetchOutput()).toMatchObject({ ok: false, gone })
  })
})

describe('a wish to cancel', () => {
  const cancel = () => provider().cancel?.(TASK, BACKGROUND, signal())
  const toCancel = (act: Act) => server.on('POST', /^\/v1beta\/interactions\/v1_0001\/cancel$/, act)

  test.each([
    ['cancelled', 'cancelled'],
    ['in_progress', 'asked'],
    ['completed', 'too-late'],
    ['failed', 'too-late'],
  ])('that finds it %s is %s', async (status, kind) => {
    toCancel(saying(200, interaction({ status })))
    expect(await cancel()).toMatchObject({ kind })
  })

  test.each<readonly [string, Act]>([
    ['400', error(400, 'FAILED_PRECONDITION')],
    ['404', error(404, 'NOT_FOUND')],
    ['nothing', saying(200, {})],
  ])('that is answered by %s says nothing', async (_what, act) => {
    toCancel(act)
    expect(await cancel()).toMatchObject({ kind: 'unavailable' })
  })
})

test('every size is asked for by an aspect ratio of its own', async () => {
  answer(made)
  const [facts] = geminiModelFacts(false)
  for (const settings of facts?.sizes ?? []) await submit(AT_ONCE, { settings })
  const ratios = server
    .heard()
    .map((heard) => /"aspectRatio":"([^"]+)"/.exec(heard.body.toString())?.[1])
  expect(new Set(ratios).size).toBe(facts?.sizes.length)
})

test('models in the background are offered only where the operator says that they work', () => {
  const idsOf = (source: Record<string, string>) =>
    gemini
      .open(source)
      .models()
      .map(({ id }) => id)
  expect(idsOf({})).not.toContain(BACKGROUND)
  expect(idsOf({ GEMINI_BACKGROUND: 'on' })).toContain(BACKGROUND)
})

test('a model that is not offered any more is not asked for', async () => {
  expect((await submit('gemini/gemini-2.5-flash-image')).outcome).toMatchObject({
    kind: 'rejected',
    failure: { code: 'provider_unavailable' },
  })
  expect(server.posts()).toBe(0)
})
