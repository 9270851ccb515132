import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { saying, startScriptedServer, type ScriptedServer } from '@/test/scripted-server'
import { TEST_NOW } from '@/test/unanswered'
import { createIdeogramVerifier } from './verifier'

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => {
  server.reset()
  server.on(
    'GET',
    /^\/v1\/\.well-known\/jwks\.json$/,
    saying(200, { keys: [jwk(other), jwk(ours)] }),
  )
})
afterAll(() => server.close())

const ours = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')
const foreign = generateKeyPairSync('ed25519')
type Pair = typeof ours
const jwk = ({ publicKey }: Pair) => publicKey.export({ format: 'jwk' })

const ID = 'xtdZiqPwRxqY1Y7NExFmzB'
const SECONDS = TEST_NOW.getTime() / 1_000
const image = { url: 'https://ideogram.ai/1.png', is_image_safe: true }
const whole = { generation_id: ID, created: 'x', data: [image] }

/** A callback as Ideogram sends it, but for what is overridden after it was signed. */
function signed(body: unknown, options: { readonly by?: Pair; readonly at?: number } = {}) {
  const bytes = Buffer.from(JSON.stringify(body))
  const at = String(options.at ?? SECONDS)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const message = Buffer.from(`${ID}\nuser-1\n${at}\n${hash}`)
  return {
    body: bytes,
    headers: {
      'x-ideogram-webhook-generation-id': ID,
      'x-ideogram-webhook-user-id': 'user-1',
      'x-ideogram-webhook-timestamp': at,
      'x-ideogram-webhook-signature': sign(null, message, (options.by ?? ours).privateKey).toString(
        'hex',
      ),
    } as Readonly<Record<string, string>>,
  }
}
const verify = (
  { body, headers }: ReturnType<typeof signed>,
  overrides: Readonly<Record<string, string>> = {},
) => {
  const all: Readonly<Record<string, string>> = { ...headers, ...overrides }
  return createIdeogramVerifier(server.url).verify({
    header: (name) => all[name] ?? null,
    body,
    now: TEST_NOW,
    attemptSecret: undefined,
  })
}

test.each([
  ['an image', whole, 'succeeded'],
  ['an image that is withheld', { ...whole, data: [{ url: '', is_image_safe: false }] }, 'failed'],
  ['no image', { ...whole, data: [] }, undefined],
  ['a failure', { generation_id: ID, status: 'failed' }, 'failed'],
  ['nothing that can be read', 'what', undefined],
  ['another generation', { ...whole, generation_id: 'another' }, undefined],
])('a signed callback with %s is genuine', async (_what, body, claims) => {
  expect(await verify(signed(body))).toMatchObject({ taskId: ID, claims })
})

test('a delivery keeps its id when it is signed anew for another try', async () => {
  const first = await verify(signed(whole))
  const second = await verify(signed(whole, { at: SECONDS + 60 }))
  expect(second).toEqual(first)
})

test.each([-300, 300])('a callback that is off by %i seconds is still taken', async (seconds) => {
  expect(await verify(signed(whole, { at: SECONDS + seconds }))).toBeDefined()
})

test.each([-301, 301])('a callback that is off by %i seconds is stale', async (seconds) => {
  expect(await verify(signed(whole, { at: SECONDS + seconds }))).toBeUndefined()
})

test('a callback that is signed by somebody else is forged', async () => {
  expect(await verify(signed(whole, { by: foreign }))).toBeUndefined()
})

test('a callback whose body was changed is forged', async () => {
  const { headers } = signed(whole)
  expect(await verify({ headers, body: Buffer.from('{}') })).toBeUndefined()
})

test.each([
  ['generation', { 'x-ideogram-webhook-generation-id': 'another' }],
  ['user', { 'x-ideogram-webhook-user-id': 'user-2' }],
  ['time', { 'x-ideogram-webhook-timestamp': String(SECONDS + 1) }],
  ['time that is none', { 'x-ideogram-webhook-timestamp': 'now' }],
  ['signature that is none', { 'x-ideogram-webhook-signature': 'abcd' }],
  ['generation that cannot be one', { 'x-ideogram-webhook-generation-id': 'a b' }],
])('a callback with another %s than was signed is forged', async (_what, overrides) => {
  expect(await verify(signed(whole), overrides)).toBeUndefined()
})

test.each(['generation-id', 'user-id', 'timestamp', 'signature'])(
  'a callback without its %s proves nothing',
  async (name) => {
    const { body, headers } = signed(whole)
    const rest = Object.fromEntries(
      Object.entries(headers).filter(([key]) => key !== `x-ideogram-webhook-${name}`),
    )
    expect(await verify({ body, headers: rest })).toBeUndefined()
  },
)

test('while no keys can be had nothing is genuine', async () => {
  server.on('GET', /jwks/, saying(503))
  expect(await verify(signed(whole))).toBeUndefined()
})
