import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import {
  cutShort,
  saying,
  startScriptedServer,
  unusedAddress,
  type Act,
  type ScriptedServer,
} from '@/test/scripted-server'
import { ATTEMPT_ID, jsonOf, submitRequest } from '@/test/submit-request'
import { retryAfters, TEST_NOW, unanswered } from '@/test/unanswered'
import { comfyRouterModelFacts, ROUTER_WIRE } from './models'
import { createComfyRouterProvider } from './provider'

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const FLUX = 'comfy-router/flux-2-pro'
const GPT = 'comfy-router/gpt-image-2'
const BANANA = 'comfy-router/nano-banana-2'
const IDEOGRAM = 'comfy-router/ideogram-4.5'

const provider = (baseUrl = server.url) =>
  createComfyRouterProvider({ baseUrl, apiKey: 'comfyui-key-of-the-tests', now: () => TEST_NOW })
const submit = (overrides = {}, baseUrl?: string) =>
  provider(baseUrl).submit(submitRequest({ model: FLUX, ...overrides }), AbortSignal.timeout(500))
const answer = (act: Act) => server.on('POST', /^\/v2\/models\//, act)
const ready = { id: 'task', status: 'Ready', result: { sample: 'https://storage.comfy.org/1.png' } }

const image = { contentType: 'image/png', bytes: Buffer.from('an image') } as const
const IN_BASE64 = 'YW4gaW1hZ2U='

describe('a submission', () => {
  test.each([
    [
      FLUX,
      { width: 1216, height: 832, seed: 4_294_967_295 },
      'bfl/flux-2-pro',
      {
        prompt: 'a red fox in the snow',
        width: 1216,
        height: 832,
        output_format: 'png',
        prompt_upsampling: false,
        seed: 4_294_967_295,
        input_image: IN_BASE64,
        input_image_2: IN_BASE64,
      },
    ],
    [
      BANANA,
      { width: 1376, height: 768 },
      'vertexai/gemini-3.1-flash-image',
      {
        contents: [
          {
            role: 'user',
            parts: [
              { text: 'a red fox in the snow' },
              { inlineData: { mimeType: 'image/png', data: IN_BASE64 } },
              { inlineData: { mimeType: 'image/png', data: IN_BASE64 } },
            ],
          },
        ],
        generationConfig: {
          responseModalities: ['IMAGE'],
          imageConfig: { aspectRatio: '16:9', imageSize: '1K' },
        },
      },
    ],
    [
      IDEOGRAM,
      { width: 1248, height: 832, quality: 'low', seed: 4_294_967_295 },
      'ideogram/ideogram-4-5',
      {
        prompt: 'a red fox in the snow',
        num_images: 1,
        size: '1248x832',
        quality: 'low',
        seed: 2_147_483_647,
        images: [`data:image/png;base64,${IN_BASE64}`, `data:image/png;base64,${IN_BASE64}`],
      },
    ],
  ])('of %s is one POST with what was asked for', async (model, settings, routerId, input) => {
    answer(saying(200, ready))
    const report = await submit({ model, settings, referenceImages: [image, image] })
    expect(server.posts()).toBe(1)
    const [heard] = server.heard()
    expect(heard?.path).toBe(`/v2/models/${routerId}?fallback_provider=false`)
    expect(heard?.headers).toMatchObject({
      'x-api-key': 'comfyui-key-of-the-tests',
      'idempotency-key': ATTEMPT_ID,
      'x-client-request-id': ATTEMPT_ID,
    })
    expect(jsonOf(heard)).toEqual(input)
    expect(JSON.stringify(report)).not.toContain('key-of-the-tests')
  })

  test('of GPT Image 2 asks for one image of the chosen size and quality', async () => {
    answer(saying(200, {}))
    await submit({ model: GPT, settings: { width: 1536, height: 1024 } })
    expect(jsonOf(server.heard()[0])).toEqual({
      prompt: 'a red fox in the snow',
      n: 1,
      size: '1536x1024',
      output_format: 'png',
      quality: 'medium',
    })
  })

  test('is the same to the byte each time it is sent, so that its key stands for it', async () => {
    answer(saying(503, {}))
    await submit()
    await submit()
    const [first, second] = server.heard()
    expect(first?.path).toBe(second?.path)
    expect(first?.body.equals(second?.body ?? Buffer.alloc(0))).toBe(true)
  })

  test('of a model that is not known any more is not sent', async () => {
    const { outcome } = await submit({ model: 'comfy-router/gone' })
    expect(outcome).toMatchObject({ kind: 'rejected', failure: { code: 'provider_unavailable' } })
    expect(server.posts()).toBe(0)
  })

  test('tells what it cost where Router does, and its name for the request', async () => {
    const headers = { 'x-comfy-credits-used': '12.5', 'x-comfy-request-id': 'request-1' }
    answer(saying(200, ready, headers))
    expect((await submit()).usage).toMatchObject({
      cost: { amount: 12.5, unit: 'Comfy credits' },
      providerRequestId: 'request-1',
    })
  })

  test.each([[{}], [{ 'x-comfy-credits-used': 'free' }]])(
    'tells no cost from %j',
    async (headers) => {
      answer(saying(200, ready, headers))
      expect((await submit()).usage.cost).toBeUndefined()
    },
  )

  test('to where nobody listens was not sent', async () => {
    expect((await submit({}, await unusedAddress())).outcome.kind).toBe('rejected-for-now')
  })

  test('whose long answer breaks off is unknown', async () => {
    answer(cutShort(200, `{"data":[{"b64_json":"${'A'.repeat(10_000)}`))
    expect((await submit({ model: GPT })).outcome.kind).toBe('unknown')
  })
})

describe('an answer with the image', () => {
  const PNG = Buffer.from('the bytes of an image')
  const made = { kind: 'made', image: PNG }
  const b64 = PNG.toString('base64')
  const candidate = (parts: readonly object[], finishReason = 'STOP') => ({
    candidates: [{ content: { role: 'model', parts }, finishReason }],
  })
  const at = (url: string) => ({ kind: 'made-at', result: { url } })

  test.each<readonly [string, string, object, object]>([
    ['an address', FLUX, ready, at('https://storage.comfy.org/1.png')],
    ['bytes', GPT, { data: [{ b64_json: b64 }] }, made],
    ['an address', GPT, { data: [{ url: 'https://x/1.png' }] }, at('https://x/1.png')],
    ['bytes', BANANA, candidate([{ inlineData: { mimeType: 'image/png', data: b64 } }]), made],
    [
      'bytes after words and a sketch',
      BANANA,
      candidate([
        { text: 'Here it is' },
        { thought: true, inlineData: { data: 'c2tldGNo' } },
        { inlineData: { data: b64 } },
      ]),
      made,
    ],
    [
      'an address',
      BANANA,
      candidate([{ fileData: { fileUri: 'https://x/2.png' } }]),
      at('https://x/2.png'),
    ],
    [
      'an address',
      IDEOGRAM,
      { data: [{ url: 'https://x/3.png', is_image_safe: true }] },
      at('https://x/3.png'),
    ],
  ])('as %s is read, of %s', async (_what, model, body, outcome) => {
    answer(saying(200, body, { 'idempotent-replayed': 'true' }))
    expect((await submit({ model })).outcome).toEqual(outcome)
    expect(server.posts()).toBe(1)
  })

  test.each<readonly [string, string, object, string]>([
    ['moderation', FLUX, { ...ready, status: 'Content Moderated' }, 'moderated'],
    ['moderation', FLUX, { ...ready, status: 'Request Moderated' }, 'moderated'],
    ['an error', FLUX, { id: 'x', status: 'Error', result: null }, 'provider_failed'],
    ['no image', GPT, { data: [] }, 'unusable_result'],
    ['a blocked prompt', BANANA, { promptFeedback: { blockReason: 'SAFETY' } }, 'moderated'],
    ['a filter', BANANA, candidate([], 'IMAGE_SAFETY'), 'moderated'],
    ['words only', BANANA, candidate([{ text: 'no' }], 'NO_IMAGE'), 'unusable_result'],
    ['an unsafe image', IDEOGRAM, { data: [{ url: '', is_image_safe: false }] }, 'moderated'],
    ['no image', IDEOGRAM, { data: [] }, 'unusable_result'],
  ])('that tells of %s instead is a failure, of %s', async (_what, model, body, code) => {
    answer(saying(200, body))
    expect((await submit({ model })).outcome).toMatchObject({ kind: 'failed', failure: { code } })
  })

  test.each<readonly [string, string, object]>([
    ['a status that nobody documented', FLUX, { ...ready, status: 'Pondering' }],
    ['ready without an image', FLUX, { id: 'x', status: 'Ready' }],
    ['bytes that are none', GPT, { data: [{ b64_json: '<base64>' }] }],
    ['no candidates', BANANA, { candidates: [] }],
    ['a candidate that did not end', BANANA, { candidates: [{}] }],
    ['another shape', IDEOGRAM, { images: [] }],
  ])('that tells of %s proves nothing, of %s', async (_what, model, body) => {
    answer(saying(200, body))
    expect((await submit({ model })).outcome.kind).toBe('unknown')
  })
})

describe('an answer without one', () => {
  const told = (status: number, bucket: string, headers: Record<string, string> = {}) =>
    saying(
      status,
      { detail: 'in Router’s words', error_type: bucket },
      { 'x-comfy-error-type': bucket, ...headers },
    )

  test.each(unanswered)('that is %s is unknown, and was asked for once', async (_what, act) => {
    answer(act)
    expect((await submit()).outcome.kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })

  test.each([
    [409, 'concurrency_limit_exceeded'],
    [409, 'invalid_input'],
    [400, 'provider_error'],
    [400, 'a_bucket_of_tomorrow'],
    [429, 'a_bucket_of_tomorrow'],
    [405, 'invalid_input'],
    [499, 'client_disconnected'],
    [500, 'internal_error'],
    [502, 'provider_error'],
    [503, 'service_unavailable'],
    [504, 'deadline_exceeded'],
    [504, 'provider_timeout'],
  ])('that says %i %s is unknown, and is not sent again here', async (status, bucket) => {
    answer(told(status, bucket, { 'retry-after': '2' }))
    expect((await submit()).outcome).toMatchObject({
      kind: 'unknown',
      evidence: { httpStatus: status },
    })
    expect(server.posts()).toBe(1)
  })

  test.each([
    [401, 'unauthorized'],
    [402, 'insufficient_credits'],
    [403, 'forbidden'],
    [403, 'not_enabled'],
    [404, 'model_not_found'],
    [400, 'insufficient_credits'],
  ])('that says %i %s is ours to mend', async (status, bucket) => {
    answer(told(status, bucket))
    expect((await submit()).outcome).toMatchObject({
      kind: 'rejected',
      oursToMend: true,
      evidence: { errorCode: bucket },
    })
  })

  test.each([400, 413])('that says %i invalid_input is a rejection', async (status) => {
    answer(told(status, 'invalid_input'))
    expect((await submit()).outcome).toMatchObject({
      kind: 'rejected',
      failure: { code: 'invalid_input' },
    })
  })

  test('that names what the model’s maker said hands that on', async () => {
    const body = { detail: 'refused', error_type: 'invalid_input', upstream_detail: 'too narrow' }
    answer(saying(400, body))
    const { outcome } = await submit()
    expect(outcome.kind === 'rejected' && outcome.failure.message).toContain('too narrow')
  })

  test.each([{ 'x-comfy-error-type': 'invalid_input' }, {}])(
    'that names the wrong fields is a rejection that names them, with the headers %j',
    async (headers) => {
      const detail = [{ loc: ['body', 'size'], msg: 'not a preset', type: 'value_error' }]
      answer(saying(422, { detail }, headers))
      const { outcome } = await submit()
      expect(outcome.kind === 'rejected' && outcome.failure.message).toContain('size: not a preset')
    },
  )

  test.each([400, 422])('that refuses the content (%i) ended the run', async (status) => {
    answer(told(status, 'content_policy_violation'))
    expect((await submit()).outcome).toMatchObject({
      kind: 'failed',
      failure: { code: 'moderated' },
    })
  })

  test.each(['rate_limited', 'concurrency_limit_exceeded'])(
    'that says 429 %s was not admitted',
    async (bucket) => {
      answer(told(429, bucket))
      expect((await submit()).outcome.kind).toBe('rejected-for-now')
      expect(server.posts()).toBe(1)
    },
  )

  test.each(retryAfters)('that asks to wait with %s is heard', async (_what, value, ms) => {
    answer(told(429, 'rate_limited', value === undefined ? {} : { 'retry-after': value }))
    expect((await submit()).outcome).toMatchObject({ kind: 'rejected-for-now', retryAfterMs: ms })
  })
})

test('nothing can be looked at, and the key is good for less than a day', async () => {
  const router = provider()
  const seen = await router.observe(TaskId.parse('x'), FLUX, AbortSignal.timeout(500))
  expect(seen.kind).toBe('missing')
  expect(router.capabilities(FLUX).idempotentForMs).toBeLessThan(24 * 60 * 60_000)
  expect(router.submitTimeoutMs(FLUX)).toBeGreaterThan(10 * 60_000)
})

test('every model on offer is told how to be asked', () => {
  expect(Object.keys(ROUTER_WIRE).sort()).toEqual(comfyRouterModelFacts.map(({ id }) => id).sort())
})
