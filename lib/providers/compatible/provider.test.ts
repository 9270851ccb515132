import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import { ModelId } from '@/lib/domain/generation'
import { priceModels } from '@/lib/providers/prices'
import { saying, startScriptedServer, unusedAddress, type Act } from '@/test/scripted-server'
import type { ScriptedServer } from '@/test/scripted-server'
import { ATTEMPT_ID, jsonOf, submitRequest } from '@/test/submit-request'
import { TEST_NOW, unanswered } from '@/test/unanswered'
import { compatible } from './kind'
import { createCompatibleProvider } from './provider'

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const UPSTREAM = 'black-forest-labs/FLUX.1-schnell'
const MODEL = 'compatible/black-forest-labs-flux.1-schnell'
const IMAGE = Buffer.from('a picture')
const BASE64 = IMAGE.toString('base64')

const provider = (baseUrl = `${server.url}/v1`, apiKey: string | undefined = 'sk-of-the-tests') =>
  createCompatibleProvider({ baseUrl, apiKey, models: [UPSTREAM], now: () => TEST_NOW })
const signal = () => AbortSignal.timeout(1_000)
const submit = async (overrides = {}, baseUrl?: string) =>
  (await provider(baseUrl).submit(submitRequest({ model: MODEL, ...overrides }), signal())).outcome
const answer = (act: Act) => server.on('POST', /./, act)
const error = (status: number, code: string | null) =>
  saying(status, { error: { message: 'why', type: 'some_error', code } }, { 'retry-after': '2' })

