import { findAttempt } from '@/lib/db/attempt-store'
import { AttemptId, type AccountId } from '@/lib/domain/ids'
import { invariant } from '@/lib/domain/invariant'
import type { AttemptView } from '@/lib/web/views'
import type { Deps } from './deps'
import { readAttemptsByIds } from './read-attempts'
import { recordNews } from './record-news'

export type Cancellation = {
  /** It is certain that nothing was and will be made. */
  readonly cancelled: boolean
  /** The provider was asked to stop, and has not answered. No provider can be asked yet. */
  readonly requested: boolean
  readonly attempt: AttemptView
}

/**
 * Cancels what was not sent yet. The worker commits that it sends before it sends, so whoever comes
 * first wins: once cancelled, nothing is sent. Later nothing can be proved, and nothing is changed.
 * Undefined when it is not the account's.
 */
export async function cancelAttempt(
  deps: Deps,
  accountId: AccountId,
  id: string,
): Promise<Cancellation | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  if (!attemptId) return undefined
  const key = { id: attemptId, accountId }
  if (!(await findAttempt(deps.db, key))) return undefined
  await recordNews(deps, key, { kind: 'cancel-requested' }, 'user')
  const [attempt] = (await readAttemptsByIds(deps, accountId, [attemptId])).attempts
  invariant(attempt !== undefined, 'an attempt stays')
  return { cancelled: attempt.failure?.code === 'cancelled', requested: false, attempt }
}
