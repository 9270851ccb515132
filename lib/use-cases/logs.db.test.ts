import { expect, test } from 'vitest'
import { createLogger } from '@/lib/logger'
import { createSimulatorProvider } from '@/lib/providers/simulator/provider'
import { callback, verifiersWith, WEBHOOK_SECRET } from '@/test/callbacks'
import { accepted, acceptedAndReset, answering, type Behaviour } from '@/test/fake-provider-server'
import { generation } from '@/test/factories'
import { openWorld } from '@/test/world'
import { callbackTokenOf } from './callback-token'
import { receiveCallback } from './receive-callback'

// Every line that web server and worker log of attempts that go well and badly is searched for what
// nobody may read there.

const world = openWorld()
const MARK = 'MARKED PROMPT OF THE LOG TEST'
const KEY = 'MARKED-KEY-OF-THE-PROVIDER'

const lines = () => world().logged.map((line) => JSON.stringify(line))

// A provider that repeats what it was sent, the key too.
const echo = { error: { code: 'invalid_key', message: `${MARK}: ${KEY}` }, prompt: MARK, key: KEY }

test.each<readonly [string, Behaviour]>([
  ['it is taken', accepted],
  ['its answer is lost', acceptedAndReset],
  ['it is refused with its own words', answering(422, echo)],
  ['our key is refused with its own words', answering(401, echo)],
  ['it is throttled with its own words', answering(429, echo)],
  ['it fails with its own words', answering(500, echo)],
])('no line holds a prompt, a key, a token or a secret: %s', async (_what, answer) => {
  const { deps, provider } = world()
  provider.answer('submit', answer)
  const account = await world().openAccount()
  const key = await world().start(account, { prompt: MARK })
  const providers = new Map([
    ['simulator', createSimulatorProvider({ baseUrl: provider.url, now: () => new Date() })],
  ])
  await world().runToQuiet(key, { by: { ...deps, providers } })
  await receiveCallback(
    { ...deps, verifiers: verifiersWith() },
    callback({ id: key.id, taskId: 'task-of-a-callback', callbackSecret: deps.callbackSecret }),
  )

  expect(lines().length).toBeGreaterThan(2)
  const token = callbackTokenOf(deps.callbackSecret, key.id)
  for (const marked of [MARK, KEY, token, deps.callbackSecret, WEBHOOK_SECRET, '@example.com']) {
    expect(lines().filter((line) => line.includes(marked))).toEqual([])
  }
})

test('the lines of an attempt say which it is, whose, of which request and at which provider', async () => {
  world().provider.answer('submit', accepted)
  const account = await world().openAccount()
  const key = await world().start(account)
  await world().runToQuiet(key)
  const [row] = await world().rows('select request_id from attempt where id = $1', key.id)
  const about = { attemptId: key.id, accountId: account }
  expect(world().logged).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...about,
        msg: 'attempt submitted',
        requestId: row?.['request_id'],
        model: generation.model,
      }),
      expect.objectContaining({ ...about, msg: 'submission answered', provider: 'simulator' }),
      expect.objectContaining({ ...about, msg: 'attempt moved', to: 'completed' }),
    ]),
  )
})

test('of a row that the database refuses, its rule is logged and not the row', async () => {
  const account = await world().openAccount()
  const key = await world().start(account, { prompt: MARK })
  const refusal = await world()
    .owner.query('update attempt set price = 0, version = version + 1 where id = $1', [key.id])
    .catch((error: unknown) => error)
  const copied = await world()
    .owner.query(
      `insert into attempt (id, account_id, request_id, fingerprint, provider, model, prompt, settings,
                            price, reserved_credits, callback_token_hash)
       values (gen_random_uuid(), $1, gen_random_uuid(), sha256('x'), 'simulator', 'x', $2, '{}', 0, 0,
               sha256('y'))`,
      [account, MARK],
    )
    .catch((error: unknown) => error)
  expect(JSON.stringify(copied)).toContain(MARK)
  const written: string[] = []
  const log = createLogger('test', 'info', { write: (line) => void written.push(line) })
  log.error({ err: copied }, 'refused')
  log.error({ err: new Error('outside', { cause: copied }) }, 'refused within')
  log.error({ err: refusal }, 'refused')
  expect(written.join('')).toContain('attempt_price_bounded')
  expect(written.join('')).not.toContain(MARK)
})
