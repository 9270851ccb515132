import { createHash, verify } from 'node:crypto'
import type { CallbackVerifier, VerifiedCallback } from '@/lib/domain/provider'
import type { PublishedKeys } from '@/lib/providers/jwks'
import { parseJson } from '@/lib/providers/parse-json'
import { CallbackBody } from './schemas'

// As fal recommends (https://fal.ai/docs/model-apis/webhooks).
const TOLERANCE_SECONDS = 5 * 60

/** ED25519 by one of fal's published keys, over the request, its user, the time and the bytes. */
export function createFalVerifier(keys: PublishedKeys): CallbackVerifier {
  return {
    async verify({ header, body, now }) {
      const signed = ['request-id', 'user-id', 'timestamp'].map((name) =>
        header(`x-fal-webhook-${name}`),
      )
      const [requestId, , timestamp] = signed
      const signature = header('x-fal-webhook-signature')
      if (!requestId || requestId.length > 200 || signed.includes(null)) return undefined
      if (!timestamp || !/^\d{1,12}$/.test(timestamp)) return undefined
      if (!signature || !/^[0-9a-f]{128}$/i.test(signature)) return undefined
      const ageSeconds = Math.abs(now.getTime() / 1_000 - Number(timestamp))
      if (ageSeconds > TOLERANCE_SECONDS) return undefined

      const digest = createHash('sha256').update(body).digest('hex')
      const message = Buffer.from([...signed, digest].join('\n'), 'utf8')
      const isGenuine = await keys.some(
        ({ key }) =>
          key.asymmetricKeyType === 'ed25519' &&
          verify(null, message, key, Buffer.from(signature, 'hex')),
        now,
      )
      if (!isGenuine) return undefined
      const told = CallbackBody.safeParse(parseJson(body.toString('utf8'))).data
      // A request ends once: its id names the delivery, however often it is repeated.
      return { deliveryId: requestId, taskId: told?.request_id, claims: claimsOf(told?.status) }
    },
  }
}

function claimsOf(status: string | undefined): VerifiedCallback['claims'] {
  if (status === 'OK') return 'succeeded'
  return status === 'ERROR' ? 'failed' : undefined
}
