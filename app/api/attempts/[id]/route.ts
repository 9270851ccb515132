import { notFound, privateJson, signedOut } from '@/app/api/answers'
import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { readAttemptDetail } from '@/lib/use-cases/read-attempts'

export async function GET(
  _request: Request,
  { params }: { readonly params: Promise<{ readonly id: string }> },
): Promise<Response> {
  const user = await findUser()
  if (!user) return signedOut()
  const detail = await readAttemptDetail(deps(), user.accountId, (await params).id)
  return detail ? privateJson(detail) : notFound()
}
