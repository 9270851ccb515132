import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { afterEach, expect, test } from 'vitest'
import { CERTIFICATE, KEY } from '@/test/certificate'
import { reachOf } from './address-reach'
import { fetchResult, type FetchOptions } from './fetch-result'

const MIB = 1_024 * 1_024
const picture = Buffer.from('\u0089PNG and whatever follows', 'latin1')

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

/** A server on loopback that counts who comes, before a byte is read. */
async function serve(listener: RequestListener, tls = false) {
  const server = tls
    ? createTlsServer({ cert: CERTIFICATE, key: KEY }, listener)
    : createServer(listener)
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { origin: `http://127.0.0.1:${port}`, port, connections: () => connections }
}

const giving =
  (bytes: Buffer | string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, headers).end(bytes)
const redirecting =
  (location: string, status = 302): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { location }).end()

const LIMITS = { bytesMax: MIB, totalMs: 2_000, windowMs: 300, windowBytesMin: 64 }
const NOBODY: FetchOptions = { trustedOrigins: [], allowPrivateHosts: false }

/** From a server that the operator named. */
async function fetchFrom(listener: RequestListener, limits: Partial<typeof LIMITS> = {}) {
  const { origin } = await serve(listener)
  return fetchResult(`${origin}/image`, {
    ...NOBODY,
    trustedOrigins: [origin],
    limits: { ...LIMITS, ...limits },
  })
}

const reasonOf = (output: Awaited<ReturnType<typeof fetchResult>>) =>
  output.ok ? 'it was fetched' : output.reason

test.each([
  ['an image', giving(picture, { 'content-type': 'image/png' })],
  ['what calls itself a page', giving(picture, { 'content-type': 'text/html' })],
  ['what calls itself nothing', giving(picture)],
  [
    'what comes in chunks',
    ((_request, response) => {
      for (const byte of picture) response.write(Buffer.of(byte))
      response.end()
    }) satisfies RequestListener,
  ],
  ['what says that it is not compressed', giving(picture, { 'content-encoding': 'identity' })],
])('gives the bytes of %s as they came', async (_what, listener) => {
  expect(await fetchFrom(listener)).toEqual({ ok: true, bytes: picture })
})

test('asks with nothing of ours, and for nothing compressed', async () => {
  let asked: Record<string, unknown> = {}
  await fetchFrom((request, response) => {
    asked = request.headers
    response.end(picture)
  })
  expect(Object.keys(asked).sort()).toEqual([
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
  expect(asked['accept-encoding']).toBe('identity')
})

// What comes, but must not be taken.

test.each<readonly [string, RequestListener, RegExp]>([
  ['says that it is too long', giving('', { 'content-length': String(64 * MIB) }), /larger than/],
  [
    'never ends',
    (_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(64 * 1_024)));
        response.once('drain', more)
      }
      more()
    },
    /larger than 1048576 bytes/,
  ],
  [
    'comes a byte at a time',
    (_request, response) => {
      const drip = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(drip))
    },
    /too slowly: \d+ bytes in 0.3 s/,
  ],
  ['stops in the middle', (_request, response) => void response.write('abc'), /too slowly/],
  ['never begins', () => undefined, /did not come whole within 2 s/],
  [
    'is shorter than it says',
    (_request, response) =>
      void response
        .writeHead(200, { 'content-length': '999' })
        .write('abc', () => response.destroy()),
    /could not be fetched/,
  ],
  [
    'breaks off in a chunk',
    (_request, response) => void response.write('abc', () => response.destroy()),
    /could not be fetched/,
  ],
  ['is reset', (request) => void request.socket.resetAndDestroy(), /could not be fetched/],
  ['comes compressed', giving(picture, { 'content-encoding': 'gzip' }), /compressed/],
  ['is an error', (_request, response) => void response.writeHead(503).end(), /answered 503/],
  ['is empty on purpose', (_request, response) => void response.writeHead(204).end(), /204/],
  ['is a part', (_request, response) => void response.writeHead(206).end('abc'), /answered 206/],
  ['leads nowhere', (_request, response) => void response.writeHead(302).end(), /answered 302/],
])('a result that %s is not taken, and may be fetched again', async (_what, listener, reason) => {
  const output = await fetchFrom(listener)
  expect(output).toMatchObject({ ok: false, gone: false })
  expect(reasonOf(output)).toMatch(reason)
})

test('the rate is measured all the time: a good start does not pay for a standstill', async () => {
  const output = await fetchFrom((_request, response) => void response.write(Buffer.alloc(9_000)))
  expect(reasonOf(output)).toMatch(/too slowly: 0 bytes/)
})

