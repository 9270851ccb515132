import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AttemptId, TaskId } from '@/lib/domain/ids'
import { reset, saying, startScriptedServer, unusedAddress, type Act } from '@/test/scripted-server'
import type { ScriptedServer } from '@/test/scripted-server'
import { ATTEMPT_ID, jsonOf, submitRequest } from '@/test/submit-request'
import { failedLooks, retryAfters, TEST_NOW, unanswered } from '@/test/unanswered'
import { createRunwareProvider } from './provider'
import { taskUuidOf } from './task-uuid'
import { createRunwareVerifier } from './verifier'

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const UUID = taskUuidOf(ATTEMPT_ID)
const MODEL = 'runware/flux-2-dev'
const provider = (baseUrl = `${server.url}/v1`) =>
  createRunwareProvider({ baseUrl, apiKey: 'key-of-the-tests', now: () => TEST_NOW })
const submit = (overrides = {}, baseUrl?: string) =>
  provider(baseUrl).submit(submitRequest({ model: MODEL, ...overrides }), AbortSignal.timeout(500))
const answer = (...acts: readonly Act[]) => server.on('POST', /^\/v1$/, ...acts)

const ack = saying(200, { data: [{ taskType: 'imageInference', taskUUID: UUID }] })
const refusal = (status: number, code: string, headers = {}) =>
  saying(status, { data: [], errors: [{ code, message: 'why', taskUUID: UUID }] }, headers)

