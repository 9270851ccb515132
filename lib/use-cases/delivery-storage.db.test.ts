import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { spoolResult } from '@/lib/db/recovery-store'
import type { AttemptKey, ResultRef } from '@/lib/domain/attempt'
import { TaskId } from '@/lib/domain/ids'
import type { Output, Provider } from '@/lib/domain/provider'
import { DecoderError } from '@/lib/storage/decoder-process'
import type { ImageStore } from '@/lib/storage/image-store'
import { sha256Of } from '@/lib/storage/sha256'
import { at, DAY } from '@/test/clock'
import { answering } from '@/test/fake-provider-server'
import { gifBytes, jpegBytes, pngBytes } from '@/test/images'
import { interceptQueries } from '@/test/intercepted-pool'
import { openWorld } from '@/test/world'
import { deliverResult, secureImage } from './deliver-result'
import type { WorkerDeps } from './deps'
import { readImage } from './read-attempts'
import { takeNextAction } from './take-next-action'

// Where the bytes are between the provider and our store, and what a store may do to them.

const world = openWorld()

const HELD = { available: 9, held: 1, spent: 0 }
const SPENT = { available: 9, held: 0, spent: 1 }

async function made() {
  const accountId = await world().openAccount(10)
  const key = await world().start(accountId)
  await world().step(key)
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'delivering' })
  return key
}

async function expectHeld(key: AttemptKey) {
  expect(await world().attempt(key)).toMatchObject({ state: 'storage_failed', settlement: null })
  expect(await world().balance(key.accountId)).toEqual(HELD)
}

async function expectDelivered(key: AttemptKey, bytes: Buffer) {
  expect(await world().attempt(key)).toMatchObject({ state: 'completed', settlement: 'settled' })
  expect(await world().balance(key.accountId)).toEqual(SPENT)
  expect(await world().entries(key)).toEqual(['reserved', 'settled'])
  const image = await readImage(world(), key.accountId, key.id)
  expect(image?.bytes.equals(bytes)).toBe(true)
  expect(await spooledOf(key)).toEqual([])
}

async function thumbnailOf({ accountId, id }: AttemptKey) {
  await expect
    .poll(async () => (await readImage(world(), accountId, id, 'thumb'))?.standsIn)
    .toBe(false)
  const image = await readImage(world(), accountId, id, 'thumb')
  if (!image) throw new Error('not delivered')
  return image
}

const spooledOf = (key: AttemptKey) =>
  world().rows('select bytes from spool where attempt_id = $1', key.id)
const newestReason = async (key: AttemptKey) => {
  const [row] = await world().rows(
    `select evidence->>'reason' as reason from attempt_event where attempt_id = $1
     order by seq desc limit 1`,
    key.id,
  )
  return row?.['reason']
}

/** A store whose parts a test replaces. */
const storing = (changed: Partial<ImageStore>): WorkerDeps => ({
  ...world().deps,
  images: { ...world().images, ...changed },
})
/** A database that answers so when it is asked to spool: the one query here without a name. */
const asking = (answer: () => Promise<unknown>): WorkerDeps['db'] => ({
  ...world().db,
  pool: interceptQueries(world().db.pool, (name, run) => (name === 'query' ? answer() : run())),
})
const refusing = (message: string) =>
  storing({
    put: () => Promise.reject(new Error(message)),
    get: () => Promise.reject(new Error(message)),
  })

// The store is down, and then it is up.

test.each([
  'ENOSPC: no space left on device',
  'EROFS: read-only file system',
  '503 SlowDown',
  'ETIMEDOUT',
])(
  '%s for a while: the image waits with us, and may be gone where it was made',
  async (trouble) => {
    const bytes = await pngBytes('#a33', 128)
    world().provider.answer('image', answering(200, bytes), answering(403))
    const key = await made()
    const by = refusing(trouble)
    for (let time = 0; time < 4; time += 1) {
      await world().step(key, { by })
      await expectHeld(key)
    }
    expect(await newestReason(key)).toBe(trouble)
    expect(await spooledOf(key)).toEqual([{ bytes }])

    await world().step(key)
    await expectDelivered(key, bytes)
    expect(world().provider.posts()).toBe(1)
  },
)

