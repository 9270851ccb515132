import { createHmac } from 'node:crypto'

const TIMEOUT_MS = 10_000

export type Webhook = { readonly url: string; readonly secret: string | undefined }

/** What proves where a webhook comes from: HMAC-SHA-256 of "time.body", in hex, under the shared secret. */
export function signatureOf(secret: string, seconds: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${digest}`
}

/** POSTs it once. Answers what went wrong, or undefined when it was taken. */
export async function postWebhook(
  { url, secret }: Webhook,
  payload: unknown,
  now: Date,
): Promise<string | undefined> {
  const body = JSON.stringify(payload)
  const seconds = Math.floor(now.getTime() / 1_000)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        ...(secret !== undefined && { 'x-darkroom-signature': signatureOf(secret, seconds, body) }),
      },
      body,
    })
    await response.body?.cancel()
    return response.ok ? undefined : `It answered ${response.status}.`
  } catch (error) {
    // Whatever keeps it from being taken now, it is tried again.
    return error instanceof Error ? `${error.name}: ${error.message}` : 'It could not be reached.'
  }
}
