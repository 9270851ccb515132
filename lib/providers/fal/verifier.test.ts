import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { saying, startScriptedServer, type ScriptedServer } from '@/test/scripted-server'
import { fal } from './kind'

// The message as fal documents it, put together by hand: the simulator's signer may share our errors.

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const NOW = new Date('2026-01-01T00:00:00Z')
const REQUEST_ID = '764cabcf-b745-4b3e-ae38-1200304cf45b'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })

/** The set also has a key of another kind, which a careless check would stumble over. */
function publish(path: string) {
  const keys = [rsa.publicKey, publicKey].map((key) => key.export({ format: 'jwk' }))
  server.on(
    'GET',
    path === '/own' ? /^\/own$/ : /^\/\.well-known\/jwks\.json$/,
    saying(200, { keys }),
  )
}

function callback(body: string, timestamp = String(NOW.getTime() / 1_000)) {
  const digest = createHash('sha256').update(body).digest('hex')
  const message = [REQUEST_ID, 'user-1', timestamp, digest].join('\n')
  const headers: Readonly<Record<string, string>> = {
    'x-fal-webhook-request-id': REQUEST_ID,
    'x-fal-webhook-user-id': 'user-1',
    'x-fal-webhook-timestamp': timestamp,
    'x-fal-webhook-signature': sign(null, Buffer.from(message), privateKey).toString('hex'),
  }
  return {
    header: (name: string) => headers[name] ?? null,
    body: Buffer.from(body),
    now: NOW,
    attemptSecret: undefined,
  }
}

const verifier = (environment: Readonly<Record<string, string>> = {}) => {
  const made = fal.open({ FAL_BASE_URL: server.url, ...environment }).verifier()
  if (!made) throw new Error('fal has a verifier')
  return made
}
const told = (overrides: object = {}) =>
  JSON.stringify({ request_id: REQUEST_ID, status: 'OK', payload: {}, ...overrides })

test.each([
  ['OK', 'succeeded'],
  ['ERROR', 'failed'],
  ['PONDERING', undefined],
])('a callback of %s claims %s', async (status, claims) => {
  publish('/.well-known/jwks.json')
  const verified = await verifier().verify(callback(told({ status })))
  expect(verified).toEqual({ deliveryId: REQUEST_ID, taskId: REQUEST_ID, claims })
})

test('a genuine callback that cannot be read names no task', async () => {
  publish('/.well-known/jwks.json')
  const verified = await verifier().verify(callback('not JSON'))
  expect(verified).toEqual({ deliveryId: REQUEST_ID, taskId: undefined, claims: undefined })
})

test.each([
  ['five minutes old', -300, true],
  ['five minutes ahead', 300, true],
  ['older', -301, false],
  ['further ahead', 301, false],
])('a callback that is %s is taken: %s s, %s', async (_what, seconds, isTaken) => {
  publish('/.well-known/jwks.json')
  const timestamp = String(NOW.getTime() / 1_000 + seconds)
  const verified = await verifier().verify(callback(told(), timestamp))
  expect(verified !== undefined).toBe(isTaken)
})

test('a time that is no number is refused before any key is asked for', async () => {
  publish('/.well-known/jwks.json')
  expect(await verifier().verify(callback(told(), 'now'))).toBeUndefined()
  expect(server.heard()).toEqual([])
})

test('the keys may be elsewhere', async () => {
  publish('/own')
  const elsewhere = verifier({ FAL_JWKS_URL: `${server.url}/own` })
  expect(await elsewhere.verify(callback(told()))).toMatchObject({ taskId: REQUEST_ID })
})

test('without published keys nothing is genuine', async () => {
  server.on('GET', /./, saying(404))
  expect(await verifier().verify(callback(told()))).toBeUndefined()
})
