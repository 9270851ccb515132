import { notFound, signedOut } from '@/app/api/answers'
import { imageAnswer } from '@/lib/api/image-answer'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { readImage } from '@/lib/use-cases/read-attempts'

// The bytes at one address never change, so the browser keeps them; nobody between may.
const CACHING = 'private, max-age=31536000, immutable'

export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly id: string }> },
): Promise<Response> {
  const visitor = await findVisitor()
  if (!visitor) return signedOut()
  const image = await readImage(deps(), visitor.accountId, (await params).id)
  return image ? imageAnswer(request, image, CACHING) : notFound()
}
