import type { CallbackVerifier, VerifiedCallback } from '@/lib/domain/provider'
import { parseJson } from '@/lib/providers/parse-json'
import { verifyStandardWebhook, webhookKey } from '@/lib/providers/verify-callback'
import { AcceptedBody, PredictionBody } from './schemas'

const CLAIMS: Record<PredictionBody['status'], VerifiedCallback['claims']> = {
  starting: 'working',
  processing: 'working',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
  aborted: 'failed',
}

/**
 * Standard Webhooks with the account's secret `whsec_…`
 * (https://replicate.com/docs/topics/webhooks/verify-webhook). Replicate's own client checks
 * neither the age nor in constant time; here both are.
 */
export function createReplicateVerifier(secret: string): CallbackVerifier {
  const key = webhookKey(secret)
  return {
    verify({ header, body, now }) {
      const deliveryId = verifyStandardWebhook({ header, body, now, key })
      if (deliveryId === undefined) return Promise.resolve(undefined)
      const json = parseJson(body.toString('utf8'))
      const prediction = PredictionBody.safeParse(json).data
      return Promise.resolve({
        deliveryId,
        // What it became may be news to us; which one it is is not.
        taskId: AcceptedBody.safeParse(json).data?.id,
        claims: prediction && CLAIMS[prediction.status],
      })
    },
  }
}
