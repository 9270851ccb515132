import { problem } from '@/app/api/answers'
import { isFromOwnPage } from '@/lib/api/own-page'
import { handleAuth } from '@/lib/auth/handler'
import { environment } from '@/lib/env'
import { readableRequest } from './readable-request'

export { answer as GET, answer as POST }

/** next-auth asks for a token that only our own pages can read; another page's request gets no further. */
async function answer(request: Request, context: unknown): Promise<Response> {
  const isForeign =
    request.headers.has('origin') && !isFromOwnPage(request.headers, environment().APP_URL)
  if (isForeign && request.method === 'POST') {
    return problem(403, 'other_origin', 'This is done from Darkroom’s own pages only.')
  }
  const readable = await readableRequest(request)
  if (!readable) return problem(400, 'unreadable', 'This request cannot be read.')
  return handleAuth(readable, context)
}
