import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import { saying, startScriptedServer, unusedAddress, type Act } from '@/test/scripted-server'
import type { ScriptedServer } from '@/test/scripted-server'
import { ATTEMPT_ID, jsonOf, submitRequest } from '@/test/submit-request'
import { failedLooks, retryAfters, TEST_NOW, unanswered } from '@/test/unanswered'
import { ideogramModelFacts, IDEOGRAM_WIRE } from './models'
import { createIdeogramProvider } from './provider'

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const ID = 'xtdZiqPwRxqY1Y7NExFmzB'
const MODEL = 'ideogram/ideogram-4.5'
const provider = (baseUrl = server.url) =>
  createIdeogramProvider({ baseUrl, apiKey: 'key-of-the-tests', now: () => TEST_NOW })
const submit = (overrides = {}, baseUrl?: string) =>
  provider(baseUrl).submit(submitRequest({ model: MODEL, ...overrides }), AbortSignal.timeout(500))
const answer = (act: Act) => server.on('POST', /^\/v2\/image\/generate\//, act)
const accepted = saying(200, { generation_id: ID, generation_kind: 'sampling' })

describe('a submission', () => {
  test.each([
    [
      'ideogram/ideogram-4.5',
      { width: 1248, height: 832, quality: 'low', seed: 7 },
      '/v2/image/generate/ideogram-4-5',
      { size: '1248x832', quality: 'low', seed: 7 },
    ],
    [
      'ideogram/ideogram-3',
      { width: 768, height: 1344, quality: 'turbo', negativePrompt: 'fog' },
      '/v2/image/generate/ideogram-3',
      { resolution: '768x1344', rendering_speed: 'turbo', negative_prompt: 'fog' },
    ],
    [
      'ideogram/p-image',
      { width: 1216, height: 832, seed: 4_294_967_295 },
      '/v2/image/generate/p-image-ideogram',
      { custom_width: 1216, custom_height: 832, seed: 2_147_483_647 },
    ],
  ])('of %s is one POST with what was asked for', async (model, settings, path, fields) => {
    answer(accepted)
    const { outcome, usage } = await submit({
      model,
      settings,
      callbackUrl: 'http://127.0.0.1/api/callbacks/ideogram/token',
    })
    expect(outcome).toEqual({ kind: 'accepted', taskId: ID })
    expect(server.posts()).toBe(1)
    const [heard] = server.heard()
    expect(heard?.path).toBe(path)
    expect(heard?.headers).toMatchObject({
      'api-key': 'key-of-the-tests',
      'content-type': 'application/json',
      'x-client-request-id': ATTEMPT_ID,
    })
    expect(jsonOf(heard)).toEqual({
      prompt: 'a red fox in the snow',
      num_images: 1,
      async: true,
      webhook_url: 'http://127.0.0.1/api/callbacks/ideogram/token',
      ...fields,
    })
    expect(JSON.stringify({ outcome, usage })).not.toContain('key-of-the-tests')
  })

  test('with images to go by is a form with their bytes', async () => {
    answer(accepted)
    const image = { contentType: 'image/png', bytes: Buffer.from('bytes of an image') } as const
    await submit({ prompt: 'two\nlines', referenceImages: [image, image] })
    const [heard] = server.heard()
    const form = await new Response(new Uint8Array(heard?.body ?? []), {
      headers: { 'content-type': heard?.headers['content-type'] ?? '' },
    }).formData()
    expect(form.get('prompt')).toBe('two\nlines')
    expect(form.get('async')).toBe('true')
    expect(form.get('size')).toBe('1024x1024')
    expect(form.getAll('images')).toHaveLength(2)
    const file = form.get('images')
    expect(file instanceof Blob && (await file.text())).toBe('bytes of an image')
  })

  test('of a model that is not known any more is not sent', async () => {
    const { outcome } = await submit({ model: 'ideogram/gone' })
    expect(outcome).toMatchObject({ kind: 'rejected', failure: { code: 'provider_unavailable' } })
    expect(server.posts()).toBe(0)
  })

  test.each(unanswered)('answered by %s is unknown, and was sent once', async (_what, act) => {
    answer(act)
    expect((await submit()).outcome.kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })

  test.each<readonly [string, Act]>([
    ['without an id', saying(200, { data: [{ url: 'https://ideogram.ai/1.png' }] })],
    ['with an id that is none', saying(200, { generation_id: 'a/../b' })],
    ['409', saying(409, { error: 'conflict' })],
    ['418', saying(418, { error: 'teapot' })],
  ])('answered %s proves nothing', async (_what, act) => {
    answer(act)
    expect((await submit()).outcome.kind).toBe('unknown')
  })

  test('to where nobody listens was not sent', async () => {
    expect((await submit({}, await unusedAddress())).outcome.kind).toBe('rejected-for-now')
  })

  test.each([
    [400, { error: 'size must be a preset' }, 'invalid_input', false],
    [400, {}, 'invalid_input', false],
    [413, { error: 'too large' }, 'invalid_input', false],
    [422, { error: 'Prompt provided failed safety check.' }, 'moderated', false],
    [401, { error: 'no key' }, 'provider_unavailable', true],
    [402, { error: 'x', reject_reason: 'insufficient_funds' }, 'provider_unavailable', true],
    [402, { error: 'x', reject_reason: 'daily_limit' }, 'provider_unavailable', true],
    [403, { error: 'no access' }, 'provider_unavailable', true],
    [404, { error: 'no such model' }, 'provider_unavailable', true],
    [429, { error: 'x', reject_reason: 'insufficient_funds' }, 'provider_unavailable', true],
  ])('refused %i %j made nothing: %s', async (status, body, code, isOurs) => {
    answer(saying(status, body))
    const { outcome } = await submit()
    expect(outcome).toMatchObject({ kind: 'rejected', failure: { code } })
    expect('oursToMend' in outcome).toBe(isOurs)
    expect(server.posts()).toBe(1)
  })

  test.each(retryAfters)('asked to wait with %s is heard', async (_what, value, retryAfterMs) => {
    const headers: Record<string, string> = value === undefined ? {} : { 'retry-after': value }
    answer(saying(429, { error: 'x', reject_reason: 'inflight_limit' }, headers))
    expect((await submit()).outcome).toMatchObject({ kind: 'rejected-for-now', retryAfterMs })
    expect(server.posts()).toBe(1)
  })
})

describe('a generation', () => {
  const observe = (id = ID) => provider().observe(TaskId.parse(id), MODEL, AbortSignal.timeout(500))
  const look = (act: Act) => server.on('GET', /^\/v2\/generations\//, act)
  const generation = (fields: object) => saying(200, { generation_id: ID, created: 'x', ...fields })
  const image = { url: 'https://ideogram.ai/api/images/1.png', is_image_safe: true }

  test.each<readonly [string, object, object]>([
    ['is pending', { status: 'pending' }, { kind: 'pending' }],
    [
      'is completed',
      { status: 'completed', data: [image], usage_cost_usd_micros: 60_000 },
      {
        kind: 'succeeded',
        result: { url: image.url },
        cost: { amount: 0.06, unit: 'USD' },
      },
    ],
    [
      'is completed with an image that is withheld',
      { status: 'completed', data: [{ url: '', is_image_safe: false }] },
      { kind: 'failed', failure: { code: 'moderated' } },
    ],
    [
      'is completed with an image that is shown and unsafe all the same',
      { status: 'completed', data: [{ ...image, is_image_safe: false }] },
      { kind: 'failed', failure: { code: 'moderated' } },
    ],
    [
      'is completed with an image without an address',
      { status: 'completed', data: [{ url: null }] },
      { kind: 'failed', failure: { code: 'unusable_result' } },
    ],
    [
      'is completed without an image',
      { status: 'completed', data: [] },
      { kind: 'failed', failure: { code: 'unusable_result' } },
    ],
    [
      'is completed, and nothing is said of what came of it',
      { status: 'completed' },
      { kind: 'unavailable' },
    ],
    [
      'failed with a reason',
      { status: 'failed', failure_reason: 'the lamp broke' },
      {
        kind: 'failed',
        failure: {
          code: 'provider_failed',
          message: 'The image service could not make this image: the lamp broke',
        },
      },
    ],
    ['failed', { status: 'failed' }, { kind: 'failed', failure: { code: 'provider_failed' } }],
    ['is in a state that nobody documented', { status: 'pondering' }, { kind: 'unavailable' }],
  ])('that %s is observed as that', async (_what, fields, expected) => {
    look(generation(fields))
    expect(await observe()).toMatchObject(expected)
    expect(server.heard()[0]?.headers['api-key']).toBe('key-of-the-tests')
  })

  test('that is unknown is missing, which proves nothing', async () => {
    look(saying(404, { error: 'not found' }))
    expect(await observe()).toMatchObject({ kind: 'missing' })
  })

  test.each(failedLooks)('looked at in vain, by %s, is not thereby known', async (_what, act) => {
    look(act)
    expect(await observe()).toMatchObject({ kind: 'unavailable' })
  })

  test('is not looked at sooner than asked', async () => {
    look(saying(429, { error: 'too fast' }, { 'retry-after': '12' }))
    expect(await observe()).toMatchObject({ kind: 'unavailable', retryAfterMs: 12_000 })
  })

  test('has a name that is no way to another address', async () => {
    look(saying(500))
    await observe('../v2/account?x#y')
    expect(server.heard()[0]?.path).toBe('/v2/generations/..%2Fv2%2Faccount%3Fx%23y')
  })
})

test('every model is told how to be asked, at sizes within its limits', () => {
  expect(Object.keys(IDEOGRAM_WIRE).sort()).toEqual(ideogramModelFacts.map(({ id }) => id).sort())
  for (const { sizes } of ideogramModelFacts) {
    for (const { width, height } of sizes) {
      expect(width % 16).toBe(0)
      expect(height % 16).toBe(0)
    }
  }
})
