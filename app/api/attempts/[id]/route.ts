import { notFound, privateJson, signedOut } from '@/app/api/answers'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { readAttemptDetail } from '@/lib/use-cases/read-attempts'

export async function GET(
  _request: Request,
  { params }: { readonly params: Promise<{ readonly id: string }> },
): Promise<Response> {
  const visitor = await findVisitor()
  if (!visitor) return signedOut()
  const detail = await readAttemptDetail(deps(), visitor.accountId, (await params).id)
  return detail ? privateJson(detail) : notFound()
}
