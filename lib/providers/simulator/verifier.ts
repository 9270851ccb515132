import type { CallbackVerifier, VerifiedCallback } from '@/lib/domain/provider'
import { parseJson } from '@/lib/providers/parse-json'
import { verifyStandardWebhook } from '@/lib/providers/verify-callback'
import { TaskBody } from './schemas'

const CLAIMS: Record<TaskBody['status'], VerifiedCallback['claims']> = {
  queued: 'working',
  rendering: 'working',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'failed',
}

/** Standard Webhooks over the bytes, with a secret that both sides know. */
export function createSimulatorVerifier(secret: string): CallbackVerifier {
  return {
    verify({ header, body, now }) {
      const deliveryId = verifyStandardWebhook({ header, body, now, key: secret })
      if (deliveryId === undefined) return Promise.resolve(undefined)
      const task = TaskBody.safeParse(parseJson(body.toString('utf8'))).data
      return Promise.resolve({
        deliveryId,
        taskId: task?.id,
        ...(task === undefined ? {} : { reference: task.reference }),
        claims: task && CLAIMS[task.status],
      })
    },
  }
}
