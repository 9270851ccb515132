import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AttemptId, type AccountId } from '@/lib/domain/ids'
import type { SubmitRequest } from '@/lib/domain/provider'
import { referenceKeyOf } from '@/lib/storage/object-keys'
import { generation } from '@/test/factories'
import {
  gifBytes,
  jpegBytes,
  pngBytes,
  svgBytes,
  truncatedPngBytes,
  webpBytes,
} from '@/test/images'
import { openWorld } from '@/test/world'
import type { WorkerDeps } from './deps'
import { keepImageForReference, REFERENCE_IMAGE_BYTES_MAX } from './reference-images'
import { startAttempt } from './start-attempt'

// Images that attempts are made after: named by their content, owned by an account.

const world = openWorld()

/** The same world with a model that takes two of them, and a provider that shows what it was sent. */
function takingTwo() {
  const sent: SubmitRequest[] = []
  const { deps } = world()
  const by: WorkerDeps = {
    ...deps,
    models: deps.models.map((model) => ({ ...model, referenceImagesMax: 2 })),
    providers: new Map(
      [...deps.providers].map(([name, provider]) => [
        name,
        {
          ...provider,
          submit: (request, signal) => {
            sent.push(request)
            return provider.submit(request, signal)
          },
        },
      ]),
    ),
  }
  return { by, sent }
}

async function keep(accountId: AccountId, bytes: Buffer): Promise<string> {
  const kept = await keepImageForReference(world().deps, accountId, bytes)
  if (!kept.ok) throw new Error(kept.refusal.message)
  return kept.value.sha256
}

const start = (by: WorkerDeps, accountId: AccountId, referenceImages: readonly string[]) =>
  startAttempt(by, accountId, {
    requestId: randomUUID(),
    ...generation,
    settings: { ...generation.settings, referenceImages: [...referenceImages] },
  })

const startedKey = async (
  accountId: AccountId,
  started: ReturnType<typeof start>,
): Promise<AttemptKey> => {
  const result = await started
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return { id: AttemptId.parse(result.value.attempt.id), accountId }
}

test('the provider is sent the very bytes, in the order in which they were named', async () => {
  const { by, sent } = takingTwo()
  const accountId = await world().openAccount()
  const [png, jpeg] = await Promise.all([pngBytes(), jpegBytes()])
  const named = [await keep(accountId, jpeg), await keep(accountId, png)]
  const key = await startedKey(accountId, start(by, accountId, named))
  await world().runToQuiet(key, { by })

  expect(await world().attempt(key)).toMatchObject({ state: 'completed' })
  expect(sent).toHaveLength(1)
  expect(sent[0]?.referenceImages).toEqual([
    { contentType: 'image/jpeg', bytes: jpeg },
    { contentType: 'image/png', bytes: png },
  ])
})

test('the same image is kept once, however often it is sent', async () => {
  const accountId = await world().openAccount()
  const webp = await webpBytes()
  const digests = await Promise.all(Array.from({ length: 8 }, () => keep(accountId, webp)))
  expect(new Set(digests).size).toBe(1)
  expect(
    await world().rows('select from reference_image where account_id = $1', accountId),
  ).toHaveLength(1)
})

test('another set of images under the same id is another request, and is refused', async () => {
  const { by } = takingTwo()
  const accountId = await world().openAccount()
  const first = await keep(accountId, await pngBytes('#111'))
  const second = await keep(accountId, await pngBytes('#eee'))
  const requestId = randomUUID()
  const ask = (referenceImages: readonly string[]) =>
    startAttempt(by, accountId, {
      requestId,
      ...generation,
      settings: { ...generation.settings, referenceImages: [...referenceImages] },
    })
  expect(await ask([first, second])).toMatchObject({ ok: true })
  expect(await ask([first, second])).toMatchObject({ ok: true, value: { replayed: true } })
  for (const other of [[first], [second, first], [first, first]]) {
    expect(await ask(other)).toMatchObject({ refusal: { code: 'request-id-reused' } })
  }
})

