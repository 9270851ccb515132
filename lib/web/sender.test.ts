import { expect, test } from 'vitest'
import type { GenerationRequest } from '@/lib/domain/generation'
import type { KeyValueStore } from './browser-storage'
import { createOutbox, requestOf } from './outbox'
import { createSender, pauseMs } from './sender'
import type { Started, StartRefusalView } from './start-answer'
import { attemptOf, BALANCE } from './testing/attempt'
import { memoryStorage } from './testing/memory-storage'
import { ACCOUNT, OTHER_ACCOUNT, outboxItem } from './testing/outbox-item'

const ITEM = outboxItem(1)
const accepted = { ok: true, value: { attempt: attemptOf(1), replayed: false, balance: BALANCE } }
const refused = (refusal: StartRefusalView) => ({ ok: false, refusal })

type Post = (request: GenerationRequest) => Promise<unknown>

/** One page load: what it sends, what it learns, and its clock, which moves only when told to. */
function openPage(storage: KeyValueStore, post: Post, accountId = ACCOUNT) {
  let nowMs = 0
  const due = new Map<() => void, number>()
  const sent: GenerationRequest[] = []
  const started: Started[] = []
  const refusals: StartRefusalView[] = []
  const outbox = createOutbox(storage, accountId)
  const sender = createSender({
    outbox,
    post: (request) => {
      sent.push(request)
      return post(request)
    },
    isOutdated: (error) => error instanceof Error && error.message === 'outdated',
    onStarted: (news) => started.push(news),
    onRefused: (refusal) => refusals.push(refusal),
    onSignedOut: () => undefined,
    nowMs: () => nowMs,
    later: (run, delayMs) => {
      due.set(run, nowMs + delayMs)
      return () => due.delete(run)
    },
  })
  const pass = async (ms: number) => {
    nowMs += ms
    for (const [run, atMs] of [...due]) {
      if (atMs > nowMs) continue
      due.delete(run)
      run()
    }
    await settle()
  }
  return { outbox, sender, sent, started, refusals, pass, timers: () => due.size }
}

// Everything that is already resolved gets its turn.
const settle = () => new Promise((resolve) => setImmediate(resolve))
const fail: Post = () => Promise.reject(new Error('network'))
const accept: Post = () => Promise.resolve(accepted)

test('an acknowledged request leaves the outbox, and for a second the page is busy', async () => {
  const page = openPage(memoryStorage(), accept)
  page.outbox.put(ITEM)
  await page.sender.send(ITEM.requestId)
  expect(page.outbox.list()).toEqual([])
  expect(page.started).toHaveLength(1)
  expect(page.sender.isBusy()).toBe(true)
  await page.pass(1_000)
  expect(page.sender.isBusy()).toBe(false)
})

test('is busy from the very moment of sending', () => {
  const page = openPage(memoryStorage(), accept)
  page.outbox.put(ITEM)
  void page.sender.send(ITEM.requestId)
  expect(page.sender.isBusy()).toBe(true)
})

test.each([
  ['the network fails', fail],
  ['the answer is a page of something in between', () => Promise.resolve('<html>')],
  ['there is no answer at all', () => Promise.resolve(undefined)],
  ['the answer has another shape', () => Promise.resolve({ ok: false, refusal: { code: 'x' } })],
])('when %s, the same request is sent again with growing pauses', async (_, post) => {
  const page = openPage(memoryStorage(), post)
  page.outbox.put(ITEM)
  await page.sender.send(ITEM.requestId)
  const pauses = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]
  for (const [index, pause] of pauses.entries()) {
    await page.pass(pause - 1)
    expect(page.sent).toHaveLength(index + 1)
    await page.pass(1)
    expect(page.sent).toHaveLength(index + 2)
  }
  expect(new Set(page.sent.map((request) => JSON.stringify(request)))).toEqual(
    new Set([JSON.stringify(requestOf(ITEM))]),
  )
  expect(page.outbox.list()).toEqual([ITEM])
  expect(page.refusals).toEqual([])
})

test('the pauses are 1, 2, 4, 8 and then always 15 seconds', () => {
  expect([1, 2, 3, 4, 5, 6, 40].map(pauseMs)).toEqual([
    1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
  ])
})

