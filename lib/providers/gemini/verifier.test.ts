import { generateKeyPairSync } from 'node:crypto'
import { SignJWT, type JWTHeaderParameters } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { saying, startScriptedServer, type ScriptedServer } from '@/test/scripted-server'
import { TEST_NOW } from '@/test/unanswered'
import { gemini } from './kind'
import { createGeminiVerifier } from './verifier'

const google = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const another = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const AUDIENCE = 'our-project'
const ISSUER = 'https://generativelanguage.googleapis.com'
const NOW_SECONDS = TEST_NOW.getTime() / 1_000

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => {
  server.reset()
  const jwk = { ...google.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }
  server.on('GET', /^\/\.well-known\/jwks\.json$/, saying(200, { keys: [jwk] }))
})
afterAll(() => server.close())

type Changes = {
  readonly by?: typeof google
  readonly header?: Partial<JWTHeaderParameters>
  readonly claims?: object
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: string
}

const eventOf = (type: string, id = 'v1_0001') =>
  JSON.stringify({ type, version: 'v1', timestamp: '2026-01-01T00:00:00Z', data: { id } })

async function verify(changes: Changes = {}) {
  const token = await new SignJWT({
    iss: ISSUER,
    aud: AUDIENCE,
    exp: NOW_SECONDS + 300,
    ...changes.claims,
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', ...changes.header })
    .sign((changes.by ?? google).privateKey)
  return verifyToken(token, changes)
}

function verifyToken(token: string, changes: Changes = {}) {
  const headers: Readonly<Record<string, string | null>> = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(NOW_SECONDS),
    'webhook-signature': token,
    ...changes.headers,
  }
  return createGeminiVerifier({
    baseUrl: server.url,
    audience: AUDIENCE,
    issuer: ISSUER,
  }).verify({
    header: (name) => headers[name] ?? null,
    body: Buffer.from(changes.body ?? eventOf('interaction.completed')),
    now: TEST_NOW,
    attemptSecret: undefined,
  })
}

test.each([
  ['interaction.completed', 'succeeded'],
  ['interaction.failed', 'failed'],
  ['interaction.cancelled', 'failed'],
  ['interaction.requires_action', 'working'],
])('%s names the interaction and claims that it is %s', async (type, claims) => {
  expect(await verify({ body: eventOf(type) })).toEqual({
    deliveryId: 'msg_1',
    taskId: 'v1_0001',
    claims,
  })
})

test.each([
  ['another event', eventOf('video.generated', 'operations/1')],
  ['no JSON', 'hello'],
])('%s is genuine and names no task', async (_what, body) => {
  expect(await verify({ body })).toMatchObject({ taskId: undefined, claims: undefined })
})

test.each<readonly [string, Changes]>([
  ['signed by somebody else', { by: another }],
  ['signed with a key that is not published', { header: { kid: 'two' } }],
  ['for another project', { claims: { aud: 'another-project' } }],
  ['for nobody', { claims: { aud: undefined } }],
  ['from another issuer', { claims: { iss: 'https://accounts.google.com' } }],
  ['that has expired', { claims: { exp: NOW_SECONDS - 1 } }],
  ['that never expires', { claims: { exp: undefined } }],
  ['that is six minutes old', { headers: { 'webhook-timestamp': String(NOW_SECONDS - 360) } }],
  ['without a time', { headers: { 'webhook-timestamp': null } }],
  ['without an id', { headers: { 'webhook-id': null } }],
  ['without a signature', { headers: { 'webhook-signature': null } }],
])('a callback %s proves nothing', async (_what, changes) => {
  expect(await verify(changes)).toBeUndefined()
})

test('a token that asks not to be checked proves nothing, and fetches nothing', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = part({ iss: ISSUER, aud: AUDIENCE, exp: NOW_SECONDS + 300 })
  expect(await verifyToken(`${part({ alg: 'none', kid: 'one' })}.${claims}.`)).toBeUndefined()
  expect(await verifyToken('hello')).toBeUndefined()
  expect(server.heard()).toEqual([])
})

test('a token cannot be made with the public key as a shared secret', async () => {
  const secret = google.publicKey.export({ type: 'spki', format: 'pem' })
  const token = await new SignJWT({ iss: ISSUER, aud: AUDIENCE, exp: NOW_SECONDS + 300 })
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(Buffer.from(secret))
  expect(await verifyToken(token)).toBeUndefined()
})

test('nothing is proved while the keys cannot be had', async () => {
  server.reset()
  server.on('GET', /jwks/, saying(503))
  expect(await verify()).toBeUndefined()
})

test('callbacks are taken only where it is known whom they must be for and from', () => {
  const opened = (source: Record<string, string>) => gemini.open(source)
  expect(opened({}).verifier()).toBeUndefined()
  expect(
    opened({ GEMINI_WEBHOOK_AUDIENCE: 'a', GEMINI_WEBHOOK_ISSUER: 'b' }).verifier(),
  ).toBeDefined()
  expect(() => opened({ GEMINI_WEBHOOK_AUDIENCE: 'a' })).toThrow('together')
  expect(gemini.keys).toEqual(['GEMINI_API_KEY'])
})
