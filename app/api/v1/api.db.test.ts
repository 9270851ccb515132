import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createDatabase } from '@/lib/db/database'
import { invariant } from '@/lib/domain/invariant'
import type { AccountId } from '@/lib/domain/ids'
import { createApiKey, revokeApiKey } from '@/lib/use-cases/api-keys'
import { AttemptView } from '@/lib/web/views'
import { setSpendingLimit } from '@/lib/use-cases/spending'
import { callApi, serveWith, type ApiCall } from '@/test/api'
import { answersDescribed, answersSeen } from '@/test/api-description'
import { pngBytes } from '@/test/images'
import { openWorld } from '@/test/world'

const world = openWorld()

const ATTEMPTS = '/api/v1/attempts'
const input = { model: 'simulator/proof', prompt: 'a lighthouse in a storm' }

let accountId: AccountId
let key: string

async function keyOf(account: AccountId): Promise<string> {
  const created = await createApiKey(world(), account, 'a test')
  invariant(created.ok, 'a key is made')
  return created.value.key
}

beforeAll(() => serveWith(world()))
beforeEach(async () => {
  accountId = await world().openAccount(20)
  key = await keyOf(accountId)
})
afterAll(() => {
  const unseen = answersDescribed().filter((name) => !answersSeen().has(name))
  // What is wrong inside has no test of its own for every address.
  expect(unseen.filter((name) => !/ (500|503)$/.test(name))).toEqual([])
})

const start = (body: unknown = input, call: ApiCall = {}) =>
  callApi('POST', ATTEMPTS, {
    key,
    body: JSON.stringify(body),
    ...call,
    headers: { 'idempotency-key': randomUUID(), ...call.headers },
  })

const Problem = z.object({
  code: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})
const fieldsOf = (body: unknown) => Problem.parse(body).errors?.map(({ field }) => field)

