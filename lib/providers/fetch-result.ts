import { request } from 'undici'
import { describeError } from './submit-once'

// Above any image that we offer, below what would hurt a small machine.
const RESULT_BYTES_MAX = 32 * 1024 * 1024
const RESULT_TIMEOUT_MS = 30_000

export type FetchedResult =
  { readonly ok: true; readonly bytes: Buffer } | { readonly ok: false; readonly reason: string }

/**
 * Fetches a result's bytes from one of the origins that its provider serves results from. Redirects
 * are not followed: where they lead was not checked.
 */
export async function fetchResult(
  url: string,
  allowedOrigins: readonly string[],
): Promise<FetchedResult> {
  if (!URL.canParse(url) || !allowedOrigins.includes(new URL(url).origin)) {
    return { ok: false, reason: 'The address of the result is not one of the provider’s.' }
  }
  try {
    const signal = AbortSignal.timeout(RESULT_TIMEOUT_MS)
    const response = await request(url, { method: 'GET', signal })
    if (response.statusCode !== 200) {
      await response.body.dump()
      return { ok: false, reason: `The result answered ${response.statusCode}.` }
    }
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of response.body) {
      if (!(chunk instanceof Uint8Array)) return { ok: false, reason: 'The result is no bytes.' }
      length += chunk.length
      if (length > RESULT_BYTES_MAX) return { ok: false, reason: 'The result is too large.' }
      chunks.push(chunk)
    }
    return { ok: true, bytes: Buffer.concat(chunks) }
  } catch (error) {
    // Failing to fetch is an answer here: the same result is fetched again later.
    return { ok: false, reason: describeError(error) }
  }
}
