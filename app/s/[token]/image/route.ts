import { notFound } from '@/app/api/answers'
import { imageAnswer, imageSize } from '@/lib/api/image-answer'
import { deps } from '@/lib/deps'
import { readSharedImage } from '@/lib/use-cases/share-picture'

// Asked about each time, so that a withdrawn link shows nothing from that moment on.
const CACHING = 'private, no-cache'

/** The image behind a link, or the copy that `?size=` names, for whoever has it. */
export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly token: string }> },
): Promise<Response> {
  const image = await readSharedImage(deps(), (await params).token, imageSize(request))
  if (!image) return notFound()
  const answer = imageAnswer(request, image, CACHING)
  answer.headers.set('x-robots-tag', 'noindex')
  return answer
}
