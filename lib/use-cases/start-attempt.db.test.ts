import { randomUUID } from 'node:crypto'
import { v7 as newUuid } from 'uuid'
import { expect, test } from 'vitest'
import { AccountId } from '@/lib/domain/ids'
import { generation } from '@/test/factories'
import { acceptedAndReset, answering } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { startAttempt } from './start-attempt'

// The click: the attempt is recorded and its price is held, or neither, and no provider is called.

const world = openWorld()

const start = (accountId: AccountId, changed: object = {}) =>
  startAttempt(world().deps, accountId, { requestId: randomUUID(), ...generation, ...changed })

const attemptsOf = (accountId: AccountId) =>
  world().rows('select id from attempt where account_id = $1', accountId)

test('a click holds the price, sends nothing, and says what was recorded', async () => {
  const accountId = await world().openAccount(10)
  const requestId = randomUUID()
  const started = await start(accountId, {
    requestId,
    model: 'simulator/safelight',
    settings: { width: 1024, height: 1024, seed: 7 },
  })

  expect(started).toMatchObject({
    ok: true,
    value: {
      replayed: false,
      attempt: {
        request_id: requestId,
        state: 'initializing',
        status: 'queued',
        price: 4,
        settlement: null,
        failure: null,
        artwork: null,
        settings: { width: 1024, height: 1024, seed: 7 },
      },
    },
  })
  expect(await world().balance(accountId)).toEqual({ available: 6, held: 4, spent: 0 })
  expect(world().provider.posts()).toBe(0)
})

// Replays: the same id is the same attempt for ever.

const { settings } = generation
const changes = [
  ['prompt', { prompt: `${generation.prompt}.` }],
  ['white space', { prompt: ` ${generation.prompt}` }],
  ['model', { model: 'simulator/safelight', settings: { width: 1024, height: 1024, seed: 1 } }],
  ['size', { settings: { ...settings, width: 608, height: 416 } }],
  ['seed', { settings: { ...settings, seed: 2 } }],
] as const

test.each<readonly [string, () => void, number]>([
  ['initializing', () => undefined, 0],
  ['pending', () => undefined, 1],
  ['delivering', () => undefined, 2],
  ['completed', () => undefined, 3],
  ['status_unknown', () => world().provider.answer('submit', acceptedAndReset), 1],
  ['storage_failed', () => world().provider.answer('image', answering(503)), 3],
  [
    'failed',
    () => world().provider.answer('submit', answering(422, { error: { code: 'x', message: 'y' } })),
    1,
  ],
])(
  'an id used again while %s answers with its attempt, and refuses every other input',
  async (state, arrange, steps) => {
    arrange()
    const accountId = await world().openAccount(1)
    const requestId = randomUUID()
    const first = await start(accountId, { requestId })
    const id = first.ok ? first.value.attempt.id : ''
    const key = await world().keyOf(id)
    for (let step = 0; step < steps; step += 1) await world().step(key)
    const [posts, balance] = [world().provider.posts(), await world().balance(accountId)]

    expect(await start(accountId, { requestId })).toMatchObject({
      ok: true,
      value: { replayed: true, attempt: { id, state } },
    })
    for (const [what, changed] of changes) {
      expect(await start(accountId, { requestId, ...changed }), what).toEqual({
        ok: false,
        refusal: { code: 'request-id-reused' },
      })
    }
    expect(await world().attempt(key)).toMatchObject({ state })
    expect(await world().balance(accountId)).toEqual(balance)
    expect(world().provider.posts()).toBe(posts)
  },
)

test('the order of keys and the way a number is written are no other input', async () => {
  const accountId = await world().openAccount(1)
  const requestId = randomUUID()
  await start(accountId, { requestId })
  const written = `{"settings":{"seed":1.0,"height":5.12e2,"width":512},"prompt":"${generation.prompt}",
    "requestId":"${requestId}","model":"${generation.model}"}`
  const again = await startAttempt(world().deps, accountId, JSON.parse(written))
  expect(again).toMatchObject({ ok: true, value: { replayed: true } })
})

test('an id refused for want of credits is free again', async () => {
  const accountId = await world().openAccount(0)
  const requestId = randomUUID()
  expect(await start(accountId, { requestId })).toEqual({
    ok: false,
    refusal: { code: 'insufficient-credits', available: 0, required: 1 },
  })
  expect(await attemptsOf(accountId)).toEqual([])
  await world().grant(accountId, 1)
  expect(await start(accountId, { requestId })).toMatchObject({
    ok: true,
    value: { replayed: false },
  })
})

// Prompts are kept exactly, or refused before anything is reserved.

