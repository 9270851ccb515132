import { notFound } from '@/app/api/answers'
import { imageAnswer } from '@/lib/api/image-answer'
import { deps } from '@/lib/deps'
import { readSharedImage } from '@/lib/use-cases/share-picture'

// Asked about each time, so that a withdrawn link shows nothing from that moment on.
const CACHING = 'private, no-cache'

/** The image behind a link, for whoever has it. */
export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly token: string }> },
): Promise<Response> {
  const image = await readSharedImage(deps(), (await params).token)
  if (!image) return notFound()
  const answer = imageAnswer(request, image, CACHING)
  answer.headers.set('x-robots-tag', 'noindex')
  return answer
}
