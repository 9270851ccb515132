import type { KeyObject } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import type { CallbackVerifier, VerifiedCallback } from '@/lib/domain/provider'
import { createPublishedKeys } from '@/lib/providers/jwks'
import { parseJson } from '@/lib/providers/parse-json'
import { WebhookBody } from './schemas'

const CLAIMS: Readonly<Record<string, VerifiedCallback['claims']>> = {
  'interaction.completed': 'succeeded',
  'interaction.failed': 'failed',
  'interaction.cancelled': 'failed',
  'interaction.requires_action': 'working',
}

// https://ai.google.dev/gemini-api/docs/webhooks#best_practices
const TOLERANCE_SECONDS = 5 * 60

/**
 * Callbacks to the address of one request carry a JWT of Google's as their signature
 * (https://ai.google.dev/gemini-api/docs/webhooks#verify_dynamic_signatures_jwks). It proves who
 * sends and for whom, but nothing says that it covers the body. So the body is believed no further
 * than that it names an interaction, whose state is read from Google.
 */
export function createGeminiVerifier(options: {
  readonly baseUrl: string
  readonly audience: string
  readonly issuer: string
}): CallbackVerifier {
  const keys = createPublishedKeys(`${options.baseUrl}/.well-known/jwks.json`)

  async function isGenuine(token: string, now: Date): Promise<boolean> {
    try {
      const { kid, alg } = decodeProtectedHeader(token)
      // Before the keys are asked for: a callback that cannot be genuine must not cost a fetch.
      if (kid === undefined || alg !== 'RS256') return false
      let found: KeyObject | undefined
      await keys.some(({ id, key }) => {
        if (id !== kid) return false
        found = key
        return true
      }, now)
      if (found === undefined) return false
      await jwtVerify(token, found, {
        algorithms: ['RS256'],
        audience: options.audience,
        issuer: options.issuer,
        requiredClaims: ['exp'],
        currentDate: now,
      })
      return true
    } catch {
      // Whatever is wrong with a token makes it no proof.
      return false
    }
  }

  return {
    async verify({ header, body, now }) {
      const deliveryId = header('webhook-id')
      const timestamp = header('webhook-timestamp')
      const token = header('webhook-signature')
      if (!deliveryId || deliveryId.length > 200 || !token || token.length > 8_192) return undefined
      if (!isRecent(timestamp, now) || !(await isGenuine(token, now))) return undefined
      const event = WebhookBody.safeParse(parseJson(body.toString('utf8'))).data
      const claims = event && CLAIMS[event.type]
      return {
        deliveryId,
        taskId: claims === undefined ? undefined : event?.data.id,
        claims,
      }
    },
  }
}

function isRecent(timestamp: string | null, now: Date): boolean {
  if (timestamp === null || !/^\d{1,12}$/.test(timestamp)) return false
  return Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS
}
