import { expect, test } from 'vitest'
import { createSimulatorProvider } from '@/lib/providers/simulator/provider'
import {
  accepted,
  acceptedAfterContinue,
  acceptedAndCutShort,
  acceptedAndReset,
  acceptedAndSaying,
  acceptedAndSilent,
  acceptedAndStalled,
  answering,
  closedUnread,
  errorBody,
  resetUnread,
  silent,
  type Behaviour,
} from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'

// The only POST, on a real socket: what arrived there, and what became of the attempt and its money.

const world = openWorld()

const HELD = { available: 9, held: 1, spent: 0 }
const GIVEN_BACK = { available: 10, held: 0, spent: 0 }

async function submitted(...answers: readonly Behaviour[]) {
  world().provider.answer('submit', ...answers)
  const accountId = await world().openAccount(10)
  const key = await world().start(accountId)
  await world().runToQuiet(key)
  return { key, accountId }
}

// Nothing here proves that nothing was made: the hold stays, and nothing is sent again.
test.each<readonly [string, Behaviour]>([
  ['the answer is lost after the work was accepted', acceptedAndReset],
  ['the answer never comes', acceptedAndSilent],
  ['nobody knows whether the silence means yes', silent],
  ['the socket is reset before the body was read', resetUnread],
  ['the socket is closed before the body was read', closedUnread],
  ['the answer stops half-way', acceptedAndCutShort],
  ['the answer stalls half-way', acceptedAndStalled],
  ['the answer is no JSON', acceptedAndSaying(202, '<html>ok</html>')],
  ['the answer is empty', acceptedAndSaying(200, '')],
  ['the answer names no task', acceptedAndSaying(202, '{"status":"queued"}')],
  ['the task has an empty name', acceptedAndSaying(202, '{"id":""}')],
  ['the task has no fit name', acceptedAndSaying(202, JSON.stringify({ id: 'x'.repeat(201) }))],
  ['the task has a name that cannot be kept', acceptedAndSaying(202, '{"id":"a\\u0000b"}')],
  ['the answer is larger than any answer', acceptedAndSaying(202, ' '.repeat(300_000))],
  ['a proxy answers 502 for accepted work', acceptedAndSaying(502, 'Bad Gateway')],
  ['it answers 100 first, which our client does not take', acceptedAfterContinue],
  ['it answers 500', answering(500)],
  ['it answers 500 with a documented error', answering(500, errorBody('invalid_input'))],
  ['it answers 503 with a time', answering(503, {}, { 'retry-after': '1' })],
  ['it answers 504', answering(504)],
  ['it answers 408', answering(408)],
  ['it answers 400 with an undocumented body', answering(400, 'no')],
  ['it answers 409, which nobody documented', answering(409, errorBody('invalid_input'))],
  ['it answers 204', answering(204, '')],
])('%s: unresolved, held, and never sent again', async (_what, answer) => {
  const { key, accountId } = await submitted(answer, accepted)

  await world().step(key, { lease: true })
  expect(world().provider.posts()).toBe(1)
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown', settlement: null })
  expect(await world().history(key)).toEqual(['recorded', 'submission_begun', 'submission_unknown'])
  expect(await world().entries(key)).toEqual(['reserved'])
  expect(await world().balance(accountId)).toEqual(HELD)
})

test.each([
  [301, 'http://127.0.0.1:9/elsewhere'],
  [302, '/v1/elsewhere'],
  [307, '/v1/elsewhere'],
  [308, '/v1/elsewhere'],
])('a redirect (%d) of the POST is not followed', async (status, location) => {
  const { key } = await submitted(answering(status, '', { location }), accepted)
  expect(world().provider.posts()).toBe(1)
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown' })
})

test.each([
  [400, 'invalid_input', 'invalid_input'],
  [422, 'content_policy', 'moderated'],
  [400, 'something_new', 'provider_failed'],
])(
  'a documented refusal (%d %s) fails once and gives the credits back',
  async (status, code, failure) => {
    const { key, accountId } = await submitted(answering(status, errorBody(code)), accepted)

    expect(world().provider.posts()).toBe(1)
    expect(await world().attempt(key)).toMatchObject({
      state: 'failed',
      settlement: 'released',
      failure_code: failure,
    })
    expect(await world().history(key)).toEqual(['recorded', 'submission_begun', 'rejected'])
    expect(await world().entries(key)).toEqual(['reserved', 'released'])
    expect(await world().balance(accountId)).toEqual(GIVEN_BACK)
  },
)

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString()

