import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import fc from 'fast-check'
import { Agent, request } from 'undici'
import { findInvariantBreaks } from '@/test/invariant-queries'
import { hostileRequest, MARK, type HostileRequest, type Loot } from './attack/hostile-requests'
import { serverActions } from './attack/server-actions'
import { takeStatePicture } from './attack/state-picture'
import { expect, signUp, test } from './fixtures'
import type { Installation } from './installation'

// Of each of the two attacks. FC_RUNS asks for more.
const REQUESTS_PER_ATTACK = Number(process.env['FC_RUNS'] ?? 10_000)
const AT_ONCE = 20
// What comes after these is more of the same.
const FAULTS_MAX = 20

const SECRETS = {
  AUTH_SECRET: randomBytes(32).toString('base64url'),
  SIMULATOR_WEBHOOK_SECRET: randomBytes(32).toString('base64url'),
  METRICS_TOKEN: randomBytes(32).toString('base64url'),
  OPENAI_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  REPLICATE_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  OPENAI_API_KEY: `sk-${randomUUID()}`,
  REPLICATE_API_TOKEN: `r8_${randomUUID()}`,
  FAL_KEY: randomUUID(),
  BFL_API_KEY: randomUUID(),
}
// Nobody listens there: what is tried is our own side.
const NOWHERE = 'http://127.0.0.1:9'
const nowhere = Object.fromEntries(
  ['OPENAI', 'REPLICATE', 'FAL', 'BFL'].map((name) => [`${name}_BASE_URL`, NOWHERE]),
)

test.use({ settings: { ...SECRETS, ...nowhere, SIMULATOR: 'on', SIMULATOR_LATENCY_MS: '50' } })
test.describe.configure({ timeout: 900_000 })

type Someone = {
  readonly accountId: string
  readonly email: string
  readonly key: string
  readonly cookie: string
  readonly sessionId: string
}

async function makeSomeone(browser: Browser, { url, sql }: Installation): Promise<Someone> {
  const context = await browser.newContext({ baseURL: url })
  const { email } = await signUp(await context.newPage())
  const cookies = await context.cookies()
  await context.close()
  const key = `dk_${randomBytes(32).toString('base64url')}`
  const { rows } = await sql.query<{ account_id: string; session_id: string }>(
    `select account_id, session.id as session_id
     from user_identity join session using (account_id) where email = $1`,
    [email],
  )
  const [ids] = rows
  if (!ids) throw new Error('nobody signed up')
  await sql.query('insert into api_key (id, account_id, name, hash) values ($1, $2, $3, $4)', [
    ...[randomUUID(), ids.account_id, 'fuzz'],
    createHash('sha256').update(key).digest(),
  ])
  return {
    ...{ email, key, accountId: ids.account_id, sessionId: ids.session_id },
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
  }
}

/** A delivered attempt of somebody's, shared with nobody. */
async function deliver({ url }: Installation, { key }: Someone): Promise<string> {
  const answer = await fetch(`${url}/api/v1/attempts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'simulator/proof', prompt: 'A private thought' }),
  })
  const { id } = (await answer.json()) as { id: string }
  await expect
    .poll(async () => {
      const headers = { authorization: `Bearer ${key}` }
      const seen = await fetch(`${url}/api/v1/attempts/${id}`, { headers })
      return ((await seen.json()) as { status: string }).status
    })
    .toBe('delivered')
  return id
}

const agent = new Agent({ connections: AT_ONCE })

/** What an answer must never be or hold, or undefined. */
async function faultOf(
  url: string,
  sent: HostileRequest,
  forbidden: readonly string[],
  seen: Set<number>,
) {
  const { statusCode, headers, body } = await request(`${url}${sent.path}`, {
    method: sent.method as 'POST',
    headers: sent.headers,
    body: sent.body ?? null,
    dispatcher: agent,
  })
  seen.add(statusCode)
  const text = Buffer.from(await body.arrayBuffer()).toString('utf8')
  const said = `${text}\n${JSON.stringify(headers)}`
  const asked = `${sent.path}${JSON.stringify(sent.headers)}${sent.body?.toString('utf8') ?? ''}`
  const told = forbidden.filter((secret) => said.includes(secret) && !asked.includes(secret))
  const location = [headers.location].flat()[0]
  const isRefusedByNext = sent.isUnreadable === true && /^1:E\{"digest":"\d+"\}$/m.test(text)
  if (statusCode >= 500 && !isRefusedByNext) return `${statusCode} ${text.slice(0, 300)}`
  if (told.length > 0) return `tells ${told.join(', ')}`
  if (headers[MARK] !== undefined) return 'a header was injected'
  if (location !== undefined && new URL(location, url).origin !== new URL(url).origin) {
    return `leads to ${location}`
  }
  return undefined
}

const shown = ({ method, path, headers, body }: HostileRequest) =>
  JSON.stringify({ method, path, headers, body: body?.toString('latin1').slice(0, 1_000) })

/** Sends as many as there are to be, a few at a time, and names each that was answered wrongly. */
async function attack(url: string, loot: Loot, forbidden: readonly string[]) {
  const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31)
  const waiting = fc.sample(hostileRequest(loot), { numRuns: REQUESTS_PER_ATTACK, seed })
  const faults: string[] = []
  const seen = new Set<number>()
  const sendUntilNoneIsLeft = async () => {
    for (;;) {
      const sent = waiting.pop()
      if (sent === undefined || faults.length >= FAULTS_MAX) return
      const fault = await faultOf(url, sent, forbidden, seen)
      if (fault !== undefined) faults.push(`${shown(sent)}\n  ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendUntilNoneIsLeft))
  expect(faults.join('\n'), `FC_SEED=${seed} sends them again`).toBe('')
  return seen
}

