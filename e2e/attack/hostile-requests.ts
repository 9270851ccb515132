import fc from 'fast-check'
import { dataRoutes, pages, type AppRoute } from '@/test/app-routes'
import type { ServerAction } from './server-actions'

export type HostileRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  /** Next.js answers 500 to arguments that no client of React encodes, before anything of ours runs. */
  readonly isUnreadable?: boolean
}

/** What whoever attacks knows or has: their own credentials, and the ids of others. */
export type Loot = {
  readonly actions: readonly ServerAction[]
  /** Cookies and keys, each as headers. One of them is none. */
  readonly identities: readonly Readonly<Record<string, string>>[]
  /** Ids of other people's attempts, accounts, sessions, pictures and links. */
  readonly ids: readonly string[]
  readonly origin: string
  /** Bodies of callbacks that are signed as a provider signs, with whatever in them. */
  readonly sign: (body: Buffer) => Readonly<Record<string, string>>
}

/** Would be a header of ours, or a line of our log, if line breaks came through. */
export const MARK = 'x-injected'

const HOSTILE_TEXTS = [
  '',
  '0',
  '-1',
  'null',
  'undefined',
  'NaN',
  '1e309',
  '9223372036854775808',
  '__proto__',
  'constructor',
  '..',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '\0',
  'a\0b',
  '%00',
  '%',
  '%zz',
  '\ud800',
  '\u202e\ufeff',
  `a\r\n${MARK}: yes\r\n\r\n{"${MARK}":1}`,
  `\n${MARK} {"level":30}`,
  "' or 1=1; drop table account; --",
  '$$; select pg_sleep(10); $$',
  '{{7*7}}${7*7}#{7*7}',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  'https://evil.example/',
  'http://169.254.169.254/latest/meta-data/',
  '=cmd|calc',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
  'a'.repeat(5_000),
  '('.repeat(2_000),
  ' '.repeat(3_000),
  '!'.repeat(2_000),
]

const OWN_MEMBERS = [
  ...['id', 'ids', 'account', 'accountId', 'account_id', 'email', 'password', 'role', 'token'],
  ...['credits', 'available', 'price', 'priceCredits', 'state', 'settlement', 'status', 'amount'],
  ...['model', 'prompt', 'settings', 'width', 'height', 'seed', 'quality', 'requestId', 'kind'],
  ...['name', 'current', 'confirmation', 'q', 'cursor', 'limit', 'request_id', 'size', 'sort'],
  ...['callbackUrl', 'csrfToken', 'json', 'redirect', 'from', 'problem', 'with', 'act', 'reason'],
  ...['__proto__', 'constructor', 'toString', 'then'],
]

const encodePart = (text: string) => {
  try {
    return encodeURIComponent(text)
  } catch {
    // A lone surrogate: what of it a client would send all the same.
    return '%ED%A0%80'
  }
}

