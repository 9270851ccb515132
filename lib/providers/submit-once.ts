import { Agent, buildConnector, request } from 'undici'

// Answers to a submission are small; what is larger is not an answer we know.
const ANSWER_BYTES_MAX = 256 * 1024

export type SubmitAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly header: (name: string) => string | undefined
      readonly body: string
    }
  /** Proof: the connection was never made, so not a byte was sent. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** The request may have arrived. */
  | { readonly kind: 'no-answer'; readonly reason: string }

/**
 * Exactly one POST, on a connection of its own: a reused one may die as we write, and then nobody
 * can tell whether the request arrived. Nothing below this line tries again, follows a redirect or
 * hides an error. Whether the connection was ever made is observed, not guessed from error codes.
 */
export async function submitOnce(options: {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}): Promise<SubmitAnswer> {
  const connect = buildConnector({})
  const connection = { made: false }
  const agent = new Agent({
    connect: (target, done) => {
      connect(target, (...outcome) => {
        connection.made = outcome[0] === null
        done(...outcome)
      })
    },
  })
  try {
    const response = await request(options.url, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', ...options.headers },
      body: options.body,
      signal: options.signal,
    })
    const body = await readBounded(response.body)
    if (body === undefined) return { kind: 'no-answer', reason: 'The answer was too long.' }
    return {
      kind: 'answered',
      status: response.statusCode,
      header: (name) => {
        const value = response.headers[name.toLowerCase()]
        return Array.isArray(value) ? value[0] : value
      },
      body,
    }
  } catch (error) {
    // Everything that can go wrong on a wire arrives here; the only question is what it proves.
    const reason = describeError(error)
    return connection.made ? { kind: 'no-answer', reason } : { kind: 'not-sent', reason }
  } finally {
    await agent.destroy()
  }
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > ANSWER_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The error's code and message, short: these go into the history. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  const cause = error.cause instanceof Error ? ` (${describeError(error.cause)})` : ''
  return `${code}${error.message}${cause}`.slice(0, 300)
}

/** `Retry-After` in milliseconds from seconds or an HTTP date (RFC 9110, 10.2.3); else undefined. */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  // `Date.parse` alone takes almost anything for a date: '-5' and '1.5' too.
  const at = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
