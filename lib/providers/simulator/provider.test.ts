import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import {
  answering,
  looking,
  resetUnread,
  silent,
  startFakeProvider,
  taskBody,
  type Behaviour,
  type FakeProvider,
} from '@/test/fake-provider-server'
import { createSimulatorProvider } from './provider'

let server: FakeProvider

beforeAll(async () => {
  server = await startFakeProvider()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const observe = (id = 'task-1') =>
  createSimulatorProvider({ baseUrl: `${server.url}/`, now: () => new Date() }).observe(
    TaskId.parse(id),
    'simulator/proof',
    AbortSignal.timeout(500),
  )

test.each<readonly [string, Behaviour, object]>([
  ['queued', looking('queued'), { kind: 'pending', progress: undefined }],
  ['rendering', looking('rendering'), { kind: 'pending', progress: 0.5 }],
  [
    'succeeded',
    looking('succeeded', 'http://x/y'),
    { kind: 'succeeded', result: { url: 'http://x/y' } },
  ],
  [
    'succeeded without an image',
    looking('succeeded'),
    { kind: 'failed', failure: { code: 'unusable_result' } },
  ],
  ['failed', looking('failed'), { kind: 'failed', failure: { code: 'provider_failed' } }],
  ['cancelled', looking('cancelled'), { kind: 'failed', failure: { code: 'cancelled' } }],
  [
    'failed for its content',
    answering(200, { ...taskBody('t', 'failed'), error: { code: 'content_policy', message: '' } }),
    { kind: 'failed', failure: { code: 'moderated' } },
  ],
  [
    'failed without a reason',
    answering(200, { ...taskBody('t', 'failed'), error: null }),
    { kind: 'failed', failure: { code: 'provider_failed' } },
  ],
])('a task that %s is observed as that', async (_what, behaviour, expected) => {
  server.answer('status', behaviour)
  expect(await observe()).toMatchObject(expected)
})

test('an unknown task is missing, which proves nothing', async () => {
  server.answer('status', answering(404, { error: { code: 'not_found' } }))
  expect(await observe()).toMatchObject({ kind: 'missing' })
})

test.each<readonly [string, Behaviour]>([
  ['500', answering(500)],
  ['503', answering(503)],
  ['401', answering(401)],
  ['302', answering(302, '', { location: '/elsewhere' })],
  ['HTML', answering(200, '<html>')],
  ['nothing', answering(200, '')],
  ['a status that nobody documented', looking('pondering')],
  ['progress beyond its end', answering(200, { ...taskBody('t', 'rendering'), progress: 7 })],
  ['a reset', resetUnread],
  ['silence', silent],
])(
  'a look that is answered by %s failed, and says nothing of the task',
  async (_what, behaviour) => {
    server.answer('status', behaviour)
    expect(await observe()).toMatchObject({ kind: 'unavailable' })
  },
)

test('a provider that asks to look later is heard', async () => {
  server.answer('status', answering(429, {}, { 'retry-after': '33' }))
  expect(await observe()).toMatchObject({ kind: 'unavailable', retryAfterMs: 33_000 })
})

test('a task’s name is no way to another address', async () => {
  let asked: string | undefined
  server.answer('status', ({ request, response }) => {
    asked = request.url
    response.writeHead(500).end()
  })
  await observe('../../_/tasks?x=1#y')
  expect(asked).toBe('/v1/generations/..%2F..%2F_%2Ftasks%3Fx%3D1%23y')
})
