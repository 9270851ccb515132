import type { CallbackVerifier, VerifiedCallback } from '@/lib/domain/provider'
import { parseJson } from '@/lib/providers/parse-json'
import { verifyStandardWebhook, webhookKey } from '@/lib/providers/verify-callback'
import { WebhookBody } from './schemas'

// https://developers.openai.com/api/docs/guides/webhooks. A project may send other events too;
// those name no task.
const CLAIMS: Readonly<Record<string, VerifiedCallback['claims']>> = {
  'response.completed': 'succeeded',
  'response.failed': 'failed',
  'response.cancelled': 'failed',
  'response.incomplete': 'failed',
}

/** Standard Webhooks over the bytes. The event is thin: what it says is read again from the API. */
export function createOpenAiVerifier(secret: string): CallbackVerifier {
  const key = webhookKey(secret)
  return {
    verify({ header, body, now }) {
      const deliveryId = verifyStandardWebhook({ header, body, now, key })
      if (deliveryId === undefined) return Promise.resolve(undefined)
      const event = WebhookBody.safeParse(parseJson(body.toString('utf8'))).data
      const claims = event && CLAIMS[event.type]
      return Promise.resolve({
        deliveryId,
        taskId: claims === undefined ? undefined : event?.data.id,
        claims,
      })
    },
  }
}
