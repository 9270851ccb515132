import { problem } from '@/app/api/answers'
import { isFromOwnPage } from '@/lib/api/own-page'
import { handleAuth } from '@/lib/auth/handler'
import { environment } from '@/lib/env'
import { readableRequest } from './readable-request'

export { answer as GET, answer as POST }

const FORM_CALLBACK = /\/callback\/(credentials|link)\/?$/

/** next-auth asks for a token that only our own pages can read; another page's request gets no further. */
async function answer(request: Request, context: unknown): Promise<Response> {
  const isForeign =
    request.headers.has('origin') && !isFromOwnPage(request.headers, environment().APP_URL)
  if (isForeign && request.method === 'POST') {
    return problem(403, 'other_origin', 'This is done from Darkroom’s own pages only.')
  }
  // What comes back from a form of ours; next-auth takes its being read for a fault of the server.
  const isForm = FORM_CALLBACK.test(new URL(request.url).pathname)
  if (isForm && request.method === 'GET') {
    return problem(405, 'method_not_allowed', 'This address takes what a form sends.')
  }
  const readable = await readableRequest(request)
  if (!readable) return problem(400, 'unreadable', 'This request cannot be read.')
  return handleAuth(readable, context)
}