test.each([
  ['emoji of many parts', '👩‍👩‍👧‍👦🏳️‍🌈 at the beach'],
  ['right-to-left text', 'ثعلب أحمر \u202Eabc\u202C'],
  ['Chinese, Japanese, Korean', '紅狐狸 赤い狐 붉은 여우 𠜎'],
  ['composed letters', 'caf\u00e9'],
  ['decomposed letters', 'cafe\u0301'],
  ['white space that matters', '  a\r\n\tb\u00a0 '],
  ['SQL, HTML and paths', `'; drop table attempt; -- <script>"\\../%00`],
  ['control characters', 'a\u0001\u001b[31mb\u007f\uffff'],
  ['4,000 emoji', '🦊'.repeat(4_000)],
])('a prompt of %s is kept, sent and shown exactly', async (_what, prompt) => {
  let sent: unknown
  world().provider.answer('submit', async ({ request, response }) => {
    const chunks = await request.toArray()
    sent = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    response.writeHead(500).end()
  })
  const accountId = await world().openAccount(1)
  const started = await start(accountId, { prompt })
  expect(started).toMatchObject({ ok: true, value: { attempt: { prompt } } })
  await world().step(await world().keyOf(started.ok ? started.value.attempt.id : ''))
  expect(sent).toMatchObject({ prompt })
})

test.each<readonly [string, object, string]>([
  ['a NUL', { prompt: 'a\u0000b' }, 'prompt'],
  ['half a character', { prompt: 'a\ud83d' }, 'prompt'],
  ['nothing', { prompt: '' }, 'prompt'],
  ['4,001 characters', { prompt: 'x'.repeat(4_001) }, 'prompt'],
  ['100,000 characters', { prompt: '狐'.repeat(100_000) }, 'prompt'],
  ['no prompt', { prompt: undefined }, 'prompt'],
  ['a prompt that is a list', { prompt: ['a'] }, 'prompt'],
  ['an id that is no UUID', { requestId: '1' }, 'requestId'],
  ['a size out of bounds', { settings: { ...settings, width: 4_096 } }, 'settings.width'],
  ['a size that this model does not offer', { settings: { ...settings, width: 600 } }, 'settings'],
  ['a price of its own', { price: 0 }, 'input'],
  ['an account of its own', { accountId: newUuid() }, 'input'],
  ['an unknown setting', { settings: { ...settings, url: 'http://10.0.0.1/' } }, 'settings'],
])('%s is refused by name, before anything is held', async (_what, changed, field) => {
  const accountId = await world().openAccount(1)
  const answer = await start(accountId, changed)
  expect(answer).toMatchObject({
    ok: false,
    refusal: { code: 'invalid-input', fields: [{ field }] },
  })
  expect(await attemptsOf(accountId)).toEqual([])
  expect(await world().balance(accountId)).toEqual({ available: 1, held: 0, spent: 0 })
})

test.each([[undefined], [null], [7], ['{}'], [[]]])(
  '%j is no input and is refused',
  async (input) => {
    const accountId = await world().openAccount(1)
    const answer = await startAttempt(world().deps, accountId, input)
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'invalid-input' } })
  },
)

test('a model that is not offered is refused, and holds nothing', async () => {
  const accountId = await world().openAccount(1)
  expect(await start(accountId, { model: 'simulator/elsewhere' })).toMatchObject({
    ok: false,
    refusal: { code: 'model-unavailable' },
  })
  expect(await attemptsOf(accountId)).toEqual([])
})

test('a suspended account starts nothing, and what it began goes on', async () => {
  const accountId = await world().openAccount(2)
  const requestId = randomUUID()
  const first = await start(accountId, { requestId })
  await world().rows(`update account set status = 'suspended' where id = $1`, accountId)

  expect(await start(accountId)).toEqual({ ok: false, refusal: { code: 'account-suspended' } })
  expect(await start(accountId, { requestId })).toMatchObject({
    ok: true,
    value: { replayed: true },
  })
  const key = await world().keyOf(first.ok ? first.value.attempt.id : '')
  await world().runToQuiet(key)
  expect(await world().balance(accountId)).toEqual({ available: 1, held: 0, spent: 1 })
})

test('an account that does not exist starts nothing', async () => {
  expect(await start(AccountId.parse(newUuid()))).toMatchObject({
    ok: false,
    refusal: { code: 'account-suspended' },
  })
})

test('a replay is answered also when its model is not on offer any more', async () => {
  const accountId = await world().openAccount(10)
  const requestId = randomUUID()
  const first = await start(accountId, { requestId })
  const withdrawn = { ...world().deps, models: [] }
  const input = { requestId, ...generation }

  const again = await startAttempt(withdrawn, accountId, input)
  expect(again).toMatchObject({
    ok: true,
    value: { replayed: true, attempt: { id: first.ok ? first.value.attempt.id : '' } },
  })
  expect(await startAttempt(withdrawn, accountId, { ...input, prompt: 'another' })).toEqual({
    ok: false,
    refusal: { code: 'request-id-reused' },
  })
  expect(
    await startAttempt(withdrawn, accountId, { ...input, requestId: randomUUID() }),
  ).toMatchObject({ ok: false, refusal: { code: 'model-unavailable' } })
})
