import { createHmac } from 'node:crypto'

// A receiver that has not answered by then is asked again.
const CALLBACK_TIMEOUT_MS = 5_000
/** Pauses before the second and the third try; there is no fourth. */
export const CALLBACK_PAUSES_MS = [1_000, 4_000] as const

export type Callback = { readonly id: string; readonly url: string; readonly body: string }

/** Standard Webhooks 1.0.0, symmetric: HMAC-SHA256 over "id.timestamp.body". */
export function signCallback(secret: string, { id, body }: Callback, timestampSeconds: number) {
  const content = `${id}.${timestampSeconds}.${body}`
  const signature = createHmac('sha256', Buffer.from(secret, 'utf8')).update(content)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${signature.digest('base64')}`,
  }
}

export type SendCallback = (
  callback: Callback,
  nowMs: number,
  signal: AbortSignal,
) => Promise<boolean>

/** One try. True when the receiver said 2xx; redirects are not followed, as the standard asks. */
export function createCallbackSender(secret: string): SendCallback {
  return async (callback, nowMs, signal) => {
    try {
      const response = await fetch(callback.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'darkroom-simulator',
          ...signCallback(secret, callback, Math.floor(nowMs / 1_000)),
        },
        body: callback.body,
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
}
