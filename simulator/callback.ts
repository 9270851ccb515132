import { createHmac } from 'node:crypto'

// A receiver that has not answered by then is asked again.
const CALLBACK_TIMEOUT_MS = 5_000
/** Pauses before the second and the third try; there is no fourth. */
export const CALLBACK_PAUSES_MS = [1_000, 4_000] as const

/** A callback as it goes out, signed for the moment of sending. */
export type OutgoingCallback = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Standard Webhooks 1.0.0, symmetric: HMAC-SHA256 over "id.timestamp.body". */
export function standardWebhookHeaders(
  secret: string | Buffer,
  { id, body }: { readonly id: string; readonly body: string },
  timestampSeconds: number,
) {
  const content = `${id}.${timestampSeconds}.${body}`
  const signature = createHmac('sha256', secret).update(content)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${signature.digest('base64')}`,
  }
}

export type SendCallback = (callback: OutgoingCallback, signal: AbortSignal) => Promise<boolean>

/** One try. True when the receiver said 2xx; redirects are not followed, as the standard asks. */
export const sendCallback: SendCallback = async ({ url, headers, body }, signal) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'darkroom-simulator',
        ...headers,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALLBACK_TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    // Nobody there, too slow, or cut off: all of it is one failed try.
    return false
  }
}

/** The same callback with every signature in it made wrong. */
export function forged({ headers, ...callback }: OutgoingCallback): OutgoingCallback {
  return {
    ...callback,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        name.includes('signature') ? value.replace(/[0-9A-Za-z+/_-]{8}(=*)$/, 'deadbeef$1') : value,
      ]),
    ),
  }
}