describe('starting an attempt', () => {
  test('answers 201 with the attempt, and a replay 200 with the same one', async () => {
    const requestId = randomUUID()
    const headers = { 'idempotency-key': requestId }
    const first = await start(input, { headers })
    const attempt = AttemptView.parse(first.body)
    expect(first.status).toBe(201)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(first.headers.get('location')).toBe(`${ATTEMPTS}/${attempt.id}`)
    expect(attempt).toMatchObject({
      request_id: requestId,
      ...input,
      state: 'initializing',
      status: 'queued',
      price: 1,
      settlement: null,
      failure: null,
      artwork: null,
    })
    const again = await start(input, { headers })
    expect(again.status).toBe(200)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(AttemptView.parse(again.body).id).toBe(attempt.id)
    expect(await world().balance(accountId)).toEqual({ available: 19, held: 1, spent: 0 })
  })

  test('fills in what is left out from the model and the key, the same every time', async () => {
    const requestId = randomUUID()
    const bare = await start(input, { headers: { 'idempotency-key': requestId } })
    const { settings } = AttemptView.parse(bare.body)
    expect(settings).toMatchObject({ width: 512, height: 512 })
    const spelledOut = await start(
      { ...settings, ...input },
      { headers: { 'idempotency-key': requestId.toUpperCase() } },
    )
    expect(spelledOut.status).toBe(200)
    const other = AttemptView.parse((await start()).body)
    expect(other.settings.seed).not.toBe(settings.seed)
  })

  test('of fifty that come at once with one key, one is made', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(Array.from({ length: 50 }, () => start(input, { headers })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49)
    expect(await world().balance(accountId)).toMatchObject({ held: 1 })
  })

  test.each([
    ['prompt', { ...input, prompt: 'a lighthouse in a storm ' }],
    ['seed', { ...input, seed: 7 }],
    ['width', { ...input, width: 608, height: 416 }],
    ['model', { ...input, model: 'simulator/safelight' }],
  ])(
    'refuses a reused key with another %s, and leaves the attempt alone',
    async (_what, changed) => {
      const headers = { 'idempotency-key': randomUUID() }
      const first = AttemptView.parse((await start(input, { headers })).body)
      const reused = await start(changed, { headers })
      expect(reused.status).toBe(422)
      expect(reused.body).toMatchObject({ code: 'request_id_reused', status: 422 })
      const { body } = await callApi('GET', `${ATTEMPTS}/${first.id}`, { key })
      expect(AttemptView.parse(body)).toMatchObject({ ...input, settings: first.settings })
    },
  )

  test('keeps the same key of two accounts apart', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const mine = await start(input, { headers })
    const theirs = await start(input, { headers, key: await keyOf(await world().openAccount()) })
    expect(theirs.status).toBe(201)
    expect(AttemptView.parse(theirs.body).id).not.toBe(AttemptView.parse(mine.body).id)
  })

  test('refuses what the credits do not cover, and records nothing', async () => {
    const poor = await world().openAccount(3)
    const headers = { 'idempotency-key': randomUUID() }
    const call = { key: await keyOf(poor), headers }
    const dear = { ...input, model: 'simulator/safelight' }
    const refused = await start(dear, call)
    expect(refused.status).toBe(402)
    expect(refused.body).toMatchObject({ code: 'insufficient_credits', available: 3, required: 4 })
    // The key is still free.
    await world().grant(poor, 1)
    expect((await start(dear, call)).status).toBe(201)
  })

  test('refuses what passes the account’s own daily limit, and records nothing', async () => {
    const accountId = await world().openAccount()
    await setSpendingLimit(world().deps, accountId, '4')
    const call = { key: await keyOf(accountId), headers: { 'idempotency-key': randomUUID() } }
    const dear = { ...input, model: 'simulator/safelight' }
    expect((await start(dear, { key: call.key })).status).toBe(201)
    const refused = await start(dear, call)
    expect(refused.status).toBe(402)
    expect(refused.body).toMatchObject({ code: 'spending_limit', limit: 4, used: 4, required: 4 })
    // The key is still free.
    await setSpendingLimit(world().deps, accountId, '')
    expect((await start(dear, call)).status).toBe(201)
  })

  test.each([
    undefined,
    '',
    '1',
    '0b7e1c52-6d39-4b8e-9d55-0f0f9d2a7c11, 0b7e1c52-6d39-4b8e-9d55-0f0f9d2a7c12',
  ])('refuses %j as the Idempotency-Key', async (given) => {
    const { status, body } = await callApi('POST', ATTEMPTS, {
      key,
      body: JSON.stringify(input),
      headers: given === undefined ? {} : { 'idempotency-key': given },
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_idempotency_key' })
  })

  test.each([
    ['nothing', {}, ['model', 'prompt']],
    ['another type', { ...input, prompt: 5, width: '512' }, ['prompt', 'width']],
    ['a list', [], ['body']],
    ['null', null, ['body']],
    ['an unknown model', { ...input, model: 'simulator/none' }, ['model']],
    ['no model', { ...input, model: 'x' }, ['model']],
    ['an unknown field', { ...input, price: 0, account_id: randomUUID() }, ['price', 'account_id']],
    ['settings apart', { ...input, settings: { seed: 1 } }, ['settings']],
    ['a size that is not offered', { ...input, width: 513 }, ['width', 'height']],
    ['a size out of all bounds', { ...input, height: 9_000 }, ['height']],
    ['half a pixel', { ...input, width: 512.5 }, ['width']],
    ['a seed below nothing', { ...input, seed: -1 }, ['seed']],
    ['a seed beyond 32 bits', { ...input, seed: 2 ** 32 }, ['seed']],
    ['white space', { ...input, prompt: ' \n' }, ['prompt']],
    ['a NUL', { ...input, prompt: 'a\u0000b' }, ['prompt']],
    ['half a character', { ...input, prompt: 'a\ud800' }, ['prompt']],
    ['far too long a prompt', { ...input, prompt: 'x'.repeat(100_000) }, ['prompt']],
  ])('names each field that cannot be used: %s', async (_what, body, fields) => {
    const answer = await start(body)
    expect(answer.status).toBe(422)
    expect(Problem.parse(answer.body).code).toBe('invalid_input')
    expect(fieldsOf(answer.body)).toEqual(fields)
    expect(await world().rows('select 1 from attempt where account_id = $1', accountId)).toEqual([])
  })

  test.each([
    '🦊 fox',
    'שלום עולם',
    '漢字',
    'e\u0301',
    ' two spaces  ',
    "'; drop table attempt; --",
  ])('keeps the prompt %j exactly', async (prompt) => {
    const { status, body } = await start({ ...input, prompt })
    expect(status).toBe(201)
    expect(AttemptView.parse(body).prompt).toBe(prompt)
  })

  test('is not fooled by members given twice or named like a prototype', async () => {
    const prompt = JSON.stringify(input.prompt)
    const twice = `{"model":"simulator/safelight","model":"simulator/proof","prompt":${prompt}}`
    const answer = await start(undefined, { body: twice })
    expect(AttemptView.parse(answer.body)).toMatchObject({ model: 'simulator/proof', price: 1 })
    const polluted = `{"model":"simulator/proof","prompt":${prompt},"__proto__":{"price":0}}`
    expect(fieldsOf((await start(undefined, { body: polluted })).body)).toEqual(['__proto__'])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test.each([
    ['{"model":', 400, 'invalid_json', {}],
    ['', 400, 'invalid_json', {}],
    [new Uint8Array([0x7b, 0xff, 0x7d]), 400, 'invalid_json', {}],
    ['{}', 415, 'unsupported_media_type', { 'content-type': 'text/plain' }],
    ['a=b', 415, 'unsupported_media_type', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['{}', 415, 'unsupported_media_type', { 'content-encoding': 'gzip' }],
    ['{}', 422, 'invalid_input', { 'content-type': 'application/json; charset=utf-8' }],
    [`"${'x'.repeat(2 * 1024 * 1024)}"`, 413, 'body_too_large', {}],
  ])('refuses a body that cannot be read (%#)', async (body, status, code, headers) => {
    const answer = await start(undefined, { body, headers })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code })
  })
})

describe('reading', () => {
  test('pages through the attempts, newest first, each once', async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.unshift(AttemptView.parse((await start()).body).id)
    const Page = z.object({ data: z.array(AttemptView), next_cursor: z.string().nullable() })
    const read: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await callApi('GET', `${ATTEMPTS}?limit=2&cursor=${cursor}`, { key })
      const page = Page.parse(body)
      read.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(read).toEqual(ids)
  })

  test('finds an attempt by its request id, and those in a state', async () => {
    const requestId = randomUUID()
    const { id } = AttemptView.parse(
      (await start(input, { headers: { 'idempotency-key': requestId } })).body,
    )
    await start()
    const idsOf = async (query: string) => {
      const { body } = await callApi('GET', `${ATTEMPTS}?${query}`, { key })
      return z
        .object({ data: z.array(AttemptView) })
        .parse(body)
        .data.map((one) => one.id)
    }
    expect(await idsOf(`request_id=${requestId}&state=&cursor=&limit=`)).toEqual([id])
    expect(await idsOf('state=initializing')).toHaveLength(2)
    expect(await idsOf('state=completed')).toEqual([])
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=2&limit=3', 'limit'],
    ['state=done', 'state'],
    ['cursor=1', 'cursor'],
    ['request_id=1', 'request_id'],
  ])('refuses ?%s and names it', async (query, field) => {
    const { status, body } = await callApi('GET', `${ATTEMPTS}?${query}`, { key })
    expect(status).toBe(422)
    expect(fieldsOf(body)).toEqual([field])
  })

  test('a delivered attempt has its image, with a strong tag', async () => {
    const started = AttemptView.parse((await start()).body)
    const image = `${ATTEMPTS}/${started.id}/image`
    expect((await callApi('GET', image, { key })).status).toBe(404)
    await world().runToQuiet(await world().keyOf(started.id))
    const { body } = await callApi('GET', `${ATTEMPTS}/${started.id}`, { key })
    expect(AttemptView.parse(body)).toMatchObject({
      status: 'delivered',
      settlement: 'settled',
      poll_after_ms: null,
      artwork: { url: image },
    })
    const first = await callApi('GET', image, { key })
    const etag = `"${createHash('sha256').update(first.bytes).digest('hex')}"`
    expect(first.headers.get('etag')).toBe(etag)
    expect(first.headers.get('cache-control')).toBe('private, no-store')
    for (const tags of [etag, `"other", W/${etag}`, '*']) {
      const again = await callApi('GET', image, { key, headers: { 'if-none-match': tags } })
      expect(again.status).toBe(304)
      expect(again.bytes).toHaveLength(0)
    }
    const changed = await callApi('GET', image, { key, headers: { 'if-none-match': '"other"' } })
    expect(changed.status).toBe(200)
    const head = await callApi('HEAD', image, { key })
    expect([head.status, head.headers.get('etag'), head.bytes.length]).toEqual([200, etag, 0])
  })

  test('the balance and the ledger tell the same', async () => {
    await start()
    const { body } = await callApi('GET', '/api/v1/balance', { key })
    expect(body).toMatchObject({ granted: 20, available: 19, held: 1, spent: 0 })
    const Lines = z.object({
      data: z.array(z.object({ seq: z.int(), kind: z.string(), available_after: z.int() })),
      next_cursor: z.string().nullable(),
    })
    const first = Lines.parse((await callApi('GET', '/api/v1/ledger?limit=1', { key })).body)
    expect(first.data).toEqual([{ seq: 2, kind: 'reserved', available_after: 19 }])
    const cursor = first.next_cursor ?? ''
    const next = Lines.parse(
      (await callApi('GET', `/api/v1/ledger?cursor=${cursor}`, { key })).body,
    )
    expect(next.data.map(({ kind }) => kind)).toEqual(['granted'])
    expect(next.next_cursor).toBeNull()
    const wrong = await callApi('GET', '/api/v1/ledger?cursor=x', { key })
    expect([wrong.status, fieldsOf(wrong.body)]).toEqual([422, ['cursor']])
  })

  test('lists the models with their price and the schema of their settings', async () => {
    const { body } = await callApi('GET', '/api/v1/models', { key })
    expect(body).toMatchObject({
      data: [
        { id: 'simulator/safelight', provider: 'simulator', price: 4 },
        { id: 'simulator/proof', name: 'Proof', price: 1, settings: { type: 'object' } },
      ],
      next_cursor: null,
    })
  })
})

describe('cancelling', () => {
  test('before anything was sent it is proved, released, and never sent', async () => {
    const { id } = AttemptView.parse((await start()).body)
    const attemptKey = await world().keyOf(id)
    const answer = await callApi('POST', `${ATTEMPTS}/${id}/cancel`, { key })
    expect(answer.body).toMatchObject({
      cancelled: true,
      requested: false,
      attempt: { state: 'failed', settlement: 'released', failure: { code: 'cancelled' } },
    })
    await world().step(attemptKey)
    expect(world().provider.posts()).toBe(0)
    expect(await world().balance(accountId)).toEqual({ available: 20, held: 0, spent: 0 })
    // Asked again, it says the same.
    const again = await callApi('POST', `${ATTEMPTS}/${id}/cancel`, { key })
    expect(again.body).toMatchObject({ cancelled: true })
    expect(await world().entries(attemptKey)).toEqual(['reserved', 'released'])
  })

  test('afterwards the wish is noted, and nothing is claimed', async () => {
    const { id } = AttemptView.parse((await start()).body)
    const attemptKey = await world().keyOf(id)
    await world().step(attemptKey)
    const answer = await callApi('POST', `${ATTEMPTS}/${id}/cancel`, { key })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      cancelled: false,
      requested: true,
      attempt: { state: 'pending', settlement: null, cancel_requested: true },
    })
    await world().runToQuiet(attemptKey)
    expect(await world().attempt(attemptKey)).toMatchObject({ state: 'completed' })
  })
})

