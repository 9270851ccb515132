import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { TEST_NOW } from '@/test/unanswered'
import { openAi } from './kind'
import { createOpenAiVerifier } from './verifier'

const RAW = Buffer.from('a secret of the project’s webhook')
const SECRET = `whsec_${RAW.toString('base64')}`

type Changes = {
  readonly key?: Buffer
  readonly ageSeconds?: number
  readonly headers?: Readonly<Record<string, string | null>>
  readonly sent?: string
}

const eventOf = (type: string, id = 'resp_0001') =>
  JSON.stringify({ id: 'evt_1', object: 'event', type, created_at: 1, data: { id } })

function verify(body: string, changes: Changes = {}) {
  const timestamp = String(TEST_NOW.getTime() / 1_000 - (changes.ageSeconds ?? 0))
  const signature = createHmac('sha256', changes.key ?? RAW)
    .update(`wh_1.${timestamp}.${body}`)
    .digest('base64')
  const headers: Readonly<Record<string, string | null>> = {
    'webhook-id': 'wh_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    ...changes.headers,
  }
  return createOpenAiVerifier(SECRET).verify({
    header: (name) => headers[name] ?? null,
    body: Buffer.from(changes.sent ?? body),
    now: TEST_NOW,
    attemptSecret: undefined,
  })
}

test.each([
  ['response.completed', 'succeeded'],
  ['response.failed', 'failed'],
  ['response.cancelled', 'failed'],
  ['response.incomplete', 'failed'],
])('%s names the response and claims that it %s', async (type, claims) => {
  expect(await verify(eventOf(type))).toEqual({
    deliveryId: 'wh_1',
    taskId: 'resp_0001',
    claims,
  })
})

test.each([
  ['another event of the project', eventOf('batch.completed', 'batch_1')],
  ['an event without a name', JSON.stringify({ type: 'response.completed', data: {} })],
  ['no JSON', 'hello'],
])('%s is genuine and names no task', async (_what, body) => {
  expect(await verify(body)).toEqual({
    deliveryId: 'wh_1',
    taskId: undefined,
    claims: undefined,
  })
})

test.each<readonly [string, Changes]>([
  ['signed with another secret', { key: Buffer.from('another secret') }],
  ['signed with the secret as it is written', { key: Buffer.from(SECRET) }],
  ['six minutes old', { ageSeconds: 360 }],
  ['from six minutes ahead', { ageSeconds: -360 }],
  ['with another body', { sent: eventOf('response.completed', 'resp_0002') }],
  ['without a signature', { headers: { 'webhook-signature': null } }],
  ['without an id', { headers: { 'webhook-id': null } }],
  ['without a time', { headers: { 'webhook-timestamp': null } }],
])('a callback %s proves nothing', async (_what, changes) => {
  expect(await verify(eventOf('response.completed'), changes)).toBeUndefined()
})

test('callbacks are taken only where the secret is, which is no key of the worker’s', () => {
  const opened = (source: Record<string, string>) => openAi.open(source)
  expect(opened({}).verifier()).toBeUndefined()
  expect(opened({ OPENAI_WEBHOOK_SECRET: SECRET }).verifier()).toBeDefined()
  expect(openAi.keys).toEqual(['OPENAI_API_KEY'])
  expect(() => opened({ OPENAI_WEBHOOK_SECRET: 'a secret of another kind' })).toThrow('whsec_')
})