test('a worker that died after it spooled leaves the image to the next', async () => {
  const bytes = await pngBytes('#3a3', 128)
  const key = await made()
  world().provider.answer('image', answering(410))
  expect(await spoolResult(world().db, key, bytes, 256)).toBe('kept')
  await world().step(key)
  await expectHeld(key)
  await world().step(key)
  await expectDelivered(key, bytes)
})

test('where the spool is full too, the result is fetched again', async () => {
  const bytes = await pngBytes()
  let fetches = 0
  world().provider.answer('image', (exchange) => {
    fetches += 1
    return answering(200, bytes)(exchange)
  })
  const key = await made()
  const full = asking(() => Promise.resolve({ rows: [{ outcome: 'full' }] }))
  await world().step(key, { by: { ...refusing('ENOSPC'), db: full } })
  await expectHeld(key)
  await world().step(key)
  await expectDelivered(key, bytes)
  expect(fetches).toBe(2)
})

test('a result that expired between two tries is said to be, and is delivered if it comes back', async () => {
  const key = await made()
  world().provider.answer('image', answering(403))
  await world().step(key)
  await expectHeld(key)
  expect(await newestReason(key)).toBe(
    'The result has expired or was removed: 127.0.0.1 answered 403.',
  )
  world().provider.answer('image')
  await world().step(key)
  await expectDelivered(key, await pngBytes())
})

test('thirty days later the image is ours, whatever became of the provider’s address', async () => {
  const bytes = await pngBytes('#33a', 1_024)
  world().provider.answer('image', answering(200, bytes), answering(403))
  const key = await made()
  await world().step(key)
  await at(world(), 30 * DAY, async (deps) => {
    const image = await readImage(deps, key.accountId, key.id)
    expect(image?.bytes.equals(bytes)).toBe(true)
  })
})

// Two at once, and twice.

test('two that deliver other bytes at once agree on the ones stored first', async () => {
  const candidates = await Promise.all([pngBytes('#111', 700), pngBytes('#eee', 700)])
  world().provider.answer('image', ...candidates.map((bytes) => answering(200, bytes)))
  const key = await made()
  const first = await world().claimOne(key)
  await world().makeDue(key, { lease: true })
  const [second] = await world().claim(key)
  await Promise.all([first, ...(second ? [second] : [])].map((c) => takeNextAction(world(), c)))

  const image = await readImage(world(), key.accountId, key.id)
  if (!image) throw new Error('not delivered')
  await expectDelivered(key, image.bytes)
  expect(candidates.some((bytes) => bytes.equals(image.bytes))).toBe(true)
  const thumbnail = await thumbnailOf(key)
  // The small copy is of the one that won.
  const [small, whole] = await Promise.all(
    [thumbnail.bytes, image.bytes].map(async (bytes) => (await sharp(bytes).stats()).dominant),
  )
  expect(small).toEqual(whole)
})

test('two attempts with the same bytes have an image each', async () => {
  const [one, other] = [await made(), await made()]
  await world().step(one)
  await world().step(other)
  const rows = await world().rows(
    'select object_key, sha256 from artwork where attempt_id = any($1)',
    [one.id, other.id],
  )
  expect(new Set(rows.map((row) => row['object_key'])).size).toBe(2)
  expect(new Set(rows.map((row) => String(row['sha256']))).size).toBe(1)
})

test('a decoder that dies delays one delivery and decides nothing', async () => {
  const key = await made()
  const [claimed] = await world().rows('select result from attempt where id = $1', key.id)
  const result = claimed?.['result'] as ResultRef
  const provider = { trustedOrigins: [world().provider.url] }
  const dying = {
    start: () => undefined,
    inspect: () => Promise.reject(new DecoderError('the decoder ended: SIGSEGV')),
  }
  const delivering = { state: 'delivering', taskId: undefined, result } as const
  const outcome = await deliverResult(
    world().deps,
    { key, state: delivering, generation: { model: 'any' } },
    provider,
    dying,
  )
  expect(outcome).toEqual({
    kind: 'not-yet',
    stage: 'store',
    reason: 'The image could not be checked: the decoder ended: SIGSEGV.',
  })
  await world().runToQuiet(key)
  await expectDelivered(key, await pngBytes())
})