describe('reference images', () => {
  const upload = (bytes: Buffer, type = 'image/png') =>
    callApi('POST', '/api/v1/reference-images', {
      key,
      body: new Uint8Array(bytes),
      headers: { 'content-type': type },
    })

  test('an image is kept and named by the digest of its bytes, once', async () => {
    const bytes = await pngBytes('#246')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    for (const type of ['image/png', 'application/octet-stream']) {
      const { status, body } = await upload(bytes, type)
      expect(status).toBe(200)
      expect(body).toEqual({ sha256, content_type: 'image/png', size_bytes: bytes.length })
    }
  })

  test.each([
    ['text', () => Promise.resolve(Buffer.from('hello')), 'image/png', 422],
    ['JSON', () => Promise.resolve(Buffer.from('{}')), 'application/json', 415],
    ['too much', () => Promise.resolve(Buffer.alloc(8 * 1_024 * 1_024 + 1)), 'image/png', 413],
  ] as const)('%s is refused, and said why', async (_what, bytes, type, status) => {
    expect((await upload(await bytes(), type)).status).toBe(status)
  })
})

describe('a model that is not offered any more', () => {
  test('what it made is answered for ever, also where the call left the size out', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = AttemptView.parse((await start(input, { headers })).body)
    serveWith({ ...world(), models: [] })
    try {
      const again = await start(input, { headers })
      expect(again.status).toBe(200)
      expect(AttemptView.parse(again.body).id).toBe(first.id)
      const other = await start({ ...input, prompt: 'another' }, { headers })
      expect([other.status, other.body]).toMatchObject([422, { code: 'request_id_reused' }])
      const fresh = await start()
      expect([fresh.status, fresh.body]).toMatchObject([422, { code: 'invalid_input' }])
    } finally {
      serveWith(world())
    }
  })

  test('nor does another default size make another attempt of the same call', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = AttemptView.parse((await start(input, { headers })).body)
    const models = world().models.map((model) => ({ ...model, sizes: model.sizes.toReversed() }))
    serveWith({ ...world(), models })
    try {
      const again = await start(input, { headers })
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(AttemptView.parse(again.body).id).toBe(first.id)
    } finally {
      serveWith(world())
    }
  })
})

