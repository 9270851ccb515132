import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendCallback } from './callback'
import {
  createManualClock,
  createTestFolder,
  PATIENCE,
  startTestSimulator,
  TEST_SECRET,
  TEST_TIMEOUT_MS,
  type ManualClock,
  type TestSimulator,
} from './testing'

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string }

/** A receiver that remembers what it got and answers as it is told. */
async function startReceiver() {
  const received: Received[] = []
  let status = 204
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = []
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/callbacks`,
    received,
    answerWith: (next: number) => {
      status = next
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

let clock: ManualClock
let simulator: TestSimulator
let folder: ReturnType<typeof createTestFolder>
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeEach(async () => {
  clock = createManualClock()
  folder = createTestFolder()
  simulator = await startTestSimulator({ folder: folder.folder, clock })
  receiver = await startReceiver()
})

afterEach(async () => {
  await simulator.close()
  await receiver.close()
  folder.remove()
})

/** Lets time pass in small steps until the one task looks as expected. */
async function passTimeUntil(expected: Readonly<Record<string, unknown>>, stepMs = 500) {
  await vi.waitFor(async () => {
    clock.advance(stepMs)
    expect((await simulator.tasks()).data[0]).toMatchObject(expected)
  }, PATIENCE)
}

test('signs the finished task so that its receiver can verify every byte', async () => {
  const { id } = await simulator.accept({ callback_url: receiver.url })
  await passTimeUntil({ callback_state: 'delivered', callback_tries: 1 })

  expect(receiver.received).toHaveLength(1)
  const { headers, body } = receiver.received[0] ?? { headers: {}, body: '' }
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const expected = createHmac('sha256', Buffer.from(TEST_SECRET, 'utf8')).update(content)
  expect(headers['webhook-signature']).toBe(`v1,${expected.digest('base64')}`)
  expect(Number(headers['webhook-timestamp'])).toBeGreaterThan(1_700_000_000)
  expect(JSON.parse(body)).toEqual(await simulator.task(id))
})

test('tells of a failure too', async () => {
  await simulator.accept({ prompt: 'a lake #drill:fail', callback_url: receiver.url })
  await passTimeUntil({ callback_state: 'delivered' })
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    status: 'failed',
    error: { code: 'render_failed' },
  })
})

test('a receiver that answers with an error is asked three times under one id, then no more', async () => {
  receiver.answerWith(500)
  await simulator.accept({ callback_url: receiver.url })
  await passTimeUntil({ callback_state: 'abandoned', callback_tries: 3 })
  clock.advance(60_000)
  expect(receiver.received).toHaveLength(3)
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  expect(ids.size).toBe(1)
})

test('does not follow a redirect', async () => {
  receiver.answerWith(307)
  const callback = { url: receiver.url, headers: {}, body: '{}' }
  expect(await sendCallback(callback, new AbortController().signal)).toBe(false)
  expect(receiver.received).toHaveLength(1)
})

test('a callback that is due survives a restart', async () => {
  receiver.answerWith(500)
  await simulator.accept({ callback_url: receiver.url })
  await passTimeUntil({ callback_state: 'due', callback_tries: 1 }, 300)
  await simulator.close()

  receiver.answerWith(204)
  simulator = await startTestSimulator({ folder: folder.folder, clock })
  await passTimeUntil({ callback_state: 'delivered' })
})

test('lost-answer: the connection dies, yet there is one submission, a picture and no callback', async () => {
  const submitting = simulator.submit({
    prompt: 'a lake #drill:lost-answer',
    callback_url: receiver.url,
  })
  await expect(submitting).rejects.toThrow('fetch failed')

  const { count, data } = await simulator.submissions('attempt-1')
  expect(count).toBe(1)
  expect(data[0]?.outcome).toBe('accepted')
  await passTimeUntil({ id: data[0]?.task_id, status: 'succeeded', callback_state: 'none' })
  expect((await simulator.task(data[0]?.task_id ?? '')).result).not.toBeNull()
  expect(receiver.received).toHaveLength(0)
})

test('late-success: the connection dies, and the callback after 8 s names the reference', async () => {
  const submitting = simulator.submit({
    prompt: 'a lake #drill:late-success',
    callback_url: receiver.url,
  })
  await expect(submitting).rejects.toThrow('fetch failed')

  clock.advance(7_900)
  await vi.waitFor(async () => {
    expect((await simulator.tasks()).data[0]?.status).toBe('rendering')
  }, PATIENCE)
  expect(receiver.received).toHaveLength(0)
  await passTimeUntil({ status: 'succeeded', callback_state: 'delivered' }, 4_000)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    reference: 'attempt-1',
    status: 'succeeded',
  })
})
