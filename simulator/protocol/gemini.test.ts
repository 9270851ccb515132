import { ApiError, GoogleGenAI } from '@google/genai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import { createGeminiProvider } from '@/lib/providers/gemini/provider'
import { createGeminiVerifier } from '@/lib/providers/gemini/verifier'
import { TEST_TIMEOUT_MS } from '@/simulator/testing'
import { asGiven, openSimulated, type Simulated } from '@/test/simulated'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'
import { SIMULATED_AUDIENCE, SIMULATED_ISSUER } from './gemini-interactions'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

let world: Simulated
beforeEach(async () => {
  world = await openSimulated()
})
afterEach(() => world.close())

const UPSTREAM = 'gemini-nano-banana-2.1'
const AT_ONCE = `gemini/${UPSTREAM}`
const BACKGROUND = `gemini/${UPSTREAM}-background`

const signal = () => AbortSignal.timeout(30_000)
const baseUrl = () => `${world.url}/gemini`
const provider = () =>
  createGeminiProvider({
    baseUrl: baseUrl(),
    apiKey: 'AIza-key-of-the-tests',
    hasWebhook: true,
    now: world.now,
  })
const submit = async (model: string, overrides = {}) => {
  const answered = provider().submit(submitRequest({ model, ...overrides }), signal())
  return (await (model === AT_ONCE ? world.during(answered) : answered)).outcome
}
const observe = (id: string) => provider().observe(TaskId.parse(id), BACKGROUND, signal())
const client = () =>
  new GoogleGenAI({ apiKey: 'AIza-key-of-the-tests', httpOptions: { baseUrl: baseUrl() } })

async function accepted(overrides = {}): Promise<TaskId> {
  const outcome = await submit(BACKGROUND, overrides)
  if (outcome.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(outcome)}`)
  return outcome.taskId
}

test.each([AT_ONCE, BACKGROUND])('%s whose answer is lost was accepted once', async (model) => {
  expect(await submit(model, { prompt: 'a fox #drill:lost-answer' })).toMatchObject({
    kind: 'unknown',
  })
  expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
  expect((await world.simulator.tasks(ATTEMPT_ID)).count).toBe(1)
})

describe('generateContent', () => {
  test('draws while the caller waits, and answers with the picture', async () => {
    const outcome = await submit(AT_ONCE, { settings: { width: 768, height: 1376 } })
    expect(outcome.kind === 'made' ? outcome.image.toString() : outcome).toMatch(/^drawn: \d+$/)
    expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
  })

  test('takes images to go by', async () => {
    const bytes = Buffer.from('an image')
    const referenceImages = [{ contentType: 'image/webp', bytes }]
    expect(await submit(AT_ONCE, { referenceImages })).toMatchObject({ kind: 'made' })
  })

  test.each([
    ['reject', { kind: 'rejected', failure: { code: 'invalid_input' } }, 0],
    ['moderate', { kind: 'failed', failure: { code: 'moderated' } }, 0],
    ['429', { kind: 'rejected-for-now', retryAfterMs: 1_000 }, 0],
    ['500', { kind: 'failed', failure: { code: 'provider_failed' } }, 0],
    ['503', { kind: 'unknown' }, 0],
    ['bad-key', { kind: 'rejected', oursToMend: true }, 0],
    ['no-credit', { kind: 'rejected', oursToMend: true }, 0],
    ['moderate-late', { kind: 'failed', failure: { code: 'moderated' } }, 1],
    ['fail', { kind: 'failed', failure: { code: 'provider_failed' } }, 1],
  ])('goes wrong by the drill %s as Google would', async (drill, outcome, tasks) => {
    expect(await submit(AT_ONCE, { prompt: `a fox #drill:${drill}` })).toMatchObject(outcome)
    expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
    expect((await world.simulator.tasks()).count).toBe(tasks)
  })

  test('is read by Google’s own client', async () => {
    const generate = (contents: string, model = UPSTREAM) =>
      world.during(
        client().models.generateContent({
          model,
          contents,
          config: {
            responseModalities: ['IMAGE'],
            imageConfig: { aspectRatio: '16:9', imageSize: '1K' },
          },
        }),
      )
    const made = await generate('a fox')
    expect(made.candidates?.[0]?.finishReason).toBe('STOP')
    expect(made.data).toBeTruthy()
    const blocked = await generate('a fox #drill:moderate')
    expect(blocked.promptFeedback?.blockReason).toBe('PROHIBITED_CONTENT')
    const filtered = await generate('a fox #drill:moderate-late')
    expect(filtered.candidates?.[0]?.finishReason).toBe('IMAGE_SAFETY')
    await expect(generate('a fox #drill:429')).rejects.toMatchObject({ status: 429 })
    await expect(generate('a fox', 'gemini-text')).rejects.toBeInstanceOf(ApiError)
  })

  test.each<readonly [string, object]>([
    ['an unknown field', { sampler: 'euler' }],
    [
      'a ratio that it does not make',
      { generationConfig: { imageConfig: { aspectRatio: '7:5' } } },
    ],
    ['a size in lower case', { generationConfig: { imageConfig: { imageSize: '1k' } } }],
    ['nothing to draw', { contents: [] }],
  ])('refuses %s', async (_what, overrides) => {
    const body = { contents: [{ parts: [{ text: 'a fox' }] }], ...overrides }
    const url = `${baseUrl()}/v1beta/models/${UPSTREAM}:generateContent`
    const post = (headers: Record<string, string>) =>
      fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    expect((await post({ 'x-goog-api-key': 'key' })).status).toBe(400)
    expect((await post({})).status).toBe(403)
  })
})