describe('a submission', () => {
  test('asks for the model as its server calls it, and for no more than every server knows', async () => {
    answer(saying(200, { data: [{ b64_json: BASE64 }] }))
    const settings = { width: 1536, height: 1024 }
    expect(await submit({ settings })).toEqual({ kind: 'made', image: IMAGE })
    expect(server.posts()).toBe(1)
    const [heard] = server.heard()
    expect(heard?.path).toBe('/v1/images/generations')
    expect(heard?.headers).toMatchObject({
      authorization: 'Bearer sk-of-the-tests',
      'x-client-request-id': ATTEMPT_ID,
    })
    expect(jsonOf(heard)).toEqual({
      model: UPSTREAM,
      prompt: 'a red fox in the snow',
      n: 1,
      size: '1536x1024',
    })
  })

  test('to a server without keys carries none', async () => {
    answer(saying(200, { data: [{ b64_json: BASE64 }] }))
    const keyless = createCompatibleProvider({
      baseUrl: server.url,
      apiKey: undefined,
      models: [UPSTREAM],
      now: () => TEST_NOW,
    })
    await keyless.submit(submitRequest({ model: MODEL }), signal())
    expect(server.heard()[0]?.headers).not.toHaveProperty('authorization')
  })

  test.each<readonly [string, object, object]>([
    [
      'an address',
      { url: 'http://10.0.0.7/a.png' },
      { kind: 'made-at', result: { url: 'http://10.0.0.7/a.png' } },
    ],
    ['both', { url: 'http://10.0.0.7/a.png', b64_json: BASE64 }, { kind: 'made', image: IMAGE }],
    ['a data address', { url: `data:image/png;base64,${BASE64}` }, { kind: 'made', image: IMAGE }],
    [
      'a data address in the place of base64',
      { b64_json: `data:image/png;base64,${BASE64}`, url: null },
      { kind: 'made', image: IMAGE },
    ],
  ])('that is answered with %s is made', async (_what, one, outcome) => {
    answer(saying(200, { data: [one] }))
    expect(await submit()).toEqual(outcome)
  })

  test('that is answered with a part of an address is made at that server', async () => {
    answer(saying(200, { data: [{ url: '/generated/a.png' }] }))
    const url = `${server.url}/generated/a.png`
    expect(await submit()).toEqual({ kind: 'made-at', result: { url } })
    expect(provider().trustedOrigins).toEqual([server.url])
  })

  test.each<readonly [string, unknown]>([
    ['no image', { data: [] }],
    ['an image of nothing', { data: [{}] }],
    ['an image that is none', { data: [{ b64_json: '?' }] }],
    ['an address that is none', { data: [{ url: 'http://' }] }],
    ['an address beyond measure', { data: [{ url: `http://x/${'a'.repeat(5_000)}` }] }],
  ])('that is answered 200 with %s tells nothing', async (_what, body) => {
    answer(saying(200, body))
    expect((await submit()).kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })

  test.each(unanswered)('answered by %s is unknown, and was sent once', async (_what, act) => {
    answer(act)
    expect((await submit()).kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })

  test('to where nobody listens was not sent', async () => {
    expect(await submit({}, await unusedAddress())).toMatchObject({ kind: 'rejected-for-now' })
  })

  test.each<readonly [number, string | null, object]>([
    [400, 'invalid_value', { kind: 'rejected', failure: { code: 'invalid_input' } }],
    [422, null, { kind: 'rejected', failure: { code: 'invalid_input' } }],
    [400, 'content_policy_violation', { kind: 'rejected', failure: { code: 'moderated' } }],
    [401, 'invalid_api_key', { kind: 'rejected', oursToMend: true }],
    [402, null, { kind: 'rejected', oursToMend: true }],
    [404, 'model_not_found', { kind: 'rejected', oursToMend: true }],
    [429, 'insufficient_quota', { kind: 'rejected', oursToMend: true }],
    [429, 'rate_limit_exceeded', { kind: 'rejected-for-now', retryAfterMs: 2_000 }],
    [409, null, { kind: 'unknown' }],
    [500, null, { kind: 'unknown' }],
    [503, null, { kind: 'unknown' }],
  ])('answered %i %s is judged as OpenAI documents it', async (status, code, outcome) => {
    answer(error(status, code))
    expect(await submit()).toMatchObject(outcome)
    expect(server.posts()).toBe(1)
  })

  test('of a model that the operator does not name any more is not sent', async () => {
    const outcome = await submit({ model: 'compatible/gone' })
    expect(outcome).toMatchObject({ kind: 'rejected', failure: { code: 'provider_unavailable' } })
    expect(server.posts()).toBe(0)
  })
})

test('nothing is promised about a lost answer, and there is nothing to look at', async () => {
  expect(provider().capabilities(MODEL)).toMatchObject({
    answers: 'at-once',
    idempotentForMs: undefined,
    lookup: undefined,
    callback: undefined,
  })
  const observed = provider().observe(TaskId.parse('x'), MODEL, signal())
  expect(await observed).toMatchObject({ kind: 'missing' })
})

describe('an operator', () => {
  const BASE = { COMPATIBLE_BASE_URL: 'http://10.0.0.7:8080/v1/' }

  test('names the models, each of which gets an id and a price', () => {
    const opened = compatible.open({
      ...BASE,
      COMPATIBLE_MODELS: ` ${UPSTREAM} , sdxl,`,
      COMPATIBLE_NAME: 'the machine in the cellar',
    })
    const models = opened.models()
    expect(
      models.map(({ id, name, description }) => [ModelId.parse(id), name, description]),
    ).toEqual([
      [MODEL, UPSTREAM, 'Served by the machine in the cellar.'],
      ['compatible/sdxl', 'sdxl', 'Served by the machine in the cellar.'],
    ])
    const prices = { [MODEL]: 9 }
    expect(priceModels(models, prices).map(({ priceCredits }) => priceCredits)).toEqual([9, 5])
    expect(priceModels(models, { 'compatible/*': 2 })[0]?.priceCredits).toBe(2)
  })

  test.each<readonly [string, Record<string, string>]>([
    ['no models', BASE],
    ['no address', { COMPATIBLE_MODELS: 'sdxl' }],
    ['an empty list', { ...BASE, COMPATIBLE_MODELS: ' , ' }],
    ['two models with one id', { ...BASE, COMPATIBLE_MODELS: 'a/b,a b' }],
    ['an address of another kind', { COMPATIBLE_BASE_URL: 'ftp://x', COMPATIBLE_MODELS: 'sdxl' }],
  ])('is told of %s', (_what, source) => {
    expect(compatible.environment.safeParse(source).success).toBe(false)
  })

  test('who configures nothing offers nothing', () => {
    const opened = compatible.open({})
    expect(opened.isConfigured).toBe(false)
    expect(opened.models()).toEqual([])
    expect(compatible.keys).toEqual(['COMPATIBLE_API_KEY'])
  })
})
