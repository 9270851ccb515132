import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageStore } from '@/lib/storage/image-store'
import {
  answering,
  looking,
  startFakeProvider,
  type Behaviour,
  type FakeProvider,
} from '@/test/fake-provider-server'
import {
  gifBytes,
  jpegBytes,
  pngBytes,
  svgBytes,
  truncatedPngBytes,
  webpBytes,
} from '@/test/images'
import { openWorld } from '@/test/world'
import { readImage } from './read-attempts'
import { takeNextAction } from './take-next-action'

// A success upstream is not a delivery: the image is fetched, checked, stored and read back first.

const world = openWorld()

const HELD = { available: 9, held: 1, spent: 0 }
const SPENT = { available: 9, held: 0, spent: 1 }
const GIVEN_BACK = { available: 10, held: 0, spent: 0 }

async function made() {
  const accountId = await world().openAccount(10)
  const key = await world().start(accountId)
  await world().step(key)
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'delivering' })
  return { key, accountId }
}

async function expectDelivered(
  { key, accountId }: Awaited<ReturnType<typeof made>>,
  bytes?: Buffer,
) {
  expect(await world().attempt(key)).toMatchObject({ state: 'completed', settlement: 'settled' })
  expect(await world().balance(accountId)).toEqual(SPENT)
  expect(await world().entries(key)).toEqual(['reserved', 'settled'])
  expect(world().provider.posts()).toBe(1)
  const image = await readImage(world(), accountId, key.id)
  expect(image?.bytes.equals(bytes ?? (await pngBytes()))).toBe(true)
}

test.each([
  ['PNG', pngBytes, 'image/png'],
  ['JPEG', jpegBytes, 'image/jpeg'],
  ['WebP', webpBytes, 'image/webp'],
])('a %s is delivered as what its bytes are, whatever it is called', async (_kind, make, type) => {
  const bytes = await make()
  world().provider.answer('image', answering(200, bytes, { 'content-type': 'text/html' }))
  const life = await made()
  await world().step(life.key)

  await expectDelivered(life, bytes)
  const image = await readImage(world(), life.accountId, life.key.id)
  expect(image?.contentType).toBe(type)
})

// Trouble on the way: the same result is fetched again, and nothing is generated again.
test.each<readonly [string, Behaviour]>([
  ['answers 503', answering(503)],
  ['breaks off', ({ socket }) => void socket.resetAndDestroy()],
  [
    'is cut short',
    ({ response, socket }) =>
      void response
        .writeHead(200, { 'content-length': '9999' })
        .write('abc', () => socket.destroy()),
  ],
  ['is too large', answering(200, Buffer.alloc(33 * 1_024 * 1_024))],
  [
    'says that it is too large',
    answering(200, '', { 'content-length': String(64 * 1_024 * 1_024) }),
  ],
  [
    'never ends',
    ({ response }) => {
      const more = () => {
        while (response.write(Buffer.alloc(1_024 * 1_024)));
        response.once('drain', more)
      }
      more()
    },
  ],
  ['comes compressed', answering(200, 'abc', { 'content-encoding': 'gzip' })],
])(
  'a result that %s is fetched again until it comes: one POST, one charge',
  async (_what, trouble) => {
    world().provider.answer('image', trouble, trouble, answering(200, await pngBytes()))
    const life = await made()

    await world().step(life.key)
    expect(await world().attempt(life.key)).toMatchObject({
      state: 'storage_failed',
      settlement: null,
    })
    expect(await world().balance(life.accountId)).toEqual(HELD)
    await world().step(life.key)
    await world().step(life.key)

    await expectDelivered(life)
    // The same trouble twice is told once.
    expect((await world().history(life.key)).slice(-3)).toEqual([
      'succeeded',
      'fetch_failed',
      'delivered',
    ])
  },
)

test('a result that answers 404 for now is said to be gone, and is fetched when it is back', async () => {
  const key = await world().start(await world().openAccount(10))
  world().provider.answer('image', answering(404), answering(404), world().provider.usual.image)
  for (let turn = 0; turn < 6; turn += 1) await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'completed', settlement: 'settled' })
  expect((await world().history(key)).slice(-3)).toEqual([
    'succeeded',
    'result_expired',
    'delivered',
  ])
  expect(world().provider.posts()).toBe(1)
})

// A server that is not the provider's, and would give an image to whoever asks.
let stranger: FakeProvider
let askedStranger = 0

beforeAll(async () => {
  stranger = await startFakeProvider()
  stranger.answer('image', (exchange) => {
    askedStranger += 1
    return stranger.usual.image(exchange)
  })
})
afterAll(() => stranger.close())

test.each([
  ['at another origin', 'http://STRANGER/image'],
  ['with the provider as its user', 'http://PROVIDER@STRANGER/image'],
  ['with the provider in its path', 'http://STRANGER/http://PROVIDER/image'],
  ['at another origin by its name', 'http://localhost:PORT/image'],
  ['at another origin over TLS', 'https://STRANGER/image'],
  ['at another origin as one number', 'http://2130706433:PORT/image'],
  ['at another origin in octal', 'http://0177.0.0.1:PORT/image'],
  ['at another origin in hexadecimal', 'https://0x7f.1:PORT/image'],
  ['at another origin as IPv6', 'https://[::ffff:127.0.0.1]:PORT/image'],
  ['on this machine', 'https://[::1]/image'],
  ['in a private network', 'https://10.0.0.1/image'],
  ['in the network of machines', 'http://169.254.169.254/latest/meta-data'],
  ['of another protocol', 'gopher://STRANGER/image'],
  ['on the local disk', 'file:///etc/passwd'],
  ['that is none', 'no address'],
])('a result %s is never asked for, and the credits stay held', async (_what, address) => {
  const url = address
    .replace('STRANGER', new URL(stranger.url).host)
    .replace('PORT', new URL(stranger.url).port)
    .replace('PROVIDER', new URL(world().provider.url).host)
  world().provider.answer('status', looking('succeeded', url))
  const { key, accountId } = await made()
  await world().step(key)

  expect(askedStranger).toBe(0)
  expect(await world().attempt(key)).toMatchObject({ state: 'storage_failed', settlement: null })
  expect(await world().balance(accountId)).toEqual(HELD)
})