test.each<readonly [string, Record<string, string>]>([
  ['without a time', {}],
  ['with seconds', { 'retry-after': '2' }],
  ['with a date', { 'retry-after': inSeconds(5) }],
  ['with a date that is past', { 'retry-after': inSeconds(-60) }],
  ['with a time that is none', { 'retry-after': 'soon' }],
])('a 429 %s is asked again, and then accepted: one task', async (_what, headers) => {
  const busy = answering(429, {}, headers)
  const { key } = await submitted(busy, busy, accepted)

  expect(world().provider.posts()).toBe(3)
  expect(world().provider.tasksOf(key.id)).toBe(1)
  expect(await world().history(key)).toEqual([
    'recorded',
    ...['submission_begun', 'not_accepted'],
    ...['submission_begun', 'not_accepted'],
    ...['submission_begun', 'accepted', 'succeeded', 'delivered'],
  ])
  expect(await world().entries(key)).toEqual(['reserved', 'settled'])
})

test('a provider that stays busy is asked three times in all', async () => {
  const { key, accountId } = await submitted(answering(429))

  expect(world().provider.posts()).toBe(3)
  expect(await world().attempt(key)).toMatchObject({
    state: 'failed',
    settlement: 'released',
    failure_code: 'provider_unavailable',
  })
  expect(await world().balance(accountId)).toEqual(GIVEN_BACK)
})

test.each([
  ['an hour', '3600', /in 3600 seconds/],
  ['absurdly long', '999999999', /in 999999999 seconds/],
  ['a date far away', inSeconds(86_400), /in 86\d{3} seconds/],
])(
  'a 429 that asks for %s is not asked again, and the user is told when',
  async (_what, after, words) => {
    const { key } = await submitted(answering(429, {}, { 'retry-after': after }), accepted)

    expect(world().provider.posts()).toBe(1)
    const { failure_message, ...attempt } = await world().attempt(key)
    expect(attempt).toMatchObject({ state: 'failed', settlement: 'released' })
    expect(failure_message).toMatch(words)
  },
)

test('the pause that a provider asks for is kept by the database', async () => {
  world().provider.answer('submit', answering(429, {}, { 'retry-after': '20' }))
  const key = await world().start(await world().openAccount())
  await world().step(key)

  const [{ pause } = {}] = await world().rows(
    `select extract(epoch from due_at - now())::float as pause from attempt_work where attempt_id = $1`,
    key.id,
  )
  expect(pause).toBeGreaterThan(18)
  expect(pause).toBeLessThanOrEqual(20)
  expect(await world().claim(key)).toEqual([])
})

test.each([
  ['refuses the connection', 'http://127.0.0.1:1'],
  ['has no address', 'http://provider.invalid'],
  ['cannot speak TLS', 'tls'],
])(
  'a provider that %s was never sent anything: tried three times, then given back',
  async (_what, at) => {
    const baseUrl = at === 'tls' ? world().provider.url.replace('http:', 'https:') : at
    const providers = new Map([
      ['simulator', createSimulatorProvider({ baseUrl, now: () => new Date() })],
    ])
    const accountId = await world().openAccount(10)
    const key = await world().start(accountId)
    await world().runToQuiet(key, { by: { ...world().deps, providers } })

    expect(world().provider.posts()).toBe(0)
    expect(await world().attempt(key)).toMatchObject({
      state: 'failed',
      settlement: 'released',
      failure_code: 'provider_unavailable',
    })
    expect(await world().history(key)).toEqual([
      'recorded',
      ...['submission_begun', 'not_accepted'],
      ...['submission_begun', 'not_accepted'],
      ...['submission_begun', 'not_accepted_finally'],
    ])
    expect(await world().balance(accountId)).toEqual(GIVEN_BACK)
  },
)

test('a task that belongs to another attempt is refused, kept as an anomaly, and resolves nothing', async () => {
  const first = await submitted(accepted)
  const stolen = world().provider.taskIdOf(first.key.id)
  const second = await submitted(acceptedAndSaying(202, JSON.stringify({ id: stolen })))
  await world().step(second.key, { lease: true })

  expect(await world().attempt(second.key)).toMatchObject({
    state: 'status_unknown',
    settlement: null,
    task_id: null,
  })
  expect(await world().anomalies(second.key)).toEqual(['task_of_another_attempt'])
  expect(await world().balance(second.accountId)).toEqual(HELD)
})

// Whatever a provider writes, what it proves is recorded: its text must never stand in the way.
test.each([
  ['a NUL', 'a\u0000b'],
  ['half of a character', 'a\ud83db'],
  ['an emoji where the text is cut', `${'x'.repeat(299)}😀`],
  ['an emoji where the evidence is cut', `${'x'.repeat(499 - 46)}😀`],
  ['more than anybody reads', 'x'.repeat(2_000)],
])('a refusal whose text holds %s still gives the credits back', async (_what, message) => {
  const { key, accountId } = await submitted(answering(400, errorBody('invalid_input', message)))
  expect(await world().attempt(key)).toMatchObject({ state: 'failed', settlement: 'released' })
  expect(await world().balance(accountId)).toEqual(GIVEN_BACK)
})