describe('an interaction', () => {
  test('is carried from the queue to its picture', async () => {
    const id = await accepted()
    expect(await observe(id)).toMatchObject({ kind: 'pending' })
    await world.until(id, 'succeeded')
    expect(await observe(id)).toMatchObject({ kind: 'succeeded', result: { from: 'task' } })
    const output = await provider().fetchOutput?.(id, BACKGROUND, signal())
    expect(output?.ok === true ? output.bytes.toString() : output).toMatch(/^drawn: \d+$/)
    expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
  })

  test.each([
    ['reject', { kind: 'rejected', failure: { code: 'invalid_input' } }],
    ['429', { kind: 'rejected-for-now', retryAfterMs: 1_000 }],
    ['500', { kind: 'unknown' }],
    ['503', { kind: 'unknown' }],
    ['bad-key', { kind: 'rejected', oursToMend: true }],
    ['no-credit', { kind: 'rejected', oursToMend: true }],
  ])('is refused by the drill %s, and nothing is made', async (drill, outcome) => {
    expect(await submit(BACKGROUND, { prompt: `a fox #drill:${drill}` })).toMatchObject(outcome)
    expect((await world.simulator.tasks()).count).toBe(0)
  })

  test('fails where the drawing does', async () => {
    const id = await accepted({ prompt: 'a fox #drill:fail' })
    await world.until(id, 'failed')
    expect(await observe(id)).toMatchObject({ kind: 'failed' })
  })

  test('is stopped while it is queued, and not when it has ended', async () => {
    const cancel = (id: TaskId) => provider().cancel?.(id, BACKGROUND, signal())
    const first = await accepted()
    expect(await cancel(first)).toEqual({ kind: 'cancelled' })
    expect(await observe(first)).toMatchObject({ kind: 'failed', failure: { code: 'cancelled' } })
    const second = await accepted()
    await world.until(second, 'succeeded')
    expect(await cancel(second)).toEqual({ kind: 'too-late' })
  })

  test('whose answer was lost is named by a callback at the attempt’s own address', async () => {
    const { callbackUrl } = world
    const prompt = 'a fox #drill:late-success'
    expect(await submit(BACKGROUND, { prompt, callbackUrl })).toMatchObject({ kind: 'unknown' })
    const [task] = (await world.simulator.tasks(ATTEMPT_ID)).data
    await world.until(task?.id ?? '', 'succeeded')
    const callback = await world.callback()
    const verify = (audience: string, issuer: string, now = world.now()) =>
      createGeminiVerifier({ baseUrl: baseUrl(), audience, issuer }).verify(
        asGiven(callback, now, undefined),
      )
    expect(await verify(SIMULATED_AUDIENCE, SIMULATED_ISSUER)).toMatchObject({
      taskId: task?.id,
      claims: 'succeeded',
    })
    expect(await verify('another-project', SIMULATED_ISSUER)).toBeUndefined()
    expect(await verify(SIMULATED_AUDIENCE, 'https://example.com')).toBeUndefined()
    const later = new Date(world.now().getTime() + 360_000)
    expect(await verify(SIMULATED_AUDIENCE, SIMULATED_ISSUER, later)).toBeUndefined()
  })

  test('is called back for with a forged token first, which we tell apart', async () => {
    const { callbackUrl } = world
    const id = await accepted({ prompt: 'a fox #drill:callback-forged', callbackUrl })
    await world.until(id, 'succeeded')
    const verifier = createGeminiVerifier({
      baseUrl: baseUrl(),
      audience: SIMULATED_AUDIENCE,
      issuer: SIMULATED_ISSUER,
    })
    const verify = async (index: number) =>
      verifier.verify(asGiven(await world.callback(index), world.now(), undefined))
    expect(await verify(0)).toBeUndefined()
    expect(await verify(1)).toMatchObject({ taskId: id })
  })

  test('is read by Google’s own client', async () => {
    const { interactions } = client()
    const created = await interactions.create({
      model: UPSTREAM,
      input: 'a fox',
      background: true,
      store: true,
      response_format: { type: 'image', aspect_ratio: '1:1' },
    })
    await world.until(created.id, 'succeeded')
    const seen = await interactions.get(created.id)
    expect(seen.status).toBe('completed')
    expect(JSON.stringify(seen)).toContain('"type":"image"')
  })

  test('looks away while it is down, and is forgotten when it is told to be', async () => {
    const down = await accepted({ prompt: 'a fox #drill:status-outage' })
    expect(await observe(down)).toMatchObject({ kind: 'unavailable' })
    const expired = await accepted({ prompt: 'a fox #drill:expire' })
    await world.until(expired, 'succeeded')
    expect(await observe(expired)).toMatchObject({ kind: 'missing' })
  })
})
