import { findAttempts } from '@/lib/db/attempt-reader'
import { wakeAttempt } from '@/lib/db/attempt-store'
import { AttemptId, type AccountId } from '@/lib/domain/ids'
import { mayLookAgain } from '@/lib/domain/look-again'
import type { Deps } from './deps'

/**
 * Its owner asks to look now instead of later. Changes nothing that is known and sends nothing: a
 * worker looks at the task, or fetches the same result, sooner. Undefined when it is not the
 * account's; false when it was looked at a moment ago, or there is nothing to look at.
 */
export async function lookAgain(
  deps: Deps,
  accountId: AccountId,
  id: string,
): Promise<boolean | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  const [row] = attemptId ? await findAttempts(deps.db, accountId, [attemptId]) : []
  if (!row) return undefined
  const look = { state: row.state, lookedAt: row.work?.lookedAt ?? null, dueAt: row.work?.dueAt }
  if (!mayLookAgain(look, new Date())) return false
  await wakeAttempt(deps.db, { id: row.id, accountId })
  return true
}
