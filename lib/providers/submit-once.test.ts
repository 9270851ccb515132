import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  accepted,
  acceptedAndCutShort,
  acceptedAndStalled,
  answering,
  resetUnread,
  silent,
  startFakeProvider,
  type FakeProvider,
} from '@/test/fake-provider-server'
import { describeError } from './describe-error'
import { retryAfterMs } from './retry-after'
import { submitOnce } from './submit-once'

let provider: FakeProvider

beforeAll(async () => {
  provider = await startFakeProvider()
})
beforeEach(() => provider.reset())
afterAll(() => provider.close())

const submit = async (base = provider.url, signal = AbortSignal.timeout(500)) => {
  const { answer } = await submitOnce({
    url: `${base}/v1/generations`,
    headers: { 'x-our-reference': 'r' },
    body: JSON.stringify({ reference: 'r' }),
    signal,
  })
  return answer
}

test('an answer comes back whole, whatever its status', async () => {
  provider.answer('submit', answering(418, 'short and stout', { 'Retry-After': '7' }))
  const answer = await submit()
  expect(answer).toMatchObject({ kind: 'answered', status: 418, text: 'short and stout' })
  expect(answer.kind === 'answered' && answer.header('retry-after')).toBe('7')
  expect(answer.kind === 'answered' && answer.header('X-Absent')).toBeUndefined()
})

test('what is sent is JSON, with our headers, on a connection of its own', async () => {
  const ports = new Set<number | undefined>()
  provider.answer('submit', (exchange) => {
    const { request, socket } = exchange
    ports.add(socket.remotePort)
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-our-reference': 'r',
    })
    expect(request.headers.expect).toBeUndefined()
    return accepted(exchange)
  })
  await submit()
  await submit()
  expect(ports.size).toBe(2)
})

test.each([
  ['is reset', resetUnread],
  ['is silent until our deadline', silent],
  ['stops in the middle of its answer', acceptedAndCutShort],
  ['stalls in the middle of its answer', acceptedAndStalled],
  ['answers without end', answering(200, 'x'.repeat(256 * 1_024 + 1))],
])('a connection that %s leaves no answer, and is not tried again', async (_what, behaviour) => {
  provider.answer('submit', behaviour, accepted)
  expect(await submit()).toMatchObject({ kind: 'no-answer' })
  expect(provider.posts()).toBe(1)
})

test.each([
  ['nobody listens', () => 'http://127.0.0.1:1'],
  ['the name does not exist', () => 'http://nowhere.invalid'],
  ['the other side speaks no TLS', () => provider.url.replace('http:', 'https:')],
])('where %s, nothing was sent', async (_what, base) => {
  expect(await submit(base(), AbortSignal.timeout(5_000))).toMatchObject({ kind: 'not-sent' })
  expect(provider.posts()).toBe(0)
})

test('a deadline that is over before the connection is made sends nothing', async () => {
  expect(await submit(provider.url, AbortSignal.abort())).not.toMatchObject({ kind: 'answered' })
  expect(provider.posts()).toBe(0)
})

const now = new Date('2026-11-30T12:00:00Z')

test.each([
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['9999999999', undefined],
  ['2026-11-30', undefined],
  ['0', 0],
  ['7', 7_000],
  ['999999999', 999_999_999_000],
  ['Mon, 30 Nov 2026 12:00:30 GMT', 30_000],
  ['Monday, 30-Nov-26 12:00:30 GMT', 30_000],
  ['Mon, 30 Nov 2026 11:59:00 GMT', 0],
])('Retry-After: %s is %s ms', (value, expected) => {
  expect(retryAfterMs(value, now)).toBe(expected)
})

test('an error is described by its code, its words and its cause, in short', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  expect(describeError(new Error('failed', { cause }))).toBe('failed (ECONNREFUSED: refused)')
  expect(describeError('a string')).toBe('unknown error')
  expect(describeError(new Error('x'.repeat(1_000)))).toHaveLength(300)
})
