import { notFound, privateJson, problem } from '@/app/api/answers'
import { imageAnswer } from '@/lib/api/image-answer'
import { isFromOwnPage } from '@/lib/api/own-page'
import { readBoundedBody } from '@/lib/api/read-json'
import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { mayReview } from '@/lib/domain/role'
import { environment } from '@/lib/env'
import { bringImage, BROUGHT_BYTES_MAX } from '@/lib/use-cases/bring-image'
import { readPrivateImage } from '@/lib/use-cases/review-attempts'

type Context = { readonly params: Promise<{ readonly id: string }> }

/** The image itself, for whoever recorded within the hour why they look at what this account made. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const user = await findUser()
  const image = user && (await readPrivateImage(deps(), user, (await params).id))
  return image ? imageAnswer(request, image, 'private, no-store') : notFound()
}

/** Keeps the body as an image that an admin has of the attempt. Only from our own pages. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const user = await findUser()
  if (!user || !mayReview(user.role)) return notFound()
  if (!isFromOwnPage(request.headers, environment().APP_URL)) {
    return problem(403, 'other_origin', 'Images are uploaded from Darkroom’s own pages only.')
  }
  const bytes = await readBoundedBody(request, BROUGHT_BYTES_MAX)
  if (!bytes) return problem(413, 'too_large', 'An image may have up to 64 MiB.')
  const kept = await bringImage(deps(), user, (await params).id, bytes)
  if (kept.ok) return privateJson(kept.value)
  const { code, message } = kept.refusal
  return problem({ 'not-admin': 403, 'not-found': 404, 'not-an-image': 422 }[code], code, message)
}
