import OpenAI, { toFile } from 'openai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import { createOpenAiProvider } from '@/lib/providers/openai/provider'
import { createOpenAiVerifier } from '@/lib/providers/openai/verifier'
import { TEST_SECRET, TEST_TIMEOUT_MS } from '@/simulator/testing'
import { asGiven, openSimulated, type Simulated } from '@/test/simulated'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

let world: Simulated
beforeEach(async () => {
  world = await openSimulated()
})
afterEach(() => world.close())

const AT_ONCE = 'openai/gpt-image-2'
const BACKGROUND = 'openai/gpt-image-2-background'
const WEBHOOK_SECRET = `whsec_${Buffer.from(TEST_SECRET).toString('base64')}`

const signal = () => AbortSignal.timeout(30_000)
const provider = () =>
  createOpenAiProvider({
    baseUrl: `${world.url}/openai`,
    apiKey: 'sk-key-of-the-tests',
    responsesModel: 'gpt-5.6-luna',
    hasWebhook: true,
    now: world.now,
  })
const submit = async (model: string, overrides = {}) => {
  const answered = provider().submit(submitRequest({ model, ...overrides }), signal())
  return (await (model === AT_ONCE ? world.during(answered) : answered)).outcome
}
const observe = (id: string) => provider().observe(TaskId.parse(id), BACKGROUND, signal())
const client = () =>
  new OpenAI({ apiKey: 'sk-key-of-the-tests', baseURL: `${world.url}/openai/v1`, maxRetries: 0 })

async function accepted(overrides = {}): Promise<TaskId> {
  const outcome = await submit(BACKGROUND, overrides)
  if (outcome.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(outcome)}`)
  return outcome.taskId
}

const refusals: readonly (readonly [string, object])[] = [
  ['reject', { kind: 'rejected', failure: { code: 'invalid_input' } }],
  ['moderate', { kind: 'rejected', failure: { code: 'moderated' } }],
  ['429', { kind: 'rejected-for-now', retryAfterMs: 1_000 }],
  ['500', { kind: 'unknown' }],
  ['503', { kind: 'unknown' }],
  ['bad-key', { kind: 'rejected', oursToMend: true }],
  ['no-credit', { kind: 'rejected', oursToMend: true }],
]

describe.each([AT_ONCE, BACKGROUND])('%s', (model) => {
  test.each(refusals)('is refused by the drill %s, and nothing is made', async (drill, outcome) => {
    expect(await submit(model, { prompt: `a fox #drill:${drill}` })).toMatchObject(outcome)
    expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
    expect((await world.simulator.tasks()).count).toBe(0)
  })

  test('whose answer is lost was accepted once, and is unknown to us', async () => {
    expect(await submit(model, { prompt: 'a fox #drill:lost-answer' })).toMatchObject({
      kind: 'unknown',
    })
    expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
    expect((await world.simulator.tasks(ATTEMPT_ID)).count).toBe(1)
  })
})