const hostileText = (loot: Loot) =>
  fc.oneof(
    fc.constantFrom(...HOSTILE_TEXTS),
    fc.constantFrom(...loot.ids),
    fc.string({ maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.uuid(),
  )

const someJson = (loot: Loot): fc.Arbitrary<unknown> => {
  const leaf = fc.oneof(
    hostileText(loot),
    fc.constantFrom(null, true, false, 0, -1, 1e21, 1024, 0.5, Number.MAX_SAFE_INTEGER),
  )
  const member = fc.oneof(fc.constantFrom(...OWN_MEMBERS), fc.string({ maxLength: 8 }))
  const members = (value: fc.Arbitrary<unknown>) =>
    fc.dictionary(member, value, { maxKeys: 8, noNullPrototype: true })
  return fc.oneof(
    leaf,
    members(leaf),
    fc.array(leaf, { maxLength: 6 }),
    members(fc.oneof(leaf, members(leaf), fc.array(leaf, { maxLength: 4 }))),
  )
}

/** Almost an attempt, so that what lies behind the first check is reached. */
const almostAttempt = (loot: Loot): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.record(
        {
          model: fc.oneof(fc.constant('simulator/proof'), hostileText(loot)),
          prompt: fc.oneof(fc.constant('A lighthouse #drill:reject'), hostileText(loot)),
          width: fc.constantFrom(1024, 0, -1, 1e9, '1024', null),
          height: fc.constantFrom(1024, 0, 0.1, 1e9, '1024', null),
          seed: fc.constantFrom(1, -1, 2 ** 53, 'x', null),
          settings: someJson(loot),
        },
        { requiredKeys: [] },
      ),
      fc.dictionary(fc.constantFrom(...OWN_MEMBERS), someJson(loot), { maxKeys: 2 }),
    )
    .map(([attempt, more]) => ({ ...attempt, ...more }))

const text = (value: string) => Buffer.from(value, 'utf8')

const someBody = (loot: Loot): fc.Arbitrary<Buffer> =>
  fc.oneof(
    fc.oneof(someJson(loot), almostAttempt(loot)).map((json) => text(JSON.stringify(json))),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(
      text(''),
      text('{'),
      text('{"a":'),
      text(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
      text(`{"__proto__":{"isAdmin":true}}`),
      text(`"${'\\u0000'.repeat(100)}"`),
      text('﻿{}'),
      text(`--b\r\ncontent-disposition: form-data; name="0"\r\n\r\n[]\r\n--b--\r\n`),
      Buffer.alloc(70_000, 'a'),
    ),
    fc.dictionary(fc.constantFrom(...OWN_MEMBERS), hostileText(loot), { maxKeys: 4 }).map((form) =>
      text(
        Object.entries(form)
          .map((pair) => pair.map(encodePart).join('='))
          .join('&'),
      ),
    ),
  )

const CONTENT_TYPES = [
  'application/json',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'image/png',
  'application/json; charset=utf-16',
  '/',
]

const someHeaders = (loot: Loot): fc.Arbitrary<Record<string, string>> => {
  const value = fc.oneof(
    fc.constantFrom('x'.repeat(3_000), 'null', '*', '0', '-1', 'http://evil.example', '127.0.0.1'),
    fc.string({ maxLength: 30 }).map((given) => given.replaceAll(/[^\x20-\x7e]/g, '?')),
  )
  const odd = fc.constantFrom(
    ...['idempotency-key', 'if-none-match', 'range', 'x-forwarded-for', 'x-forwarded-host'],
    ...['x-middleware-subrequest', 'x-nonce', 'content-security-policy', 'referer', 'accept'],
    ...['next-router-state-tree', 'rsc', 'next-router-prefetch', 'x-http-method-override'],
    ...['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-matched-path', 'cookie'],
    ...['accept-language', 'user-agent', 'authorization', 'content-encoding', 'x-action-redirect'],
  )
  return fc
    .tuple(
      fc.constantFrom(...loot.identities),
      fc.constantFrom(loot.origin, loot.origin, 'null', 'https://evil.example', undefined),
      fc.constantFrom(...CONTENT_TYPES),
      fc.dictionary(odd, value, { maxKeys: 3, noNullPrototype: true }),
      fc.uuid({ version: 4 }),
    )
    .map(([identity, origin, contentType, more, requestId]) => ({
      'content-type': contentType,
      'idempotency-key': requestId,
      ...(origin === undefined ? {} : { origin }),
      ...more,
      ...identity,
    }))
}

// Behind one route of ours, all of them next-auth's.
const AUTH_ROUTES = ['callback/credentials', 'callback/link', 'callback/none', 'signin/credentials']
  .concat(['signin', 'signin/none', 'signout', 'session', 'csrf', 'providers', 'error', '_log'])
  .map((path) => ({ file: '', address: `/api/auth/${path}`, methods: ['GET', 'POST'] }))

const METHODS = ['GET', 'GET', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

const address = (loot: Loot, { address }: AppRoute): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(hostileText(loot), { minLength: 4, maxLength: 4 }),
      fc.array(fc.tuple(fc.constantFrom(...OWN_MEMBERS), hostileText(loot)), { maxLength: 3 }),
    )
    .map(([values, query]) => {
      let at = 0
      const path = address.replaceAll(
        /\[[^\]]*\]/g,
        () =>
          // An empty part would be another address.
          encodePart(values[at++] ?? '')
            .slice(0, 3_000)
            .replace(/%.?$/, '') || 'x',
      )
      const search = query.map((pair) => pair.map(encodePart).join('=')).join('&')
      return `${path}${search === '' ? '' : `?${search}`}`
    })

const withBody = (method: string, body: Buffer) =>
  ['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : body

/** Any address of data or page, in any way. */
const toAddress = (loot: Loot): fc.Arbitrary<HostileRequest> =>
  fc
    // A page takes twenty times as long to make as data does.
    .oneof(
      { weight: 12, arbitrary: fc.constantFrom(...dataRoutes(), ...AUTH_ROUTES) },
      { weight: 1, arbitrary: fc.constantFrom(...pages()) },
    )
    .chain((route) =>
      fc
        .tuple(
          fc.constantFrom(...METHODS, ...route.methods, ...route.methods),
          address(loot, route),
          someHeaders(loot),
          someBody(loot),
        )
        .map(([method, path, headers, body]) => ({
          method,
          path,
          headers,
          body: withBody(method, body),
        })),
    )

const ATTEMPT = { model: 'simulator/proof', prompt: 'A lighthouse #drill:reject' }

/** A submission by API, sometimes a good one, sometimes with more in it than there may be. */
const toSubmission = (loot: Loot): fc.Arbitrary<HostileRequest> =>
  fc
    .tuple(
      fc.oneof(
        almostAttempt(loot),
        fc
          .dictionary(fc.constantFrom(...OWN_MEMBERS), someJson(loot), { maxKeys: 1 })
          .map((more) => ({ ...more, ...ATTEMPT })),
      ),
      someHeaders(loot),
    )
    .map(([attempt, headers]) => ({
      method: 'POST',
      path: '/api/v1/attempts',
      headers: { ...headers, 'content-type': 'application/json' },
      body: text(JSON.stringify(attempt)),
    }))

const NO_ENCODINGS = [
  '["$F9"]',
  '["$@1"]',
  '["$K1"]',
  '["$1:__proto__:then"]',
  '["$h1"]',
  '[',
  '{}',
  '',
  '["$Q1"]',
]

const actionBody = (json: string) => ({
  form: `--b\r\ncontent-disposition: form-data; name="0"\r\n\r\n${json}\r\n--b--\r\n`,
  text: json,
})

/** A server action with arguments of any shape, in either of the two forms in which they are sent. */
const toAction = (loot: Loot): fc.Arbitrary<HostileRequest> => {
  const values = fc
    .array(fc.oneof(someJson(loot), almostAttempt(loot)), { maxLength: 3 })
    // A text that begins with a dollar is a reference in the encoding of React.
    .map((args) => JSON.stringify(args).replaceAll('"$', () => '"$$'))
  return fc
    .tuple(
      fc.constantFrom(...loot.actions),
      fc.oneof(
        { weight: 9, arbitrary: values.map((json) => ({ json, isUnreadable: false })) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(...NO_ENCODINGS).map((json) => ({ json, isUnreadable: true })),
        },
      ),
      someHeaders(loot),
      fc.constantFrom('form' as const, 'text' as const),
    )
    .map(([{ id, page }, { json, isUnreadable }, headers, form]) => ({
      method: 'POST',
      path: page,
      headers: {
        ...headers,
        'next-action': id,
        origin: loot.origin,
        'content-type':
          form === 'form' ? 'multipart/form-data; boundary=b' : 'text/plain;charset=UTF-8',
      },
      body: text(actionBody(json)[form]),
      isUnreadable,
    }))
}

/** A callback whose signature may be genuine, whatever it says. */
const toCallback = (loot: Loot): fc.Arbitrary<HostileRequest> =>
  fc
    .tuple(
      fc.constantFrom('simulator', 'openai', 'replicate', 'bfl', 'fal', 'runware', 'nobody'),
      hostileText(loot),
      fc.oneof(
        someBody(loot),
        fc
          .record({ id: hostileText(loot), status: fc.constantFrom('succeeded', 'failed', 'x') })
          .map((task) => text(JSON.stringify({ ...task, reference: task.id }))),
      ),
      fc.boolean(),
      someHeaders(loot),
    )
    .map(([provider, token, body, isSigned, headers]) => ({
      method: 'POST',
      path: `/api/callbacks/${provider}/${encodePart(token).slice(0, 2_000).replace(/%.?$/, '') || 'project'}`,
      headers: { ...headers, ...(isSigned ? loot.sign(body) : {}) },
      body,
    }))

export const hostileRequest = (loot: Loot): fc.Arbitrary<HostileRequest> =>
  fc.oneof(
    { weight: 6, arbitrary: toAddress(loot) },
    { weight: 2, arbitrary: toAction(loot) },
    { weight: 1, arbitrary: toSubmission(loot) },
    { weight: 2, arbitrary: toCallback(loot) },
  )
