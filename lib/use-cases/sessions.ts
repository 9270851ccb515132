import { endOtherSessions, endSessionOf, findSessions } from '@/lib/db/session-store'
import { type AccountId, SessionId } from '@/lib/domain/ids'
import type { SessionView } from '@/lib/web/account-views'
import type { Deps } from './deps'

// More than anybody has open; the rest ends with "all others" all the same.
const LISTED_MAX = 50

export async function listSessions(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
  own: SessionId,
): Promise<readonly SessionView[]> {
  const rows = await findSessions(deps.db, accountId, LISTED_MAX)
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    is_this: row.id === own,
    created_at: row.created_at.toISOString(),
    last_used_at: row.used_at.toISOString(),
  }))
}

/** From its next request on it is refused, on every web server. False: the account has no such session. */
export async function endOneSession(
  deps: Pick<Deps, 'db' | 'log'>,
  accountId: AccountId,
  id: unknown,
): Promise<boolean> {
  const sessionId = SessionId.safeParse(id).data
  if (sessionId === undefined) return false
  const hasEnded = await endSessionOf(deps.db, accountId, sessionId)
  if (hasEnded) deps.log.info({ accountId }, 'session ended')
  return hasEnded
}

export async function endAllOtherSessions(
  deps: Pick<Deps, 'db' | 'log'>,
  accountId: AccountId,
  own: SessionId,
): Promise<number> {
  const ended = await endOtherSessions(deps.db, accountId, own)
  deps.log.info({ accountId, ended }, 'other sessions ended')
  return ended
}