const leaks = (victim: Someone, { databaseUrl, ownerUrl, dataDir }: Installation) => [
  ...Object.values(SECRETS),
  ...[new URL(databaseUrl).password, new URL(ownerUrl).password, dataDir],
  ...[victim.email, victim.key, 'A private thought'],
  // What only a look inside would show.
  ...[
    'node_modules',
    'at async ',
    'SELECT ',
    'violates check',
    'PrismaClient',
    `${process.cwd()}/`,
  ],
]

function signWith(secret: string, body: Buffer) {
  const [id, at] = [randomUUID(), String(Math.floor(Date.now() / 1_000))]
  const mac = createHmac('sha256', secret).update(`${id}.${at}.`).update(body).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` }
}

test('whoever has no right to anything changes nothing, learns nothing, and breaks nothing', async ({
  browser,
  darkroom,
}) => {
  const victim = await makeSomeone(browser, darkroom)
  const attemptId = await deliver(darkroom, victim)
  const before = await takeStatePicture(darkroom.sql)
  const forged = Buffer.from(JSON.stringify({ sid: victim.sessionId })).toString('base64url')
  const seen = await attack(
    darkroom.url,
    {
      actions: serverActions(),
      origin: new URL(darkroom.url).origin,
      ids: [attemptId, victim.accountId, victim.sessionId],
      identities: [
        {},
        { cookie: `next-auth.session-token=${forged}` },
        { cookie: `next-auth.session-token=eyJhbGciOiJub25lIn0.${forged}.` },
        { cookie: `darkroom.guest=${victim.accountId}.${'A'.repeat(43)}` },
        { authorization: `Bearer dk_${'A'.repeat(43)}` },
        { authorization: `Bearer ${victim.sessionId}` },
      ],
      sign: (body) => signWith('not the secret', body),
    },
    leaks(victim, darkroom),
  )
  // It did get to where requests are judged, each in its way.
  for (const status of [200, 303, 400, 401, 403, 404, 405]) expect(seen).toContain(status)
  expect(await takeStatePicture(darkroom.sql)).toEqual(before)
  expect(await findInvariantBreaks(darkroom.sql)).toEqual({})
})

test('whoever has an account changes nothing of another’s and learns nothing of it', async ({
  browser,
  darkroom,
}) => {
  const victim = await makeSomeone(browser, darkroom)
  const attemptId = await deliver(darkroom, victim)
  const attacker = await makeSomeone(browser, darkroom)
  const guest = await fetch(`${darkroom.url}/studio`)
  const guestCookie = guest.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const guestId = /=([0-9a-f-]{36})/.exec(guestCookie)?.[1] ?? ''
  const own = [attacker.accountId, guestId]
  const before = await takeStatePicture(darkroom.sql, own)
  const seen = await attack(
    darkroom.url,
    {
      actions: serverActions(),
      origin: new URL(darkroom.url).origin,
      ids: [attemptId, victim.accountId, victim.sessionId, ...own],
      identities: [
        { cookie: attacker.cookie },
        { authorization: `Bearer ${attacker.key}` },
        { cookie: guestCookie },
      ],
      sign: (body) => signWith(SECRETS.SIMULATOR_WEBHOOK_SECRET, body),
    },
    leaks(victim, darkroom),
  )
  for (const status of [200, 201, 202, 400, 401, 404, 415, 422]) expect(seen).toContain(status)
  const after = await takeStatePicture(darkroom.sql, own)
  // A genuine callback for no attempt of ours is kept until it is known whose it is.
  expect({ ...after, project_callback: '' }).toEqual({ ...before, project_callback: '' })
  expect(await findInvariantBreaks(darkroom.sql)).toEqual({})
  const log = readFileSync(join(darkroom.dataDir, 'logs', 'web.log'), 'utf8')
  expect(log.split('\n').filter((line) => line.startsWith(MARK))).toEqual([])
})

test('what is no request of HTTP is refused, and the next is answered', async ({ darkroom }) => {
  const { port } = new URL(darkroom.url)
  const rude = [
    'GET / HTTP/1.1\r\nhost: a\r\nx: 1\r\n y: folded\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: a\r\nbad\0name: 1\r\n\r\n',
    'POST /api/v1/attempts HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    'GET http://evil.example/ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    'GET //evil.example/%2f%2e%2e HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    'GET /\\evil.example HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
    'CONNECT evil.example:443 HTTP/1.1\r\nhost: a\r\n\r\n',
    'NONSENSE\r\n\r\n',
    '\x16\x03\x01\x02\x00',
  ]
  for (const text of rude) {
    const answer = await sendRaw(Number(port), text)
    expect(answer, text.slice(0, 80)).not.toMatch(/^HTTP\/1\.1 5/)
    // Which no browser asks for: it is told to ask there for what it asked for there.
    const isOfAnother = text.startsWith('GET http:')
    if (!isOfAnother) expect(answer).not.toMatch(/^location: .*\/\/evil/im)
  }
  expect((await fetch(`${darkroom.url}/api/health/live`)).status).toBe(200)
})

/** What comes back until the connection ends, or nothing more comes. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('data', (part) => (answer += part.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })
}