test.each([403, 404, 410])('%i says that the result has expired', async (status) => {
  const output = await fetchFrom((_request, response) => void response.writeHead(status).end())
  expect(output).toEqual({
    ok: false,
    gone: true,
    reason: `The result has expired or was removed: 127.0.0.1 answered ${status}.`,
  })
})

// Where it is, which must not be believed.

test.each([
  ['http://images.example/a.png', /not https/],
  ['https://images.example:8443/a.png', /port 8443/],
  ['https://user@images.example/a.png', /a user or a password/],
  ['https://:word@images.example/a.png', /a user or a password/],
  ['file:///etc/passwd', /file:/],
  ['ftp://images.example/a.png', /ftp:/],
  ['gopher://127.0.0.1:6379/_SET', /gopher:/],
  ['javascript:alert(1)', /javascript:/],
  ['blob:https://images.example/1', /blob:/],
  ['//images.example/a.png', /is none/],
  ['not an address', /is none/],
  ['', /is none/],
  ['https://', /is none/],
])('%s is not asked', async (url, reason) => {
  const output = await fetchResult(url, NOBODY)
  expect(output).toMatchObject({ ok: false, gone: false })
  expect(reasonOf(output)).toMatch(reason)
})

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://127.1/',
  'https://①②⑦.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://10.0.0.1/',
  'https://192.168.0.1/',
  'https://[fd00::1]/',
])('%s is a private address in whatever spelling', async (url) => {
  expect(reasonOf(await fetchResult(url, NOBODY))).toMatch(
    /on a private network.*ALLOW_PRIVATE_RESULT_HOSTS/,
  )
})

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fd00:ec2::254]/',
  'http://0.0.0.0/',
  'http://[fe80::1]/',
])('%s is not asked even where private hosts are allowed', async (url) => {
  const output = await fetchResult(url, { ...NOBODY, allowPrivateHosts: true })
  expect(reasonOf(output)).toMatch(/no public address/)
})

test('not a packet goes to a private host, by address or by name', async () => {
  const { port, connections } = await serve(giving(picture))
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '2130706433']) {
    for (const protocol of ['http', 'https']) {
      const output = await fetchResult(`${protocol}://${host}:${port}/`, NOBODY)
      expect(output).toMatchObject({ ok: false, gone: false })
    }
  }
  expect(connections()).toBe(0)
})

/** A resolver that answers these one after another, and counts. */
function resolving(...answers: readonly (readonly string[])[]) {
  const asked: string[] = []
  return {
    asked,
    network: {
      reachOf,
      ca: CERTIFICATE,
      resolve: (host: string) => {
        asked.push(host)
        return Promise.resolve(answers[asked.length - 1] ?? [])
      },
    },
  }
}

test.each([
  ['a private address', ['10.0.0.1'], /images.example \(10.0.0.1\), on a private network/],
  ['a public and a private one', ['8.8.8.8', '127.0.0.1'], /127.0.0.1/],
  ['the address of metadata', ['169.254.169.254'], /no public address/],
  ['a private one in disguise', ['::ffff:7f00:1'], /private network/],
  ['none', [], /has no address/],
])('a name that means %s is not asked', async (_what, addresses, reason) => {
  const { network, asked } = resolving(addresses)
  const output = await fetchResult('https://images.example/a.png', { ...NOBODY, network })
  expect(reasonOf(output)).toMatch(reason)
  expect(asked).toEqual(['images.example'])
})

test('a name that cannot be resolved is a bad moment', async () => {
  const network = { reachOf, resolve: () => Promise.reject(new Error('ENOTFOUND images.example')) }
  const output = await fetchResult('https://images.example/a.png', { ...NOBODY, network })
  expect(output).toMatchObject({ ok: false, gone: false })
  expect(reasonOf(output)).toMatch(/could not be fetched: ENOTFOUND/)
})

test('a name is resolved once for a connection, which goes where that answer was checked', async () => {
  const { port, connections } = await serve(giving(picture))
  const { network, asked } = resolving(['127.0.0.1'], ['169.254.169.254'])
  const url = `http://images.example:${port}/`
  const output = await fetchResult(url, { ...NOBODY, allowPrivateHosts: true, network })
  expect(output).toEqual({ ok: true, bytes: picture })
  expect(asked).toEqual(['images.example'])
  expect(connections()).toBe(1)
})

test('a name that comes to mean another host between two requests is checked again', async () => {
  const { port, connections } = await serve(redirecting('/again'))
  const { network, asked } = resolving(['127.0.0.1'], ['169.254.169.254'])
  const url = `http://images.example:${port}/`
  const output = await fetchResult(url, { ...NOBODY, allowPrivateHosts: true, network })
  expect(reasonOf(output)).toMatch(/images.example \(169.254.169.254\)/)
  expect(asked).toHaveLength(2)
  expect(connections()).toBe(1)
})

