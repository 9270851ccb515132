import { privateJson, problem, signedOut } from '@/app/api/answers'
import { isFromOwnPage } from '@/lib/api/own-page'
import { readBoundedBody } from '@/lib/api/read-json'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { environment } from '@/lib/env'
import { keepImageForReference, REFERENCE_IMAGE_BYTES_MAX } from '@/lib/use-cases/reference-images'

/** Keeps the body as an image that attempts can be made after. For the browser, and only from our pages. */
export async function POST(request: Request): Promise<Response> {
  if (!isFromOwnPage(request.headers, environment().APP_URL)) {
    return problem(403, 'other_origin', 'Images are uploaded from Darkroom’s own pages only.')
  }
  const visitor = await findVisitor()
  if (!visitor) return signedOut()
  const bytes = await readBoundedBody(request, REFERENCE_IMAGE_BYTES_MAX)
  if (!bytes) return problem(413, 'too_large', 'A reference image may have up to 8 MiB.')
  const kept = await keepImageForReference(deps(), visitor.accountId, bytes)
  return kept.ok ? privateJson(kept.value) : problem(422, kept.refusal.code, kept.refusal.message)
}