// Bytes that came with an answer.

/** The simulator, answering at once with these bytes. */
function answeringAtOnce(bytes: Buffer, changed: Partial<WorkerDeps> = {}): WorkerDeps {
  const simulator = world().deps.providers.get('simulator')
  if (!simulator) throw new Error('no simulator')
  const provider: Provider = {
    ...simulator,
    submit: async (...call) => {
      const { usage } = await simulator.submit(...call)
      return { outcome: { kind: 'made', image: bytes }, usage }
    },
  }
  const deps = { ...world().deps, ...changed }
  return { ...deps, providers: new Map([['simulator', provider]]) }
}

async function answeredAtOnce(bytes: Buffer, changed: Partial<WorkerDeps> = {}) {
  world().provider.answer('image', answering(500))
  const key = await world().start(await world().openAccount(10))
  await world().step(key, { by: answeringAtOnce(bytes, changed) })
  return key
}

const resultOf = async (key: AttemptKey) => {
  const [row] = await world().rows('select state, result from attempt where id = $1', key.id)
  return row
}

test('bytes that came with an answer are stored at once, and delivered from there', async () => {
  const bytes = await pngBytes('#a3a', 1_024)
  const key = await answeredAtOnce(bytes)
  const result = { from: 'store', sha256: sha256Of(bytes) }
  expect(await resultOf(key)).toEqual({ state: 'delivering', result })
  await world().step(key)
  await expectDelivered(key, bytes)
  expect(await thumbnailOf(key)).toMatchObject({ contentType: 'image/webp', standsIn: false })
})

test('with the store down they wait in the spool, which nobody can fetch them for again', async () => {
  const bytes = await pngBytes('#aa3', 128)
  const { images } = refusing('503')
  const key = await answeredAtOnce(bytes, { images })
  const result = { from: 'spool', sha256: sha256Of(bytes) }
  expect(await resultOf(key)).toEqual({ state: 'delivering', result })
  await world().step(key, { by: { ...world().deps, images } })
  await expectHeld(key)
  await world().step(key)
  await expectDelivered(key, bytes)
})

test('bytes that came with an answer and are no image are the last word as any are', async () => {
  const key = await answeredAtOnce(await gifBytes())
  await world().runToQuiet(key)
  expect(await world().attempt(key)).toMatchObject({
    state: 'failed',
    settlement: 'released',
    failure_code: 'unusable_result',
  })
})

const LATE_MS = 200

test.each<readonly [string, Partial<ImageStore>]>([
  ['refuses', { put: () => Promise.reject(new Error('ENOSPC')) }],
  ['loses', { get: () => Promise.resolve(undefined) }],
  ['spoils', { get: () => Promise.resolve(Buffer.from('rot')) }],
  ['keeps quiet about', { put: () => new Promise(() => undefined) }],
])('what the store %s goes to the spool', async (_does, changed) => {
  const bytes = await pngBytes()
  const key = await world().start(await world().openAccount(10))
  const secured = await secureImage(storing(changed), key, bytes, LATE_MS)
  expect(secured).toEqual({ from: 'spool', sha256: sha256Of(bytes) })
  expect(await spooledOf(key)).toEqual([{ bytes }])
})

test.each<readonly [string, () => Promise<unknown>]>([
  ['is full', () => Promise.resolve({ rows: [{ outcome: 'full' }] })],
  ['cannot be reached', () => Promise.reject(new Error('connection lost'))],
])('with the store down, and a spool that %s, they are kept by nobody', async (_what, answer) => {
  const key = await world().start(await world().openAccount(10))
  const by = { ...refusing('ENOSPC'), db: asking(answer) }
  expect(await secureImage(by, key, await pngBytes())).toBeUndefined()
})

test('securing the same bytes again is the same, and what was spooled first stays', async () => {
  const key = await world().start(await world().openAccount(10))
  const [first, second] = await Promise.all([pngBytes('#111'), pngBytes('#222')])
  const once = await secureImage(world().deps, key, first)
  expect(await secureImage(world().deps, key, first)).toEqual(once)

  const down = refusing('503')
  const spooled = { from: 'spool', sha256: sha256Of(first) }
  expect(await secureImage(down, key, first)).toEqual(spooled)
  expect(await secureImage(down, key, second)).toEqual(spooled)
})

