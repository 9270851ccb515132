import { createHash, verify, type KeyObject } from 'node:crypto'
import type { CallbackVerifier, VerifiedCallback } from '@/lib/domain/provider'
import { createPublishedKeys } from '@/lib/providers/jwks'
import { parseJson } from '@/lib/providers/parse-json'
import { CallbackBody, GenerationId } from './schemas'

// Ideogram names none; five minutes is what signed callbacks are usually given.
const TOLERANCE_SECONDS = 5 * 60

/** Ed25519 over ids, time and the hash of the very bytes: https://developer.ideogram.ai/ideogram-api/webhooks */
export function createIdeogramVerifier(baseUrl: string): CallbackVerifier {
  const keys = createPublishedKeys(`${baseUrl}/v1/.well-known/jwks.json`)
  return {
    async verify({ header, body, now }) {
      const generationId = GenerationId.safeParse(header('x-ideogram-webhook-generation-id')).data
      const userId = header('x-ideogram-webhook-user-id')
      const timestamp = header('x-ideogram-webhook-timestamp')
      const signature = header('x-ideogram-webhook-signature')
      if (
        generationId === undefined ||
        userId === null ||
        timestamp === null ||
        !/^\d{1,12}$/.test(timestamp) ||
        signature === null ||
        !/^[0-9a-f]{128}$/i.test(signature) ||
        Math.abs(now.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS
      ) {
        return undefined
      }
      const bodyHash = createHash('sha256').update(body).digest('hex')
      const message = Buffer.from([generationId, userId, timestamp, bodyHash].join('\n'), 'utf8')
      const bytes = Buffer.from(signature, 'hex')
      const isRight = ({ key }: { readonly key: KeyObject }) =>
        key.asymmetricKeyType === 'ed25519' && verify(null, message, key, bytes)
      if (!(await keys.some(isRight, now))) return undefined
      // Each try is signed anew and is the same delivery: what it says is what names it.
      return { deliveryId: bodyHash, taskId: generationId, claims: claimsOf(body, generationId) }
    },
  }
}

function claimsOf(body: Buffer, generationId: string): VerifiedCallback['claims'] {
  const told = CallbackBody.safeParse(parseJson(body.toString('utf8'))).data
  if (told === undefined || (told.generation_id ?? generationId) !== generationId) return undefined
  if (told.status === 'failed') return 'failed'
  const image = told.data?.[0]
  if (image === undefined) return undefined
  return image.url && image.is_image_safe !== false ? 'succeeded' : 'failed'
}