test('an image of somebody else, or of nobody, is refused before anything is held', async () => {
  const { by } = takingTwo()
  const accountId = await world().openAccount()
  const theirs = await keep(await world().openAccount(), await pngBytes('#123'))
  for (const sha256 of [theirs, 'ab'.repeat(32)]) {
    expect(await start(by, accountId, [sha256])).toMatchObject({
      refusal: {
        code: 'invalid-input',
        fields: [{ field: 'settings.referenceImages' }],
      },
    })
  }
  expect(await world().balance(accountId)).toMatchObject({ available: 100, held: 0 })
})

test('a model that takes none, or fewer, says so', async () => {
  const accountId = await world().openAccount()
  const named = [await keep(accountId, await pngBytes('#456'))]
  expect(await start(world().deps, accountId, named)).toMatchObject({
    refusal: { code: 'invalid-input' },
  })
  const three = [...named, ...named, ...named]
  expect(await start(takingTwo().by, accountId, three)).toMatchObject({
    refusal: { code: 'invalid-input' },
  })
})

test('an attempt whose image was lost is not sent, and is not charged', async () => {
  const { by, sent } = takingTwo()
  const accountId = await world().openAccount(10)
  const sha256 = await keep(accountId, await pngBytes('#789'))
  const key = await startedKey(accountId, start(by, accountId, [sha256]))
  await world().deps.images.remove(referenceKeyOf(accountId, sha256))
  await world().runToQuiet(key, { by })

  expect(await world().attempt(key)).toMatchObject({
    state: 'failed',
    settlement: 'released',
    failure_code: 'invalid_input',
  })
  expect(sent).toEqual([])
  expect(await world().balance(accountId)).toEqual({ available: 10, held: 0, spent: 0 })
})

test('a store that is away is no loss: the attempt waits for it', async () => {
  const { by } = takingTwo()
  const accountId = await world().openAccount()
  const sha256 = await keep(accountId, await pngBytes('#abc'))
  const key = await startedKey(accountId, start(by, accountId, [sha256]))
  const away = { ...by.images, get: () => Promise.reject(new Error('ECONNREFUSED')) }
  await expect(world().step(key, { by: { ...by, images: away } })).rejects.toThrow('ECONNREFUSED')
  expect(await world().attempt(key)).toMatchObject({ state: 'initializing' })
  await world().step(key, { by, lease: true })
  expect(await world().attempt(key)).toMatchObject({ state: 'pending' })
})

test.each<readonly [string, () => Promise<Buffer>, string]>([
  ['nothing', () => Promise.resolve(Buffer.alloc(0)), 'not-an-image'],
  ['text', () => Promise.resolve(Buffer.from('hello')), 'not-an-image'],
  ['an SVG', svgBytes, 'not-an-image'],
  ['a GIF', gifBytes, 'not-an-image'],
  ['half an image', truncatedPngBytes, 'not-an-image'],
  [
    'too many bytes',
    () => Promise.resolve(Buffer.alloc(REFERENCE_IMAGE_BYTES_MAX + 1)),
    'too-large',
  ],
])('%s is refused, and nothing is kept', async (_what, bytes, code) => {
  const accountId = await world().openAccount()
  const kept = await keepImageForReference(world().deps, accountId, await bytes())
  expect(kept).toMatchObject({ ok: false, refusal: { code } })
  expect(
    await world().rows('select from reference_image where account_id = $1', accountId),
  ).toEqual([])
})

test('an account may keep only so many', async () => {
  const accountId = await world().openAccount()
  await world().rows(
    `insert into reference_image (account_id, sha256, content_type, size_bytes)
     select $1, sha256(n::text::bytea), 'image/png', 1 from generate_series(1, 1000) n`,
    accountId,
  )
  const kept = await keepImageForReference(world().deps, accountId, await pngBytes('#def'))
  expect(kept).toMatchObject({ ok: false, refusal: { code: 'too-many' } })
})
