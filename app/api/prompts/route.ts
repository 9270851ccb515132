import { privateJson, signedOut } from '@/app/api/answers'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { readPrompts } from '@/lib/use-cases/read-prompts'

/** The visitor's last prompts. `?account=` names whose page asks, as for the poll. */
export async function GET(request: Request): Promise<Response> {
  const visitor = await findVisitor()
  if (!visitor) return signedOut()
  const account = new URL(request.url).searchParams.get('account')
  if (account !== null && account !== visitor.accountId) return signedOut()
  return privateJson({ prompts: await readPrompts(deps(), visitor.accountId) })
}