describe('a submission', () => {
  test('is one POST that carries everything that was asked for, and our names for it', async () => {
    answer(ack)
    const { outcome, usage } = await submit({
      settings: { width: 1216, height: 832, seed: 4_294_967_295 },
      callbackUrl: 'http://127.0.0.1/api/callbacks/runware/token',
    })
    expect(outcome).toEqual({ kind: 'accepted', taskId: UUID })
    expect(server.posts()).toBe(1)
    const [heard] = server.heard()
    expect(heard?.headers).toMatchObject({
      authorization: 'Bearer key-of-the-tests',
      'x-client-request-id': ATTEMPT_ID,
    })
    expect(jsonOf(heard)).toEqual([
      {
        taskType: 'imageInference',
        taskUUID: UUID,
        deliveryMethod: 'async',
        model: 'runware:400@1',
        positivePrompt: 'a red fox in the snow',
        width: 1216,
        height: 832,
        numberResults: 1,
        outputType: 'URL',
        outputFormat: 'PNG',
        includeCost: true,
        seed: 4_294_967_295,
        webhookURL: 'http://127.0.0.1/api/callbacks/runware/token',
      },
    ])
    expect(JSON.stringify({ outcome, usage })).not.toContain('key-of-the-tests')
  })

  test('asks for no callback that could not be made, and sends no setting that was not given', async () => {
    answer(ack)
    await submit()
    expect(JSON.stringify(jsonOf(server.heard()[0]))).not.toMatch(/seed|webhookURL|inputs/)
  })

  test('carries the images to go by within itself', async () => {
    answer(ack)
    const bytes = Buffer.from('an image')
    await submit({ referenceImages: [{ contentType: 'image/webp', bytes }] })
    expect(jsonOf(server.heard()[0])).toMatchObject([
      { inputs: { referenceImages: ['data:image/webp;base64,YW4gaW1hZ2U='] } },
    ])
  })

  test('of a model that is not known any more is not sent', async () => {
    const { outcome } = await submit({ model: 'runware/gone' })
    expect(outcome).toMatchObject({ kind: 'rejected', failure: { code: 'provider_unavailable' } })
    expect(server.posts()).toBe(0)
  })

  test.each(unanswered)('answered by %s is unknown, and was sent once', async (_what, act) => {
    answer(act)
    expect((await submit()).outcome.kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })

  test('to where nobody listens was not sent', async () => {
    const outcome = (await submit({}, `${await unusedAddress()}/v1`)).outcome
    expect(outcome).toMatchObject({ kind: 'rejected-for-now' })
  })

  test.each<readonly [string, Act]>([
    ['for another task', saying(200, { data: [{ taskUUID: taskUuidOf('another') }] })],
    ['without a task', saying(200, { data: [] })],
    ['with an error', refusal(200, 'invalidModel')],
    ['refused for another task', saying(400, { errors: [{ code: 'x', taskUUID: 'another' }] })],
    ['400 because a run failed', refusal(400, 'timeoutProvider')],
    ['400 because the provider behind it failed', refusal(400, 'providerBadGateway')],
    ['405', refusal(405, 'methodNotAllowed')],
    ['409', refusal(409, 'somethingElse')],
    ['500 with a conflict', refusal(500, 'conflictTaskUUID')],
  ])('answered %s proves nothing', async (_what, act) => {
    answer(act)
    expect((await submit()).outcome.kind).toBe('unknown')
    expect(server.posts()).toBe(1)
  })

  test.each([400, 409])(
    'that is refused as a repeat (%i) was accepted before, under the same id',
    async (status) => {
      answer(refusal(status, 'conflictTaskUUID'))
      expect((await submit()).outcome).toEqual({ kind: 'accepted', taskId: UUID })
    },
  )

  test.each([
    [400, 'invalidPositivePromptLength', 'invalid_input', false],
    [400, 'missingParameter', 'invalid_input', false],
    [400, 'contentPolicyViolation', 'moderated', false],
    [400, 'insufficientCredits', 'provider_unavailable', true],
    [401, 'invalidApiKey', 'provider_unavailable', true],
    [402, 'paymentRequired', 'provider_unavailable', true],
    [403, 'permissionDenied', 'provider_unavailable', true],
    [404, 'modelNotFound', 'provider_unavailable', true],
    [429, 'quotaExceeded', 'provider_unavailable', true],
  ])('refused %i %s made nothing: %s', async (status, code, failure, isOurs) => {
    answer(refusal(status, code))
    const { outcome } = await submit()
    expect(outcome).toMatchObject({
      kind: 'rejected',
      failure: { code: failure },
      evidence: { httpStatus: status, errorCode: code },
      ...(isOurs ? { oursToMend: true } : {}),
    })
    expect('oursToMend' in outcome).toBe(isOurs)
    expect(server.posts()).toBe(1)
  })

  test('refused without naming the task is refused, as there is but one in it', async () => {
    answer(
      saying(401, { errors: [{ code: 'invalidApiKey', message: '', taskType: 'authentication' }] }),
    )
    expect((await submit()).outcome).toMatchObject({ kind: 'rejected', oursToMend: true })
  })

  test.each(retryAfters)('asked to wait with %s is heard', async (_what, value, retryAfterMs) => {
    answer(refusal(429, 'rateLimitExceeded', value === undefined ? {} : { 'retry-after': value }))
    expect((await submit()).outcome).toMatchObject({ kind: 'rejected-for-now', retryAfterMs })
    expect(server.posts()).toBe(1)
  })
})

describe('a task', () => {
  const observe = () => provider().observe(TaskId.parse(UUID), MODEL, AbortSignal.timeout(500))
  const poll = (item: object) => saying(200, { data: [{ taskUUID: UUID, ...item }] })
  const failed = (item: object) => saying(200, { errors: [{ taskUUID: UUID, ...item }] })
  const archive = (response: unknown) =>
    saying(200, {
      data: [{ taskType: 'getTaskDetails', taskUUID: UUID, request: [{}], response }],
    })
  const nothing = saying(200, { data: [] })

  test.each<readonly [string, Act, object]>([
    ['is processing', poll({ status: 'processing' }), { kind: 'pending' }],
    [
      'succeeded',
      poll({ status: 'success', imageURL: 'https://im.runware.ai/1.png', cost: 0.0013 }),
      {
        kind: 'succeeded',
        result: { url: 'https://im.runware.ai/1.png' },
        cost: { amount: 0.0013, unit: 'USD' },
      },
    ],
    [
      'succeeded without an image',
      poll({ status: 'success' }),
      { kind: 'failed', failure: { code: 'unusable_result' } },
    ],
    [
      'succeeded without an image for its content',
      poll({ status: 'success', NSFWContent: true }),
      { kind: 'failed', failure: { code: 'moderated' } },
    ],
    [
      'failed, told among the data',
      poll({ status: 'error' }),
      { kind: 'failed', failure: { code: 'provider_failed' } },
    ],
    [
      'failed, told among the errors',
      failed({ code: 'timeoutProvider', message: 'too slow', status: 'error' }),
      { kind: 'failed', failure: { code: 'provider_failed' } },
    ],
    [
      'failed for its content',
      failed({ code: 'providerContentPolicyViolation', taskType: 'imageInference' }),
      { kind: 'failed', failure: { code: 'moderated' } },
    ],
    [
      'is in a state that nobody documented',
      poll({ status: 'pondering' }),
      { kind: 'unavailable' },
    ],
  ])('that %s is observed as that', async (_what, act, expected) => {
    answer(act)
    expect(await observe()).toMatchObject(expected)
  })

  test('that polling has forgotten is found in the archive', async () => {
    answer(
      nothing,
      archive({ data: [{ taskUUID: UUID, imageURL: 'https://im.runware.ai/2.png' }] }),
    )
    expect(await observe()).toMatchObject({
      kind: 'succeeded',
      result: { url: 'https://im.runware.ai/2.png' },
    })
    expect(server.heard().map(jsonOf)).toEqual([
      [{ taskType: 'getResponse', taskUUID: UUID }],
      [{ taskType: 'getTaskDetails', taskUUID: UUID }],
    ])
  })

  test('that failed and is archived has failed', async () => {
    const errors = [{ code: 'inferenceError', taskUUID: UUID, taskType: 'imageInference' }]
    answer(refusal(400, 'taskNotFound'), archive({ errors }))
    expect(await observe()).toMatchObject({ kind: 'failed' })
  })

  test('whose archived answer says nothing was not seen', async () => {
    answer(nothing, archive(undefined))
    expect(await observe()).toMatchObject({ kind: 'unavailable' })
  })

  test.each<readonly [string, Act, Act]>([
    ['nothing', nothing, nothing],
    ['that there is none', refusal(404, 'taskNotFound'), refusal(400, 'taskNotFound')],
    [
      'of another one',
      saying(200, { data: [{ taskUUID: 'another', status: 'success' }] }),
      nothing,
    ],
  ])('of which both places tell %s is missing', async (_what, first, second) => {
    answer(first, second)
    expect(await observe()).toMatchObject({ kind: 'missing' })
  })

  test.each<readonly [string, Act]>([...failedLooks, ['a bad key', refusal(401, 'invalidApiKey')]])(
    'looked at in vain, by %s, is not thereby known',
    async (_what, act) => {
      answer(act)
      expect(await observe()).toMatchObject({ kind: 'unavailable' })
    },
  )

  test('is not looked at sooner than asked', async () => {
    answer(refusal(429, 'rateLimitExceeded', { 'retry-after': '9' }))
    expect(await observe()).toMatchObject({ kind: 'unavailable', retryAfterMs: 9_000 })
  })

  const lookUp = () =>
    provider().lookUp?.(submitRequest({ model: MODEL }), TEST_NOW, AbortSignal.timeout(500))

  test('whose submission was lost is found in the archive by our reference', async () => {
    answer(archive({ data: [] }))
    expect(await lookUp()).toEqual({ kind: 'found', taskId: UUID })
  })

  test.each<readonly [string, Act]>([
    ['made', poll({ status: 'success', imageURL: 'https://im.runware.ai/1.png' })],
    ['failed', failed({ code: 'inferenceError', status: 'error' })],
  ])('whose submission was lost is found by polling once it is %s', async (_what, act) => {
    answer(nothing, act)
    expect(await lookUp()).toEqual({ kind: 'found', taskId: UUID })
  })

  test.each<readonly [string, Act]>([
    ['nothing', nothing],
    ['that there is none', refusal(400, 'taskNotFound')],
    ['that it runs, which is said of tasks that never were too', poll({ status: 'processing' })],
  ])('of which a search tells %s is not found, which proves nothing', async (_what, act) => {
    answer(nothing, act)
    expect(await lookUp()).toMatchObject({ kind: 'absent' })
  })

  test.each<readonly [string, readonly Act[]]>([
    ['the archive', [reset]],
    ['polling', [nothing, reset]],
  ])('is not absent because %s could not be asked', async (_what, acts) => {
    answer(...acts)
    expect(await lookUp()).toMatchObject({ kind: 'unavailable' })
  })
})

test('a task’s UUID is of version 4, the same for an attempt for ever, and another for another', () => {
  expect(taskUuidOf(ATTEMPT_ID)).toBe('a1d2f556-b6ca-4591-9de0-f23aea0637a2')
  const ids = Array.from({ length: 1_000 }, (_, index) => taskUuidOf(String(index)))
  expect(new Set(ids).size).toBe(1_000)
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

describe('a callback', () => {
  const verify = (body: unknown, attemptSecret: string | undefined = 'secret') =>
    createRunwareVerifier().verify({
      header: () => null,
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      now: TEST_NOW,
      attemptSecret,
    })

  test.each([
    [{ taskUUID: UUID, imageURL: 'https://im.runware.ai/1.png' }, 'succeeded'],
    [{ taskUUID: UUID, status: 'success', imageURL: 'https://im.runware.ai/1.png' }, 'succeeded'],
    [{ taskUUID: UUID, status: 'processing' }, 'working'],
    [{ taskUUID: UUID, status: 'error' }, 'failed'],
    [{ taskUUID: UUID }, undefined],
    [{ code: 'inferenceError', message: '', taskUUID: UUID }, 'failed'],
    [{ errors: [{ code: 'inferenceError', taskUUID: UUID }] }, 'failed'],
    [{ data: [{ taskUUID: UUID, status: 'success' }] }, 'succeeded'],
  ])('to an attempt’s own address is read: %j', async (body, claims) => {
    expect(await verify(body)).toMatchObject({ taskId: UUID, claims })
  })

  test('has the same delivery id when it is sent again, and another when it says something else', async () => {
    const ids = await Promise.all(
      [{ taskUUID: UUID }, { taskUUID: UUID }, { taskUUID: UUID, status: 'error' }].map(
        async (body) => (await verify(body))?.deliveryId,
      ),
    )
    expect(ids[0]).toBe(ids[1])
    expect(ids[0]).not.toBe(ids[2])
  })

  test.each<readonly [string, unknown]>([
    ['no JSON', 'nothing'],
    ['no task', { imageURL: 'https://im.runware.ai/1.png' }],
    ['a task that cannot be ours', { taskUUID: ATTEMPT_ID }],
    ['a task that is no UUID', { taskUUID: '../../x' }],
  ])('with %s proves nothing', async (_what, body) => {
    expect(await verify(body)).toBeUndefined()
  })

  test('to an address that leads to no attempt proves nothing', async () => {
    const body = Buffer.from(JSON.stringify({ taskUUID: UUID }))
    const callback = { header: () => null, body, now: TEST_NOW, attemptSecret: undefined }
    expect(await createRunwareVerifier().verify(callback)).toBeUndefined()
  })
})

test('attempt ids of any version lead to a UUID', () => {
  expect(taskUuidOf(AttemptId.parse('00000000-0000-4000-8000-000000000000'))).not.toBe(UUID)
})