describe('whoever asks', () => {
  const everyAddress = [
    ['GET', ATTEMPTS],
    ['POST', ATTEMPTS],
    ['GET', `${ATTEMPTS}/${randomUUID()}`],
    ['GET', `${ATTEMPTS}/${randomUUID()}/image`],
    ['POST', `${ATTEMPTS}/${randomUUID()}/cancel`],
    ['GET', '/api/v1/balance'],
    ['GET', '/api/v1/ledger'],
    ['GET', '/api/v1/models'],
    ['POST', '/api/v1/reference-images'],
  ] as const

  test.each(everyAddress)('%s %s needs a key that is in use', async (method, address) => {
    const revoked = await createApiKey(world(), accountId, 'revoked')
    invariant(revoked.ok, 'a key is made')
    await revokeApiKey(world(), accountId, revoked.value.id)
    const suspended = await world().openAccount()
    const suspendedKey = await keyOf(suspended)
    await world().rows(`update account set status = 'suspended' where id = $1`, suspended)
    const unknown = `dk_${'A'.repeat(43)}`
    const bodies = new Set<string>()
    for (const given of [undefined, '', 'x', unknown, revoked.value.key, suspendedKey]) {
      const answer = await callApi(method, address, { key: given })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
      bodies.add(answer.bytes.toString())
    }
    expect(bodies.size).toBe(1)
    const basic = await callApi(method, address, { headers: { authorization: `Basic ${key}` } })
    expect(basic.status).toBe(401)
  })

  test('the scheme may be written in any case', async () => {
    const headers = { authorization: `bearer ${key}` }
    expect((await callApi('GET', '/api/v1/balance', { headers })).status).toBe(200)
  })

  test('another’s attempt is as absent as one that never was', async () => {
    const { id } = AttemptView.parse((await start()).body)
    await world().runToQuiet(await world().keyOf(id))
    const stranger = { key: await keyOf(await world().openAccount()) }
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '/image'],
      ['POST', '/cancel'],
    ] as const) {
      const foreign = await callApi(method, `${ATTEMPTS}/${id}${rest}`, stranger)
      const absent = await callApi(method, `${ATTEMPTS}/${randomUUID()}${rest}`, stranger)
      const malformed = await callApi(method, `${ATTEMPTS}/x'--${rest}`, stranger)
      expect(foreign.status).toBe(404)
      expect(foreign.bytes).toEqual(absent.bytes)
      expect(malformed.bytes).toEqual(absent.bytes)
      expect([...foreign.headers]).toEqual([...absent.headers])
    }
    const { body } = await callApi('GET', ATTEMPTS, stranger)
    expect(body).toMatchObject({ data: [] })
  })

  test.each([
    ['DELETE', ATTEMPTS, 'GET, HEAD, POST, OPTIONS'],
    ['PUT', `${ATTEMPTS}/${randomUUID()}`, 'GET, HEAD, OPTIONS'],
    ['GET', `${ATTEMPTS}/${randomUUID()}/cancel`, 'POST, OPTIONS'],
    ['POST', '/api/v1/balance', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/v1/openapi.json', 'GET, HEAD, OPTIONS'],
  ] as const)('%s %s is answered with what is allowed', async (method, address, allow) => {
    const refused = await callApi(method, address, { key })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, allow])
    expect(refused.body).toMatchObject({ code: 'method_not_allowed', status: 405 })
    const asked = await callApi('OPTIONS', address)
    expect([asked.status, asked.headers.get('allow')]).toEqual([204, allow])
  })

  test('an address that does not exist is told in the words of the API', async () => {
    const { status, type, body } = await callApi('GET', '/api/v1/nothing/here')
    expect([status, type]).toEqual([404, 'application/problem+json'])
    expect(body).toMatchObject({ code: 'not_found', type: 'about:blank', title: 'Not Found' })
  })

  test('anybody may read the description', async () => {
    expect((await callApi('GET', '/api/v1/openapi.json')).status).toBe(200)
  })
})