describe('the Images API', () => {
  test('draws while the caller waits, and answers with the picture', async () => {
    const outcome = await submit(AT_ONCE, { settings: { width: 1536, height: 864 } })
    expect(outcome.kind === 'made' ? outcome.image.toString() : outcome).toMatch(/^drawn: \d+$/)
    expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
  })

  test('takes images to go by', async () => {
    const bytes = Buffer.from('an image')
    const referenceImages = [{ contentType: 'image/png', bytes }]
    expect(await submit(AT_ONCE, { referenceImages })).toMatchObject({ kind: 'made' })
  })

  test.each([
    ['moderate-late', { kind: 'failed', failure: { code: 'moderated' } }],
    ['fail', { kind: 'unknown' }],
  ])('fails by the drill %s as OpenAI would', async (drill, outcome) => {
    expect(await submit(AT_ONCE, { prompt: `a fox #drill:${drill}` })).toMatchObject(outcome)
  })

  test('is read by OpenAI’s own client', async () => {
    const prompt = 'a fox'
    const made = await world.during(
      client().images.generate({ model: 'gpt-image-2', prompt, size: '1024x1024' }),
    )
    expect(made.data?.[0]?.b64_json).toBeTruthy()
    expect(made.usage?.total_tokens).toBe(1_076)
    const image = await toFile(Buffer.from('an image'), 'a.png', { type: 'image/png' })
    const edited = await world.during(
      client().images.edit({ model: 'gpt-image-2', prompt, image: [image], size: '1024x1024' }),
    )
    expect(edited.data?.[0]?.b64_json).toBeTruthy()
  })

  test('refuses OpenAI’s own client in a way that it knows', async () => {
    const generate = (prompt: string) =>
      client().images.generate({ model: 'gpt-image-2', prompt, size: '1024x1024' })
    await expect(generate('a fox #drill:moderate')).rejects.toMatchObject({
      status: 400,
      code: 'moderation_blocked',
    })
    await expect(generate('a fox #drill:429')).rejects.toBeInstanceOf(OpenAI.RateLimitError)
    await expect(generate('a fox #drill:bad-key')).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    )
  })

  test.each<readonly [string, object]>([
    ['a size that is no multiple of 16', { size: '1000x1000' }],
    ['a size that is too small', { size: '512x512' }],
    ['a size that is too long', { size: '3072x512' }],
    ['an unknown parameter', { sampler: 'euler' }],
    ['what only DALL-E takes', { response_format: 'url' }],
    ['no prompt', { prompt: undefined }],
  ])('refuses %s', async (_what, overrides) => {
    const body = { model: 'gpt-image-2', prompt: 'a fox', size: '1024x1024', ...overrides }
    const response = await fetch(`${world.url}/openai/images/generations`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-key' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(400)
    expect((await world.simulator.submissions()).data).toMatchObject([{ outcome: 'invalid_input' }])
  })

  test.each(['images/generations', 'images/edits', 'responses'])(
    'refuses %s without a key',
    async (path) => {
      const response = await fetch(`${world.url}/openai/${path}`, { method: 'POST', body: '{}' })
      expect(response.status).toBe(401)
    },
  )
})

