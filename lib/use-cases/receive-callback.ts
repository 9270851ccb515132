import { findByCallbackToken, wakeAttempt } from '@/lib/db/attempt-store'
import { insertCallback } from '@/lib/db/callback-store'
import { TaskBody } from '@/lib/providers/simulator/simulator-schemas'
import { verifyStandardWebhook } from '@/lib/providers/verify-callback'
import { callbackTokenHashOf } from './callback-token'
import type { Deps } from './deps'
import { recordAnomaly, recordNews } from './record-news'

export type CallbackRequest = {
  readonly provider: string
  readonly token: string
  readonly header: (name: string) => string | null
  readonly body: Buffer
  readonly now: Date
}

/**
 * `forged`: nothing changed. `kept`: stored. `ignored`: genuine, but for nobody we know or kept
 * before; the sender is told no more than that it arrived.
 */
export type CallbackOutcome = 'forged' | 'kept' | 'ignored'

/**
 * A verified callback is evidence of which task the attempt became, and a reason to look now. What
 * it claims about the outcome is not believed: the worker reads that from the provider.
 */
export async function receiveCallback(
  deps: Deps & { readonly webhookSecret: string | undefined },
  request: CallbackRequest,
): Promise<CallbackOutcome> {
  if (request.provider !== 'simulator' || deps.webhookSecret === undefined) return 'forged'
  const { header, body, now } = request
  const deliveryId = verifyStandardWebhook({ header, body, now, secret: deps.webhookSecret })
  if (deliveryId === undefined) return 'forged'
  const attempt = await findByCallbackToken(deps.db, callbackTokenHashOf(request.token))
  const task = TaskBody.safeParse(parseJson(body)).data
  if (attempt?.provider !== request.provider || task?.reference !== attempt.key.id) {
    deps.log.warn({ provider: request.provider, deliveryId }, 'callback for nobody')
    return 'ignored'
  }
  const { key } = attempt
  const kept = await insertCallback(deps.db, {
    provider: request.provider,
    deliveryId,
    key,
    body: body.toString('utf8'),
  })
  deps.log.info({ attemptId: key.id, deliveryId, kept }, 'callback stored')
  // Also for one that was kept before: the process may have died between storing and this.
  const news = { kind: 'task-reported', taskId: task.id } as const
  await recordNews(deps, key, news, `callback:${request.provider}`)
  if (attempt.state.state === 'failed' && task.status === 'succeeded') {
    // Somebody paid for an image that we took for failed. The user is not charged for it.
    await recordAnomaly(deps, key, 'success_after_failure', { taskId: task.id })
  }
  await wakeAttempt(deps.db, key)
  return kept ? 'kept' : 'ignored'
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    // Not JSON: the schema refuses undefined like any other wrong shape.
    return undefined
  }
}
