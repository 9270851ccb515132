import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { AttemptId } from '@/lib/domain/ids'
import { readAttemptsByIds, readRecentAttempts } from '@/lib/use-cases/read-attempts'
import { privateJson, signedOut } from '@/app/api/answers'

/**
 * The batched poll. `?ids=a,b` asks for those; without it, the newest attempts and all open ones.
 * `?account=` names whose page asks: to anybody else it answers as to somebody signed out.
 */
export async function GET(request: Request): Promise<Response> {
  const visitor = await findVisitor()
  if (!visitor) return signedOut()
  const { searchParams } = new URL(request.url)
  const account = searchParams.get('account')
  if (account !== null && account !== visitor.accountId) return signedOut()
  const asked = searchParams.get('ids')
  if (asked === null) return privateJson(await readRecentAttempts(deps(), visitor.accountId))
  const ids = asked.split(',').flatMap((id) => AttemptId.safeParse(id).data ?? [])
  return privateJson(await readAttemptsByIds(deps(), visitor.accountId, ids))
}