describe('when something is wrong on our side', () => {
  test('a lost database is answered 503, with when to ask again and nothing else', async () => {
    const nowhere = createDatabase({
      url: 'postgresql://darkroom_app:secret@127.0.0.1:1/darkroom',
      applicationName: 'test',
      onError: () => undefined,
    })
    serveWith({ ...world(), db: nowhere })
    try {
      for (const call of [start(), callApi('GET', '/api/v1/balance', { key })]) {
        const { status, headers, body, bytes } = await call
        expect(status).toBe(503)
        expect(headers.get('retry-after')).toMatch(/^\d+$/)
        expect(body).toMatchObject({ code: 'unavailable' })
        expect(bytes.toString()).not.toMatch(/127\.0\.0\.1|ECONN|secret/)
      }
    } finally {
      serveWith(world())
      await nowhere.close()
    }
  })

  test('a fault inside is answered 500 without its words, and logged', async () => {
    await start()
    serveWith({ ...world(), newId: () => 'the words inside' })
    try {
      const { status, body, bytes } = await start()
      expect(status).toBe(500)
      expect(body).toMatchObject({ code: 'internal_error' })
      expect(bytes.toString()).not.toMatch(/words inside|ZodError|at /)
    } finally {
      serveWith(world())
    }
    expect(JSON.stringify(world().logged)).toContain('api call failed')
  })
})
