import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, request, type Dispatcher } from 'undici'
import type { Output } from '@/lib/domain/provider'
import { reachOf, type Reach } from './address-reach'
import { describeError } from './describe-error'
import { readBounded } from './read-bounded'

// Two bytes for each pixel of the largest picture on offer, 4096 x 4096, and what the spool takes.
export const RESULT_BYTES_MAX = 32 * 1024 * 1024
const REDIRECTS_MAX = 3
const CONNECT_TIMEOUT_MS = 10_000
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const GONE = new Set([403, 404, 410])

const LIMITS = {
  bytesMax: RESULT_BYTES_MAX,
  // From the first look-up to the last byte, redirects included. Half of a lease.
  totalMs: 30_000,
  // Slower than this, nothing comes whole before the deadline: the next try may find a better line.
  windowMs: 5_000,
  windowBytesMin: 32 * 1024,
}

/** What the socket needs of the world. */
export type Network = {
  /** Every address of a host. */
  readonly resolve: (host: string) => Promise<readonly string[]>
  readonly reachOf: (address: string) => Reach
  /** Certificates to trust in place of the usual ones. */
  readonly ca?: string
}

const NETWORK: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  reachOf,
}

export type FetchOptions = {
  /** Origins that may be private or not encrypted: the operator named them. */
  readonly trustedOrigins: readonly string[]
  /** For providers that serve results from the operator's own network. */
  readonly allowPrivateHosts: boolean
  readonly limits?: typeof LIMITS
  readonly network?: Network
}

/** Why a result is not fetched, in words for an admin. */
class Refusal extends Error {}

/**
 * Fetches a result's bytes from wherever its provider says it is, which is to be believed no
 * further than needed: over TLS, from public hosts, as raw bytes within limits, and with nothing
 * of ours in the request. Each redirect is checked like the first address. Never throws.
 */
export async function fetchResult(url: string, options: FetchOptions): Promise<Output> {
  const limits = options.limits ?? LIMITS
  const stop = new AbortController()
  const deadline = setTimeout(() => {
    stop.abort(new Refusal(`The result did not come whole within ${limits.totalMs / 1_000} s.`))
  }, limits.totalMs)
  try {
    if (/^data:/i.test(url)) return decodeDataUrl(url, limits.bytesMax)
    let target = checkedTarget(url, undefined, options)
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const answer = await get(target, { ...options, limits }, stop)
      if (!('location' in answer)) return answer
      target = checkedTarget(answer.location, target, options)
    }
    throw new Refusal(`The result redirects more than ${REDIRECTS_MAX} times.`)
  } catch (error) {
    // Failing to fetch is an answer here: the same result is fetched again later.
    const reason =
      error instanceof Refusal
        ? error.message
        : `The result could not be fetched: ${describeError(error)}`
    return { ok: false, reason, gone: false }
  } finally {
    clearTimeout(deadline)
    stop.abort()
  }
}

/** An address that may be asked, or a `Refusal`. Names are checked again when they are looked up. */
function checkedTarget(address: string, from: URL | undefined, options: FetchOptions): URL {
  if (!URL.canParse(address, from)) throw new Refusal('The address of the result is none.')
  const target = new URL(address, from)
  const { protocol, hostname, username, password, port } = target
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new Refusal(`The address of the result is ${protocol} and not https.`)
  }
  if (username !== '' || password !== '') {
    throw new Refusal('The address of the result carries a user or a password.')
  }
  if (from?.protocol === 'https:' && protocol === 'http:') {
    throw new Refusal(`The result redirects from https to http at ${hostname}.`)
  }
  if (isTrusted(target, options)) return target
  const literal = literalOf(target)
  if (literal !== undefined) checkReach(literal, literal, options)
  if (options.allowPrivateHosts) return target
  if (protocol !== 'https:') {
    throw new Refusal(`The address of the result at ${hostname} is not https.`)
  }
  if (port !== '') {
    throw new Refusal(`The address of the result asks for port ${port} at ${hostname}.`)
  }
  return target
}

const isTrusted = ({ origin }: URL, { trustedOrigins }: FetchOptions) =>
  trustedOrigins.includes(origin)

