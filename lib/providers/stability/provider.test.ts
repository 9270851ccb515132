import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import { saying, startScriptedServer, unusedAddress, type Act } from '@/test/scripted-server'
import type { Heard, ScriptedServer } from '@/test/scripted-server'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'
import { retryAfters, TEST_NOW, unanswered } from '@/test/unanswered'
import { stabilityModelFacts } from './models'
import { createStabilityProvider } from './provider'

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const KEY = 'sk-key-of-the-tests'
const CORE = 'stability/core'
const IMAGE = Buffer.from('a picture')

const provider = (baseUrl = server.url) =>
  createStabilityProvider({ baseUrl, apiKey: KEY, now: () => TEST_NOW })
const signal = () => AbortSignal.timeout(1_000)
const submit = (overrides = {}, baseUrl?: string) =>
  provider(baseUrl).submit(submitRequest({ model: CORE, ...overrides }), signal())
const answer = (...acts: readonly Act[]) => server.on('POST', /./, ...acts)
const error = (status: number, name: string, headers = {}) =>
  saying(status, { id: 'a1b2', name, errors: ['some-field: is wrong'] }, headers)
const made = saying(200, { image: IMAGE.toString('base64'), finish_reason: 'SUCCESS', seed: 7 })

async function fieldsOf(heard: Heard | undefined): Promise<Record<string, unknown>> {
  const form = await new Response(new Uint8Array(heard?.body ?? []), {
    headers: { 'content-type': heard?.headers['content-type'] ?? '' },
  }).formData()
  return Object.fromEntries(form.entries())
}

describe('a submission', () => {
  test('is one POST that carries exactly what was asked for, and tells no key', async () => {
    answer(made)
    const report = await submit({
      prompt: 'two\nlines',
      settings: { width: 1344, height: 768, seed: 42, negativePrompt: 'snow' },
    })
    expect(report.outcome).toEqual({ kind: 'made', image: IMAGE })
    expect(server.posts()).toBe(1)
    const [heard] = server.heard()
    expect(heard?.path).toBe('/v2beta/stable-image/generate/core')
    expect(heard?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      accept: 'application/json',
      'x-client-request-id': ATTEMPT_ID,
    })
    expect(await fieldsOf(heard)).toEqual({
      prompt: 'two\nlines',
      aspect_ratio: '16:9',
      output_format: 'png',
      seed: '42',
      negative_prompt: 'snow',
    })
    expect(JSON.stringify(report)).not.toContain(KEY)
  })

  test.each([
    ['stability/ultra', 'ultra', undefined],
    ['stability/sd3.5-large', 'sd3', 'sd3.5-large'],
    ['stability/sd3.5-flash', 'sd3', 'sd3.5-flash'],
  ])(
    'of %s goes to the service that makes it, and sends no setting that was not given',
    async (model, path, upstream) => {
      answer(made)
      await submit({ model })
      const [heard] = server.heard()
      expect(heard?.path).toBe(`/v2beta/stable-image/generate/${path}`)
      expect(await fieldsOf(heard)).toEqual({
        prompt: 'a red fox in the snow',
        aspect_ratio: '1:1',
        output_format: 'png',
        ...(upstream === undefined ? {} : { model: upstream }),
      })
    },
  )

  test.each([
    [1, '1'],
    [4_294_967_294, '4294967294'],
    // Stability takes 0 for any, and nothing above.
    [0, '4294967294'],
    [4_294_967_295, '4294967294'],
  ])('with the seed %i always has the same one', async (seed, sent) => {
    answer(made)
    await submit({ settings: { width: 1024, height: 1024, seed } })
    expect(await fieldsOf(server.heard()[0])).toMatchObject({ seed: sent })
  })

  test.each(unanswered)('answered by %s is unknown, and was sent once', async (_what, act) => {
    answer(act)
    expect((await submit()).outcome.kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })

  test('to where nobody listens was not sent', async () => {
    const { outcome } = await submit({}, await unusedAddress())
    expect(outcome).toMatchObject({ kind: 'rejected-for-now' })
  })

  test.each<readonly [number, string, object]>([
    [400, 'bad_request', { kind: 'rejected', failure: { code: 'invalid_input' } }],
    [413, 'payload_too_large', { kind: 'rejected', failure: { code: 'invalid_input' } }],
    [422, 'invalid_language', { kind: 'rejected', failure: { code: 'invalid_input' } }],
    [403, 'content_moderation', { kind: 'rejected', failure: { code: 'moderated' } }],
    [403, 'permission_denied', { kind: 'rejected', oursToMend: true }],
    [401, 'unauthorized', { kind: 'rejected', oursToMend: true }],
    [402, 'payment_required', { kind: 'rejected', oursToMend: true }],
    [404, 'not_found', { kind: 'unknown' }],
    [409, 'conflict', { kind: 'unknown' }],
    [500, 'internal_error', { kind: 'unknown' }],
    [503, 'service_unavailable', { kind: 'unknown' }],
  ])('answered %i %s is judged by what is documented', async (status, name, outcome) => {
    answer(error(status, name))
    expect((await submit()).outcome).toMatchObject(outcome)
    expect(server.posts()).toBe(1)
  })

  test.each(retryAfters.map(([what, header, ms]) => [what, header, ms ?? 60_000] as const))(
    'over the rate limit waits as long as it is told, or the minute of the lockout: %s',
    async (_what, header, ms) => {
      const headers = header === undefined ? {} : { 'retry-after': header }
      answer(error(429, 'rate_limit_exceeded', headers))
      expect((await submit()).outcome).toMatchObject({
        kind: 'rejected-for-now',
        retryAfterMs: ms,
      })
    },
  )

  test('of a model that is not offered any more is not sent', async () => {
    const { outcome } = await submit({ model: 'stability/sd3-large' })
    expect(outcome).toMatchObject({ kind: 'rejected', failure: { code: 'provider_unavailable' } })
    expect(server.posts()).toBe(0)
  })
})

