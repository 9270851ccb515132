import { problem } from '@/app/api/answers'
import { isFromOwnPage } from '@/lib/api/own-page'
import { handleAuth } from '@/lib/auth/handler'
import { environment } from '@/lib/env'

export { handleAuth as GET }

/** next-auth asks for a token that only our own pages can read; another page's request gets no further. */
export async function POST(request: Request, context: unknown): Promise<Response> {
  const isForeign =
    request.headers.has('origin') && !isFromOwnPage(request.headers, environment().APP_URL)
  if (isForeign) {
    return problem(403, 'other_origin', 'This is done from Darkroom’s own pages only.')
  }
  return handleAuth(request, context)
}