/** The host where it is an IP address. However it was spelled, the URL holds its canonical form. */
function literalOf({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}

function checkReach(host: string, address: string, options: FetchOptions): void {
  const reach = (options.network ?? NETWORK).reachOf(address)
  if (reach === 'public' || (reach === 'private' && options.allowPrivateHosts)) return
  const where = host === address ? address : `${host} (${address})`
  throw new Refusal(
    reach === 'private'
      ? `The result is at ${where}, on a private network: it is not asked. ALLOW_PRIVATE_RESULT_HOSTS=1 would allow it.`
      : `The result is at ${where}, which is no public address: it is not asked.`,
  )
}

type Answer = Output | { readonly location: string }

/**
 * One GET on a connection of its own, so that no socket outlives the check of its address.
 * The name is resolved once, by the connection's own look-up, which lets only checked addresses
 * pass: there is no moment between check and use in which the name could come to mean another host.
 */
async function get(
  target: URL,
  options: FetchOptions & { readonly limits: typeof LIMITS },
  stop: AbortController,
): Promise<Answer> {
  const network = options.network ?? NETWORK
  const agent = new Agent({
    connect: buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      maxCachedSessions: 0,
      lookup: checkedLookup(isTrusted(target, options), options),
      ...(network.ca === undefined ? {} : { ca: network.ca }),
    }),
  })
  try {
    const response = await request(target, {
      method: 'GET',
      dispatcher: agent,
      signal: stop.signal,
      headers: {
        accept: 'image/png, image/jpeg, image/webp, */*;q=0.1',
        'accept-encoding': 'identity',
        'user-agent': 'Darkroom',
      },
    })
    return await answerOf(response, target, options.limits, stop)
  } finally {
    await agent.destroy()
  }
}

function checkedLookup(trusted: boolean, options: FetchOptions): LookupFunction {
  const network = options.network ?? NETWORK
  return (host, { all }, done) => {
    void network
      .resolve(host)
      .then((addresses) => {
        // One bad address among good ones is no mistake that anybody makes.
        if (!trusted) for (const address of addresses) checkReach(host, address, options)
        const [first] = addresses
        if (first === undefined) throw new Refusal(`The host ${host} has no address.`)
        if (all)
          done(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          )
        else done(null, first, isIP(first))
      })
      .catch((error: unknown) => {
        done(error instanceof Error ? error : new Error('the look-up failed'), [])
      })
  }
}

async function answerOf(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  target: URL,
  limits: typeof LIMITS,
  stop: AbortController,
): Promise<Answer> {
  const { location } = headers
  if (REDIRECTS.has(statusCode) && typeof location === 'string') return { location }
  if (statusCode !== 200) {
    return GONE.has(statusCode)
      ? {
          ok: false,
          reason: `The result has expired or was removed: ${target.hostname} answered ${statusCode}.`,
          gone: true,
        }
      : { ok: false, reason: `${target.hostname} answered ${statusCode}.`, gone: false }
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Refusal('The result came compressed, which was not asked for.')
  }
  const tooLarge = new Refusal(`The result is larger than ${limits.bytesMax} bytes.`)
  if (Number(headers['content-length'] ?? 0) > limits.bytesMax) throw tooLarge
  const bytes = await readBounded(paced(body, limits, stop), limits.bytesMax)
  if (bytes === undefined) throw tooLarge
  return { ok: true, bytes }
}

/** Stops everything when a window of time brings too few bytes, even if it brings some. */
async function* paced(
  body: AsyncIterable<Uint8Array>,
  { windowMs, windowBytesMin }: typeof LIMITS,
  stop: AbortController,
): AsyncGenerator<Uint8Array> {
  let came = 0
  const watch = setInterval(() => {
    if (came < windowBytesMin) {
      stop.abort(new Refusal(`The result came too slowly: ${came} bytes in ${windowMs / 1_000} s.`))
    }
    came = 0
  }, windowMs)
  try {
    for await (const chunk of body) {
      came += chunk.length
      yield chunk
    }
  } finally {
    clearInterval(watch)
  }
}

const DATA_URL = /^data:image\/(?:png|jpeg|webp)((?:;[^;,]*)*),(.*)$/is

/** What the bytes really are is found out by those who decode them. */
function decodeDataUrl(url: string, bytesMax: number): Output {
  const [, parameters, data] = DATA_URL.exec(url) ?? []
  if (data === undefined) throw new Refusal('The result is a data address of no image.')
  const tooLarge = new Refusal(`The result is larger than ${bytesMax} bytes.`)
  // At worst each byte takes three characters.
  if (data.length > bytesMax * 3) throw tooLarge
  const text = data.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  const isBase64 = /;base64$/i.test(parameters ?? '')
  const bytes = Buffer.from(text, isBase64 ? 'base64' : 'latin1')
  if (bytes.length > bytesMax) throw tooLarge
  return { ok: true, bytes }
}