describe('an answer', () => {
  test.each<readonly [string, Act]>([
    [
      'JSON',
      saying(200, { image: IMAGE.toString('base64'), finish_reason: 'CONTENT_FILTERED', seed: 7 }),
    ],
    [
      'bytes',
      saying(200, IMAGE, { 'content-type': 'image/png', 'finish-reason': 'CONTENT_FILTERED' }),
    ],
  ])('whose picture was blurred, in %s, is a failure and no picture', async (_how, act) => {
    answer(act)
    expect((await submit()).outcome).toMatchObject({
      kind: 'failed',
      failure: { code: 'moderated' },
    })
  })

  test.each<readonly [string, Readonly<Record<string, string>>]>([
    ['with its reason', { 'content-type': 'image/png', 'finish-reason': 'SUCCESS' }],
    ['without one', { 'content-type': 'image/webp' }],
  ])('in bytes is taken, %s', async (_what, headers) => {
    answer(saying(200, IMAGE, headers))
    expect((await submit()).outcome).toEqual({ kind: 'made', image: IMAGE })
  })

  test.each<readonly [string, Act]>([
    ['no bytes', saying(200, '', { 'content-type': 'image/png' })],
    ['no image', saying(200, { finish_reason: 'SUCCESS' })],
    ['no reason', saying(200, { image: IMAGE.toString('base64') })],
    ['an unheard-of reason', saying(200, { image: 'AAAA', finish_reason: 'MAYBE' })],
    ['an image that is none', saying(200, { image: '?', finish_reason: 'SUCCESS' })],
  ])('with %s was paid and tells nothing', async (_what, act) => {
    answer(act)
    expect((await submit()).outcome.kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })
})

test('nothing is promised about a lost answer, and there is nothing to look at', async () => {
  expect(provider().capabilities(CORE)).toMatchObject({
    answers: 'at-once',
    idempotentForMs: undefined,
    lookup: undefined,
    callback: undefined,
    cancel: undefined,
  })
  const observed = provider().observe(TaskId.parse('x'), CORE, signal())
  expect(await observed).toMatchObject({ kind: 'missing' })
})

test('every size is asked for by an aspect ratio of its own', async () => {
  answer(made)
  const sizes = stabilityModelFacts[0]?.sizes ?? []
  for (const settings of sizes) await submit({ settings })
  const ratios = await Promise.all(
    server.heard().map(async (heard) => (await fieldsOf(heard))['aspect_ratio']),
  )
  expect(new Set(ratios).size).toBe(sizes.length)
})
