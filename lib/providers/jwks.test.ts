import { generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { saying, startScriptedServer, type Act, type ScriptedServer } from '@/test/scripted-server'
import { createPublishedKeys } from './jwks'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const pair = () => generateKeyPairSync('ed25519')
const ours = pair()
const other = pair()
const MESSAGE = Buffer.from('a callback')
const signature = sign(null, MESSAGE, ours.privateKey)
const isRight = ({ key }: { readonly key: KeyObject }) => verify(null, MESSAGE, key, signature)

const NOW = new Date('2026-01-01T00:00:00Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const jwkOf = ({ publicKey }: { readonly publicKey: KeyObject }, kid?: string) => ({
  ...publicKey.export({ format: 'jwk' }),
  ...(kid === undefined ? {} : { kid }),
})
const publish = (...acts: readonly Act[]) => {
  server.on('GET', /^\/jwks\.json$/, ...acts)
  return createPublishedKeys(`${server.url}/jwks.json`)
}
const set = (...keys: readonly object[]) => saying(200, { keys })
const fetches = () => server.heard().length

test('a published key passes, and is fetched once for a day', async () => {
  const keys = publish(set(jwkOf(other), jwkOf(ours)))
  expect(await keys.some(isRight, NOW)).toBe(true)
  expect(await keys.some(isRight, after(DAY - 1))).toBe(true)
  expect(fetches()).toBe(1)
})

test('after a day the keys are asked for again, and one that was withdrawn passes no more', async () => {
  const keys = publish(set(jwkOf(ours)), set(jwkOf(other)))
  expect(await keys.some(isRight, NOW)).toBe(true)
  expect(await keys.some(isRight, after(DAY))).toBe(false)
})

test('keys that are a day old pass nothing while no new ones can be had', async () => {
  const keys = publish(set(jwkOf(ours)), saying(503))
  expect(await keys.some(isRight, NOW)).toBe(true)
  expect(await keys.some(isRight, after(DAY))).toBe(false)
})

test('a new key is learned as soon as something is signed with it', async () => {
  const keys = publish(set(jwkOf(other)), set(jwkOf(other), jwkOf(ours)))
  expect(await keys.some(isRight, NOW)).toBe(false)
  expect(await keys.some(isRight, after(MINUTE))).toBe(true)
})

test('however much is forged, the keys are fetched at most once a minute', async () => {
  const keys = publish(set(jwkOf(other)))
  for (let ms = 0; ms < MINUTE; ms += 1_000) {
    expect(await keys.some(isRight, after(ms))).toBe(false)
  }
  expect(fetches()).toBe(1)
  expect(await keys.some(isRight, after(MINUTE))).toBe(false)
  expect(fetches()).toBe(2)
})

test('a fetch that fails is not repeated at once either, and costs no keys', async () => {
  const keys = publish(saying(500), set(jwkOf(ours)))
  expect(await keys.some(isRight, NOW)).toBe(false)
  expect(await keys.some(isRight, after(1_000))).toBe(false)
  expect(fetches()).toBe(1)
  expect(await keys.some(isRight, after(MINUTE))).toBe(true)
})

test('callers at the same moment share one fetch', async () => {
  const keys = publish(set(jwkOf(ours)))
  const passed = await Promise.all(Array.from({ length: 20 }, () => keys.some(isRight, NOW)))
  expect(passed.every(Boolean)).toBe(true)
  expect(fetches()).toBe(1)
})

test('keys that cannot be used are passed over, and the others keep their names', async () => {
  const keys = publish(
    set({ kty: 'oct', k: 'c2VjcmV0' }, { kty: 'OKP', crv: 'Ed25519' }, jwkOf(ours, 'key-2')),
  )
  const named: (string | undefined)[] = []
  await keys.some(({ id }) => {
    named.push(id)
    return false
  }, NOW)
  expect(named).toEqual(['key-2'])
})

test.each<readonly [string, Act]>([
  ['HTML', saying(200, '<html>')],
  ['another shape', saying(200, { keys: 'none' })],
  ['a redirect', saying(302, '', { location: '/elsewhere' })],
  ['an endless set', saying(200, { keys: [], padding: 'x'.repeat(70_000) })],
])('%s instead of a set passes nothing', async (_what, act) => {
  expect(await publish(act).some(() => true, NOW)).toBe(false)
  expect(fetches()).toBe(1)
})
