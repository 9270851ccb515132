import { wakeAttempt } from '@/lib/db/attempt-store'
import { findByCallbackToken, type KnownAttempt } from '@/lib/db/known-attempt'
import { insertCallback } from '@/lib/db/callback-store'
import { insertProjectCallback } from '@/lib/db/provider-store'
import { findTraceparent } from '@/lib/db/trace-store'
import type { TaskId } from '@/lib/domain/ids'
import type { CallbackVerifier, VerifiedCallback } from '@/lib/domain/provider'
import { callbackSecretOf, callbackTokenHashOf } from './callback-token'
import type { Deps } from './deps'
import { recordAnomaly, recordNews } from './record-news'

/** In place of an attempt's token, where a provider has one address for a whole project. */
const PROJECT_TOKEN = 'project'

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
  deps: Deps & { readonly verifiers: ReadonlyMap<string, CallbackVerifier> },
  { provider, token, header, body, now }: CallbackRequest,
): Promise<CallbackOutcome> {
  const verifier = deps.verifiers.get(provider)
  if (!verifier) return 'forged'
  const found = await findByCallbackToken(deps.db, callbackTokenHashOf(token))
  const attempt = found?.provider === provider ? found : undefined
  const attemptSecret = attempt && callbackSecretOf(deps.callbackSecret, attempt.key.id)
  const callback = await verifier.verify({ header, body, now, attemptSecret })
  if (!callback) return 'forged'
  const { reference } = callback
  const isAboutIt = reference === undefined || reference === attempt?.key.id
  if (attempt && isAboutIt && callback.taskId !== undefined) {
    const { taskId } = callback
    return deps.trace.join(
      () => findTraceparent(deps.db, attempt.key),
      'callback.receive',
      { attemptId: attempt.key.id, accountId: attempt.key.accountId, provider },
      () => keepForAttempt(deps, attempt, { ...callback, taskId }, body),
    )
  }
  if (token === PROJECT_TOKEN && callback.taskId !== undefined) {
    const { deliveryId, taskId } = callback
    const kept = await insertProjectCallback(deps.db, {
      provider,
      deliveryId,
      taskId,
      body: body.toString('utf8'),
    })
    return kept ? 'kept' : 'ignored'
  }
  deps.log.warn({ provider, deliveryId: callback.deliveryId }, 'callback for nobody')
  return 'ignored'
}

async function keepForAttempt(
  deps: Deps,
  { key, provider, state }: KnownAttempt,
  { deliveryId, taskId, claims }: VerifiedCallback & { readonly taskId: TaskId },
  body: Buffer,
): Promise<CallbackOutcome> {
  const kept = await insertCallback(deps.db, {
    provider,
    deliveryId,
    key,
    body: body.toString('utf8'),
  })
  deps.log.info(
    { attemptId: key.id, accountId: key.accountId, provider, deliveryId, kept },
    'callback stored',
  )
  // Also for one that was kept before: the process may have died between storing and this.
  await recordNews(deps, key, { kind: 'task-reported', taskId }, `callback:${provider}`)
  if (state.state === 'failed' && claims === 'succeeded') {
    // Somebody paid for an image that we took for failed. The user is not charged for it.
    await recordAnomaly(deps, key, 'success_after_failure', { taskId })
  }
  await wakeAttempt(deps.db, key)
  return kept ? 'kept' : 'ignored'
}
