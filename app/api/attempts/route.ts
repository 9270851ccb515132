import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { AttemptId, type AccountId } from '@/lib/domain/ids'
import {
  markRecentAttempts,
  readAttemptsByIds,
  readRecentAttempts,
} from '@/lib/use-cases/read-attempts'
import { notModified, privateJson, signedOut } from '@/app/api/answers'

/**
 * The batched poll. `?ids=a,b` asks for those; without it, the newest attempts and all open ones,
 * unless they are still what `If-None-Match` says.
 * `?account=` names whose page asks: to anybody else it answers as to somebody signed out.
 */
export async function GET(request: Request): Promise<Response> {
  const visitor = await findVisitor()
  if (!visitor) return signedOut()
  const { searchParams } = new URL(request.url)
  const account = searchParams.get('account')
  if (account !== null && account !== visitor.accountId) return signedOut()
  const asked = searchParams.get('ids')
  if (asked === null) return recent(request, visitor.accountId)
  const ids = asked.split(',').flatMap((id) => AttemptId.safeParse(id).data ?? [])
  return privateJson(await readAttemptsByIds(deps(), visitor.accountId, ids))
}

/** An answer that would be the one before again is not read and not sent (RFC 9110, 13.1.2). */
async function recent(request: Request, accountId: AccountId): Promise<Response> {
  const world = deps()
  // Taken before the answer is read: what changes in between makes the next mark another one.
  const etag = `W/"${await markRecentAttempts(world, accountId)}"`
  if (request.headers.get('if-none-match') === etag) return notModified(etag)
  return privateJson(await readRecentAttempts(world, accountId), { headers: { etag } })
}
