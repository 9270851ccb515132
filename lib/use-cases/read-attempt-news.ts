import { AttemptId, type AccountId } from '@/lib/domain/ids'
import type { AttemptView, BalanceView } from '@/lib/web/views'
import type { Deps } from './deps'
import { readAttemptsByIds } from './read-attempts'

export type AttemptNews = { readonly attempt: AttemptView; readonly balance: BalanceView }

/** One attempt and the money of the same moment, or undefined when it is not the account's. */
export async function readAttemptNews(
  deps: Deps,
  accountId: AccountId,
  id: string,
): Promise<AttemptNews | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  if (!attemptId) return undefined
  const { attempts, balance } = await readAttemptsByIds(deps, accountId, [attemptId])
  const [attempt] = attempts
  return attempt && { attempt, balance }
}
