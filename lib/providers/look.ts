import { request } from 'undici'
import { describeError } from './describe-error'
import { parseJson } from './parse-json'
import { readBounded } from './read-bounded'
import { retryAfterMs } from './retry-after'

const LOOK_BYTES_MAX = 1024 * 1024

/** We failed to look. It says nothing about the task. */
export type Unavailable = {
  readonly kind: 'unavailable'
  readonly reason: string
  readonly retryAfterMs?: number
}

export type Looked =
  | Unavailable
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly header: (name: string) => string | undefined
      /** Undefined when the body is not JSON. */
      readonly json: unknown
      readonly bytes: Buffer
      /** What to answer when this answer is not one that the provider documents. */
      readonly unavailable: (reason?: string) => Unavailable
    }

/** One request that changes nothing that is paid for: a look, a search, a wish to cancel. Never throws. */
export async function look(options: {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly bytesMax?: number
  readonly signal: AbortSignal
  readonly now: Date
}): Promise<Looked> {
  try {
    const response = await request(options.url, {
      method: options.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: options.body }),
      signal: options.signal,
    })
    const bytes = await readBounded(response.body, options.bytesMax ?? LOOK_BYTES_MAX)
    if (bytes === undefined) return { kind: 'unavailable', reason: 'The answer was too long.' }
    const header = (name: string) => {
      const value = response.headers[name.toLowerCase()]
      return Array.isArray(value) ? value[0] : value
    }
    const pauseMs = retryAfterMs(header('retry-after'), options.now)
    return {
      kind: 'answered',
      status: response.statusCode,
      header,
      json: parseJson(bytes.toString('utf8')),
      bytes,
      unavailable: (reason) => ({
        kind: 'unavailable',
        reason: reason ?? `The look was answered ${response.statusCode}.`,
        ...(pauseMs === undefined ? {} : { retryAfterMs: pauseMs }),
      }),
    }
  } catch (error) {
    return { kind: 'unavailable', reason: describeError(error) }
  }
}
