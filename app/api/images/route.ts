import { privateJson, signedOut } from '@/app/api/answers'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { readGallery } from '@/lib/use-cases/read-gallery'
import { galleryQueryOf } from '@/lib/web/gallery-address'

const PICTURES_PER_PAGE = 60

/** A further page of the pictures that the same parameters show on /images. */
export async function GET(request: Request): Promise<Response> {
  const visitor = await findVisitor()
  if (!visitor) return signedOut()
  const { searchParams } = new URL(request.url)
  const query = galleryQueryOf(Object.fromEntries(searchParams))
  const cursor = searchParams.get('cursor') ?? undefined
  const limit = PICTURES_PER_PAGE
  return privateJson(await readGallery(deps(), visitor.accountId, query, { cursor, limit }))
}