// Where it leads.

test.each([301, 302, 303, 307, 308])('a redirect with %i is followed', async (status) => {
  const output = await fetchFrom((request, response) => {
    if (request.url === '/image') redirecting('/there', status)(request, response)
    else giving(picture)(request, response)
  })
  expect(output).toEqual({ ok: true, bytes: picture })
})

test.each([
  ['three times', 3, true],
  ['four times', 4, false],
])('a result that redirects %s', async (_what, times, isFetched) => {
  let asked = 0
  const output = await fetchFrom((request, response) => {
    asked += 1
    if (asked <= times) redirecting(`/${asked}`)(request, response)
    else giving(picture)(request, response)
  })
  expect(output.ok).toBe(isFetched)
  expect(asked).toBe(4)
})

test.each([
  ['http://STRANGER/', /private network/],
  ['//STRANGER/', /private network/],
  ['http://localhost:PORT/', /not https/],
  ['http://user@STRANGER/', /a user or a password/],
  ['http://169.254.169.254/latest/', /no public address/],
  ['file:///etc/passwd', /file:/],
  ['data:image/png;base64,AAAA', /data:/],
  ['http://', /is none/],
])('a redirect from a trusted server to %s is not followed', async (location, reason) => {
  const stranger = await serve(giving(picture))
  const output = await fetchFrom(
    redirecting(
      location
        .replace('STRANGER', `127.0.0.1:${stranger.port}`)
        .replace('PORT', String(stranger.port)),
    ),
  )
  expect(output).toMatchObject({ ok: false, gone: false })
  expect(reasonOf(output)).toMatch(reason)
  expect(stranger.connections()).toBe(0)
})

test('a result is fetched over TLS from the host that its certificate names', async () => {
  const { port } = await serve(giving(picture), true)
  const { network } = resolving(['127.0.0.1'])
  const url = `https://images.example:${port}/`
  const output = await fetchResult(url, { ...NOBODY, allowPrivateHosts: true, network })
  expect(output).toEqual({ ok: true, bytes: picture })
})

test.each([
  ['of another name', 'other.example', CERTIFICATE],
  ['of nobody known', 'images.example', undefined],
])('a certificate %s is a bad moment', async (_what, host, ca) => {
  const { port } = await serve(giving(picture), true)
  const { resolve } = resolving(['127.0.0.1']).network
  const output = await fetchResult(`https://${host}:${port}/`, {
    ...NOBODY,
    allowPrivateHosts: true,
    network: { reachOf, resolve, ...(ca === undefined ? {} : { ca }) },
  })
  expect(output).toMatchObject({ ok: false, gone: false })
})

test('a redirect never takes the TLS away', async () => {
  const plain = await serve(giving(picture))
  const { port } = await serve(redirecting(`${plain.origin}/`), true)
  const { network } = resolving(['127.0.0.1'])
  const output = await fetchResult(`https://images.example:${port}/`, {
    trustedOrigins: [plain.origin],
    allowPrivateHosts: true,
    network,
  })
  expect(reasonOf(output)).toMatch(/from https to http/)
  expect(plain.connections()).toBe(0)
})

test('every fetch has a connection of its own', async () => {
  const { origin, connections } = await serve(giving(picture))
  const options = { ...NOBODY, trustedOrigins: [origin] }
  await fetchResult(`${origin}/`, options)
  await fetchResult(`${origin}/`, options)
  expect(connections()).toBe(2)
})

// An address that is the picture itself.

test.each([
  ['base64', `data:image/png;base64,${picture.toString('base64')}`],
  ['base64 in capitals', `DATA:image/PNG;BASE64,${picture.toString('base64')}`],
  ['base64 after a name', `data:image/webp;name=a.webp;base64,${picture.toString('base64')}`],
  ['bytes as they are', `data:image/jpeg,${picture.toString('hex').replace(/../g, '%$&')}`],
])('an image in a data address, %s, is decoded', async (_coding, url) => {
  expect(await fetchResult(url, NOBODY)).toEqual({ ok: true, bytes: picture })
})

test.each([
  ['data:text/html,<script>1</script>', /no image/],
  ['data:image/svg+xml,<svg/>', /no image/],
  ['data:image/png', /no image/],
  [`data:image/png;base64,${'A'.repeat(2 * MIB)}`, /larger than/],
  [`data:image/png,${'%00'.repeat(2 * MIB)}`, /larger than/],
])('the data address %.40s is refused', async (url, reason) => {
  const output = await fetchResult(url, { ...NOBODY, limits: LIMITS })
  expect(output).toMatchObject({ ok: false, gone: false })
  expect(reasonOf(output)).toMatch(reason)
})
