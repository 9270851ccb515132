import { notFound, signedOut } from '@/app/api/answers'
import { imageAnswer, imageSize } from '@/lib/api/image-answer'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { readImage } from '@/lib/use-cases/read-attempts'

// The bytes at one address never change, so the browser keeps them; nobody between may.
const CACHING = 'private, max-age=31536000, immutable'
// A copy is there a moment after its image: then it is asked for again.
const CACHING_OF_STAND_IN = 'private, max-age=300'

/** The image, or with `?size=` a copy of it: `thumb` for lists, `view` for pages. */
export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly id: string }> },
): Promise<Response> {
  const visitor = await findVisitor()
  if (!visitor) return signedOut()
  const image = await readImage(deps(), visitor.accountId, (await params).id, imageSize(request))
  if (!image) return notFound()
  return imageAnswer(request, image, image.standsIn ? CACHING_OF_STAND_IN : CACHING)
}
