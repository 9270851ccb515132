import { createHmac, timingSafeEqual } from 'node:crypto'

// Standard Webhooks 1.0.0 recommends a tolerance; five minutes is what its libraries use.
const TOLERANCE_SECONDS = 5 * 60

/**
 * Checks a Standard Webhooks 1.0.0 signature over the raw bytes. Answers the delivery id, or
 * undefined when the callback is forged, stale or unsigned.
 */
export function verifyStandardWebhook(input: {
  readonly header: (name: string) => string | null
  readonly body: Buffer
  /** Text is taken as its UTF-8 bytes; a `whsec_` secret is decoded by `webhookKey` first. */
  readonly key: string | Buffer
  readonly now: Date
}): string | undefined {
  const id = input.header('webhook-id')
  const timestamp = input.header('webhook-timestamp')
  const signatures = input.header('webhook-signature')
  if (!id || id.length > 200 || !timestamp || !/^\d{1,12}$/.test(timestamp) || !signatures) {
    return undefined
  }
  const ageSeconds = Math.abs(input.now.getTime() / 1_000 - Number(timestamp))
  if (ageSeconds > TOLERANCE_SECONDS) return undefined
  const expected = createHmac('sha256', input.key)
    .update(`${id}.${timestamp}.`)
    .update(input.body)
    .digest()
  const genuine = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
  return genuine ? id : undefined
}

/** The key in a secret of the form `whsec_<base64>` (Standard Webhooks 1.0.0). */
export function webhookKey(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
}
