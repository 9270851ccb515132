import { wantCancel } from '@/lib/db/attempt-store'
import { findAttempt } from '@/lib/db/known-attempt'
import { AttemptId, type AccountId } from '@/lib/domain/ids'
import { invariant } from '@/lib/domain/invariant'
import type { AttemptView } from '@/lib/web/views'
import type { Deps } from './deps'
import { readAttemptsByIds } from './read-attempts'
import { recordNews } from './record-news'

export type Cancellation = {
  /** It is certain that no image was and will be made. */
  readonly cancelled: boolean
  /** The wish is passed on to the provider. Until it confirms, the image may come and be charged. */
  readonly requested: boolean
  readonly attempt: AttemptView
}

/**
 * Cancels what was not sent yet, at once and with proof: the worker commits that it sends before it
 * sends, so whoever comes first wins. Later the wish is noted, and a worker passes it on where the
 * provider takes such wishes; only its word that it stopped ends the attempt. Undefined when it is
 * not the account's.
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
  const { decision } = await recordNews(deps, key, { kind: 'cancel-requested' }, 'user')
  const requested = decision.kind === 'wait' && (await wantCancel(deps.db, key)) === 'wanted'
  const [attempt] = (await readAttemptsByIds(deps, accountId, [attemptId])).attempts
  invariant(attempt !== undefined, 'an attempt stays')
  return { cancelled: attempt.failure?.code === 'cancelled', requested, attempt }
}