test('a result that leads to another server is not followed there', async () => {
  const location = `${stranger.url}/image`
  world().provider.answer('image', answering(302, '', { location }))
  const { key } = await made()
  await world().step(key)
  expect(askedStranger).toBe(0)
  expect(await world().attempt(key)).toMatchObject({ state: 'storage_failed', settlement: null })
})

test.each([
  ['no image at all', () => Promise.resolve(Buffer.from('<html>gone</html>'))],
  ['nothing', () => Promise.resolve(Buffer.alloc(0))],
  ['half an image', truncatedPngBytes],
  ['a drawing that can hold programs', svgBytes],
  ['an image of a kind that is not allowed', gifBytes],
  [
    'an image with a page behind it',
    async () => Buffer.concat([await pngBytes(), Buffer.from('<script>1</script>')]),
  ],
])('%s, the same three times, is the last word: given back', async (_what, make) => {
  world().provider.answer('image', answering(200, await make()))
  const { key, accountId } = await made()

  await world().step(key)
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'storage_failed', settlement: null })
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({
    state: 'failed',
    settlement: 'released',
    failure_code: 'unusable_result',
  })
  expect(await world().balance(accountId)).toEqual(GIVEN_BACK)
  expect(world().provider.posts()).toBe(1)
})

test('an unusable file twice and then the image is a delivery', async () => {
  const rubbish = answering(200, 'rubbish')
  world().provider.answer('image', rubbish, rubbish, answering(200, await pngBytes()))
  const life = await made()
  await world().runToQuiet(life.key)
  await expectDelivered(life)
})

const failing = (images: ImageStore, part: 'put' | 'get', times: number): ImageStore => {
  let left = times
  const fail = () => {
    left -= 1
    return left >= 0
  }
  return {
    ...images,
    put: (key, bytes) =>
      part === 'put' && fail()
        ? Promise.reject(new Error('ENOSPC: no space left on device'))
        : images.put(key, bytes),
    get: (key) =>
      part === 'get' && fail() ? Promise.resolve(Buffer.from('rot')) : images.get(key),
  }
}

test('a full disk delays the delivery and the image is not fetched, let alone made, again', async () => {
  let fetches = 0
  const png = await pngBytes()
  world().provider.answer('image', (exchange) => {
    fetches += 1
    return answering(200, png)(exchange)
  })
  const life = await made()
  const by = { ...world().deps, images: failing(world().images, 'put', 3) }
  for (let time = 0; time < 3; time += 1) await world().step(life.key, { by })

  expect(await world().attempt(life.key)).toMatchObject({
    state: 'storage_failed',
    settlement: null,
  })
  expect(await world().balance(life.accountId)).toEqual(HELD)
  await world().step(life.key, { by })

  await expectDelivered(life)
  expect(fetches).toBe(1)
  expect(await world().rows('select from spool where attempt_id = $1', life.key.id)).toEqual([])
})

test('what the store reads back must be what it was given, or nothing is settled', async () => {
  const life = await made()
  const by = { ...world().deps, images: failing(world().images, 'get', 1) }
  await world().step(life.key, { by })
  expect(await world().attempt(life.key)).toMatchObject({
    state: 'storage_failed',
    settlement: null,
  })
  await world().step(life.key, { by })
  await expectDelivered(life)
})

/** Dies between storing and settling. */
const dying = (images: ImageStore): ImageStore => ({
  ...images,
  get: () => Promise.reject(new Error('killed')),
})

test('a crash between storing and settling costs nothing: the second delivery finds the first', async () => {
  const life = await made()
  await world().step(life.key, { by: { ...world().deps, images: dying(world().images) } })
  expect(await world().attempt(life.key)).toMatchObject({ settlement: null })
  await world().step(life.key)
  await expectDelivered(life)
})

test('if a second fetch brings other bytes, the image stored first is the one delivered', async () => {
  const [first, second] = await Promise.all([pngBytes('#111'), pngBytes('#eee')])
  world().provider.answer('image', answering(200, first), answering(200, second))
  const life = await made()
  await world().step(life.key, { by: { ...world().deps, images: dying(world().images) } })
  // Without the spool, as when it was full or the process died before it.
  await world().rows('delete from spool where attempt_id = $1', life.key.id)

  await world().step(life.key)
  await expectDelivered(life, first)
})

test('two workers that deliver at once settle once', async () => {
  const life = await made()
  const first = await world().claimOne(life.key)
  await world().makeDue(life.key, { lease: true })
  const [second] = await world().claim(life.key)
  await Promise.all([first, ...(second ? [second] : [])].map((c) => takeNextAction(world(), c)))
  await expectDelivered(life)
})
