import { notFound, signedOut } from '@/app/api/answers'
import { imageAnswer } from '@/lib/api/image-answer'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { readReferenceImage } from '@/lib/use-cases/reference-images'

// Its address is the digest of its bytes: they can never be others.
const CACHING = 'private, max-age=31536000, immutable'

/** An image of the visitor's own that attempts can be made after. */
export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly sha256: string }> },
): Promise<Response> {
  const visitor = await findVisitor()
  if (!visitor) return signedOut()
  const image = await readReferenceImage(deps(), visitor.accountId, (await params).sha256)
  return image ? imageAnswer(request, image, CACHING) : notFound()
}