test('a page that was loaded anew sends what the last one left, under the same id', async () => {
  const storage = memoryStorage()
  const before = openPage(storage, fail)
  before.outbox.put(ITEM)
  await before.sender.send(ITEM.requestId)
  const after = openPage(storage, accept)
  await after.sender.sendAll()
  expect(after.sent).toEqual([requestOf(ITEM)])
  expect(after.outbox.list()).toEqual([])
})

test('sends several one after another, oldest first', async () => {
  const page = openPage(memoryStorage(), accept)
  for (const number of [2, 1, 3]) page.outbox.put(outboxItem(number))
  await page.sender.sendAll()
  expect(page.sent.map(({ requestId }) => requestId)).toEqual(
    [1, 2, 3].map((number) => outboxItem(number).requestId),
  )
})

test('never sends what another account of this browser left', async () => {
  const storage = memoryStorage()
  openPage(storage, fail).outbox.put(ITEM)
  const other = openPage(storage, accept, OTHER_ACCOUNT)
  await other.sender.sendAll()
  expect(other.sent).toEqual([])
  expect(createOutbox(storage, ACCOUNT).list()).toEqual([ITEM])
})

test.each<StartRefusalView>([
  {
    code: 'invalid-input',
    fields: [{ field: 'prompt', code: 'empty', values: {}, message: 'No.' }],
  },
  { code: 'insufficient-credits', available: 2, required: 4 },
  { code: 'request-id-reused' },
  { code: 'model-unavailable', isOffered: false },
  { code: 'account-suspended' },
])('forgets a request that is definitely refused: $code', async (refusal) => {
  const page = openPage(memoryStorage(), () => Promise.resolve(refused(refusal)))
  page.outbox.put(ITEM)
  await page.sender.send(ITEM.requestId)
  expect(page.outbox.list()).toEqual([])
  expect(page.refusals).toEqual([refusal])
  expect(page.sender.isBusy()).toBe(false)
  expect(page.timers()).toBe(0)
})

test('keeps a request while nobody is signed in, and sends it once somebody is', async () => {
  const answers = [refused({ code: 'signed-out' }), accepted]
  const page = openPage(memoryStorage(), () => Promise.resolve(answers.shift()))
  page.outbox.put(ITEM)
  await page.sender.send(ITEM.requestId)
  expect(page.outbox.list()).toEqual([ITEM])
  expect(page.timers()).toBe(0)
  await page.sender.sendAll()
  expect(page.outbox.list()).toEqual([])
})

test('a page older than the server keeps the request for the next load and stops asking', async () => {
  const page = openPage(memoryStorage(), () => Promise.reject(new Error('outdated')))
  page.outbox.put(ITEM)
  await page.sender.send(ITEM.requestId)
  expect(page.sender.phases().get(ITEM.requestId)).toEqual({ kind: 'outdated' })
  expect(page.outbox.list()).toEqual([ITEM])
  expect(page.timers()).toBe(0)
})

test('the polled list acknowledges a request whose answer was lost', async () => {
  const page = openPage(memoryStorage(), fail)
  page.outbox.put(ITEM)
  await page.sender.send(ITEM.requestId)
  page.sender.acknowledge([outboxItem(9).requestId, ITEM.requestId])
  await page.pass(60_000)
  expect(page.outbox.list()).toEqual([])
  expect(page.sent).toHaveLength(1)
})

test('an answer that is lost after the list has acknowledged the request changes nothing', async () => {
  let lose: (error: Error) => void = () => undefined
  const page = openPage(memoryStorage(), () => new Promise((_, reject) => (lose = reject)))
  page.outbox.put(ITEM)
  const sending = page.sender.send(ITEM.requestId)
  page.sender.acknowledge([ITEM.requestId])
  lose(new Error('network'))
  await sending
  await page.pass(60_000)
  expect(page.sent).toHaveLength(1)
  expect(page.sender.isBusy()).toBe(false)
})

test('sends the same request only once at a time', async () => {
  const page = openPage(memoryStorage(), accept)
  page.outbox.put(ITEM)
  await Promise.all([page.sender.send(ITEM.requestId), page.sender.sendAll()])
  expect(page.sent).toHaveLength(1)
})

test('leaves a request of another tab to that tab, and takes it over when it stays', async () => {
  const storage = memoryStorage()
  const [here, there] = [openPage(storage, accept), openPage(storage, fail)]
  there.outbox.put(ITEM)
  here.sender.notice()
  await here.pass(4_999)
  expect(here.sent).toEqual([])
  await here.pass(1)
  expect(here.sent).toEqual([requestOf(ITEM)])
})
