import { notFound, signedOut } from '@/app/api/answers'
import { imageAnswer } from '@/lib/api/image-answer'
import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { readImage } from '@/lib/use-cases/read-attempts'

// The bytes at one address never change, so the browser keeps them; nobody between may.
const CACHING = 'private, max-age=31536000, immutable'

export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly id: string }> },
): Promise<Response> {
  const user = await findUser()
  if (!user) return signedOut()
  const image = await readImage(deps(), user.accountId, (await params).id)
  return image ? imageAnswer(request, image, CACHING) : notFound()
}