// What a delivery is told of its result.

const nobody = { trustedOrigins: [] }
async function deliver(
  result: ResultRef,
  provider: Pick<Provider, 'trustedOrigins' | 'fetchOutput'> = nobody,
  deps = world().deps,
) {
  const key = await world().start(await world().openAccount(10))
  const state = { state: 'delivering', taskId: TaskId.parse('task-9'), result } as const
  return deliverResult(deps, { key, state, generation: { model: 'some/model' } }, provider)
}

test.each([
  ['store', 'The store does not have the image that it took.'],
  ['spool', 'The spool does not have the image that it took.'],
] as const)('an image lost from the %s is missed, and nothing is decided', async (from, reason) => {
  const result = { from, sha256: sha256Of(Buffer.from('lost')) }
  expect(await deliver(result)).toEqual({ kind: 'not-yet', stage: 'store', reason })
})

test('an image that the store cannot give now is looked for again', async () => {
  const result = { from: 'store', sha256: sha256Of(Buffer.from('any')) } as const
  expect(await deliver(result, nobody, refusing('503'))).toEqual({
    kind: 'not-yet',
    stage: 'store',
    reason: '503',
  })
})

test('a provider that hands its output out itself is asked for it, by task and model', async () => {
  const asked = vi.fn(async (): Promise<Output> => ({
    ok: true,
    bytes: await jpegBytes(),
  })) satisfies Provider['fetchOutput']
  const outcome = await deliver({ from: 'task' }, { ...nobody, fetchOutput: asked })
  expect(outcome).toMatchObject({ kind: 'stored', image: { contentType: 'image/jpeg' } })
  expect(asked).toHaveBeenCalledExactlyOnceWith('task-9', 'some/model', expect.any(AbortSignal))
})

test('an output that is gone there is told apart from a bad moment', async () => {
  const fetchOutput = () =>
    Promise.resolve({ ok: false, reason: 'The output has expired.', gone: true } as const)
  const outcome = await deliver({ from: 'task' }, { ...nobody, fetchOutput })
  expect(outcome).toEqual({ kind: 'gone', reason: 'The output has expired.' })
})

test.each<readonly [string, Provider['fetchOutput'], RegExp]>([
  [
    'is too large',
    () => Promise.resolve({ ok: true, bytes: Buffer.alloc(33 * 1_024 * 1_024) }),
    /larger than/,
  ],
  ['nobody can ask for', undefined, /cannot be asked/],
])('an output that %s is not delivered yet', async (_what, fetchOutput, reason) => {
  const outcome = await deliver(
    { from: 'task' },
    { ...nobody, ...(fetchOutput ? { fetchOutput } : {}) },
  )
  expect(outcome).toMatchObject({ kind: 'not-yet', stage: 'fetch' })
  expect(outcome.kind === 'not-yet' ? outcome.reason : '').toMatch(reason)
})

test('an address that is the picture itself is delivered like any other', async () => {
  const bytes = await pngBytes()
  const url = `data:image/png;base64,${bytes.toString('base64')}`
  expect(await deliver({ url })).toMatchObject({
    kind: 'stored',
    image: { sha256: sha256Of(bytes), contentType: 'image/png' },
  })
})

test('a provider on a private network is heard only where that is allowed', async () => {
  const { url, imageUrl } = world().provider
  const result = { url: imageUrl('task-1').replace(url, url.replace('127.0.0.1', 'localhost')) }
  const refused = await deliver(result)
  expect(refused).toMatchObject({ kind: 'not-yet', stage: 'fetch' })
  const allowed = { ...world().deps, allowPrivateResultHosts: true }
  expect(await deliver(result, nobody, allowed)).toMatchObject({ kind: 'stored' })
})

test('an image that rotted in the store is not shown, and is missed in the log', async () => {
  const key = await made()
  await world().step(key)
  const rotten = storing({ get: () => Promise.resolve(Buffer.from('rot')) })
  expect(await readImage(rotten, key.accountId, key.id)).toBeUndefined()
  expect(world().logged).toContainEqual(
    expect.objectContaining({ msg: 'artwork lost', attemptId: key.id, found: 'other bytes' }),
  )
})