describe('the Responses API', () => {
  test('carries a response from the queue to its picture, under our reference', async () => {
    const id = await accepted()
    expect(await observe(id)).toMatchObject({ kind: 'pending' })
    await world.until(id, 'succeeded')
    expect(await observe(id)).toMatchObject({ kind: 'succeeded', result: { from: 'task' } })
    const output = await provider().fetchOutput?.(id, BACKGROUND, signal())
    expect(output?.ok === true ? output.bytes.toString() : output).toMatch(/^drawn: \d+$/)
    expect(await provider().referenceOf?.(id, signal())).toMatchObject({ reference: ATTEMPT_ID })
    expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
  })

  test.each([
    ['moderate-late', 'moderated'],
    ['fail', 'provider_failed'],
  ])('lets a response fail (%s)', async (drill, code) => {
    const id = await accepted({ prompt: `a fox #drill:${drill}` })
    await world.until(id, 'failed')
    expect(await observe(id)).toMatchObject({ kind: 'failed', failure: { code } })
  })

  test('stops what is queued, and says so', async () => {
    const id = await accepted()
    const cancel = () => provider().cancel?.(id, BACKGROUND, signal())
    expect(await cancel()).toEqual({ kind: 'cancelled' })
    expect(await observe(id)).toMatchObject({ kind: 'failed', failure: { code: 'cancelled' } })
    expect(await cancel()).toEqual({ kind: 'cancelled' })
  })

  test('says that it is too late to stop what has ended', async () => {
    const id = await accepted()
    await world.until(id, 'succeeded')
    expect(await provider().cancel?.(id, BACKGROUND, signal())).toEqual({ kind: 'too-late' })
  })

  test('tells the project of a response whose answer was lost, and that is enough to find it', async () => {
    const [prompt, callbackUrl] = ['a fox #drill:late-success', undefined]
    expect(await submit(BACKGROUND, { prompt, callbackUrl })).toMatchObject({ kind: 'unknown' })
    const [task] = (await world.simulator.tasks(ATTEMPT_ID)).data
    await world.until(task?.id ?? '', 'succeeded')
    const callback = await world.callback()
    expect(callback.path).toBe('/api/callbacks/provider/project')
    const verify = (secret: string, now = world.now()) =>
      createOpenAiVerifier(secret).verify(asGiven(callback, now, undefined))
    const verified = await verify(WEBHOOK_SECRET)
    expect(verified).toMatchObject({ taskId: task?.id, claims: 'succeeded' })
    expect(await verify('whsec_c29tZWJvZHkgZWxzZQ==')).toBeUndefined()
    expect(await verify(WEBHOOK_SECRET, new Date(world.now().getTime() + 360_000))).toBeUndefined()
    const taskId = TaskId.parse(verified?.taskId)
    expect(await provider().referenceOf?.(taskId, signal())).toEqual({
      kind: 'found',
      taskId,
      reference: ATTEMPT_ID,
    })
  })

  test('sends a forged callback before the true one, which we tell apart', async () => {
    const id = await accepted({ prompt: 'a fox #drill:callback-forged' })
    await world.until(id, 'succeeded')
    const verify = async (index: number) =>
      createOpenAiVerifier(WEBHOOK_SECRET).verify(
        asGiven(await world.callback(index), world.now(), undefined),
      )
    expect(await verify(0)).toBeUndefined()
    expect(await verify(1)).toMatchObject({ taskId: id })
  })

  test('looks away while it is down, and forgets when it is told to', async () => {
    const down = await accepted({ prompt: 'a fox #drill:status-outage' })
    expect(await observe(down)).toMatchObject({ kind: 'unavailable' })
    const expired = await accepted({ prompt: 'a fox #drill:expire' })
    await world.until(expired, 'succeeded')
    expect(await observe(expired)).toMatchObject({ kind: 'missing' })
    const output = await provider().fetchOutput?.(expired, BACKGROUND, signal())
    expect(output).toMatchObject({ ok: false, gone: true })
  })

  test('is read by OpenAI’s own client, callback and all', async () => {
    const { responses, webhooks } = client()
    const created = await responses.create({
      model: 'gpt-5.6-luna',
      input: 'a fox',
      background: true,
      store: true,
      metadata: { attempt_id: ATTEMPT_ID },
      tools: [{ type: 'image_generation', model: 'gpt-image-2', size: '1024x1024' }],
      tool_choice: 'required',
    })
    expect(created.status).toBe('queued')
    await world.until(created.id, 'succeeded')
    const seen = await responses.retrieve(created.id)
    expect(seen).toMatchObject({ status: 'completed', metadata: { attempt_id: ATTEMPT_ID } })
    expect(seen.output[0]).toMatchObject({ type: 'image_generation_call', status: 'completed' })
    const { headers, body } = await world.callback()
    const flat = new Headers(
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    )
    const tenYears = 10 * 365 * 86_400
    const event = await webhooks.unwrap(body.toString(), flat, WEBHOOK_SECRET, tenYears)
    expect(event).toMatchObject({ type: 'response.completed', data: { id: created.id } })
    const second = await responses.create({
      model: 'gpt-5.6-luna',
      input: 'a fox',
      background: true,
      tools: [{ type: 'image_generation' }],
    })
    expect((await responses.cancel(second.id)).status).toBe('cancelled')
  })

  test.each<readonly [string, object]>([
    ['an unknown parameter', { sampler: 'euler' }],
    ['a response that waits', { background: false }],
    ['more metadata than fits', { metadata: { attempt_id: 'x'.repeat(513) } }],
    ['a size that the model cannot make', { tools: [{ type: 'image_generation', size: '1x1' }] }],
  ])('refuses %s', async (_what, overrides) => {
    const body = {
      model: 'gpt-5.6-luna',
      input: 'a fox',
      background: true,
      tools: [{ type: 'image_generation' }],
      ...overrides,
    }
    const response = await fetch(`${world.url}/openai/responses`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-key' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(400)
  })
})
