import { randomBytes } from 'node:crypto'
import { NextResponse, type NextRequest } from 'next/server'
import { v4 as randomUuid } from 'uuid'
import { isFromOwnPage } from '@/lib/api/own-page'
import { problemDocument } from '@/lib/api/problem'
import { pagePolicy } from '@/lib/api/security-headers'
import { GUEST_COOKIE, GUEST_COOKIE_SECONDS, signGuest, verifyGuest } from '@/lib/auth/guest-cookie'
import { AccountId } from '@/lib/domain/ids'
import { environment, type Environment } from '@/lib/env'

// next-auth's, on plain and on encrypted connections.
const SESSION_COOKIES = ['next-auth.session-token', '__Secure-next-auth.session-token']
const READING = ['GET', 'HEAD', 'OPTIONS']
const NONCE_BYTES = 16
const SEE_OTHER = 303
const CSP = 'Content-Security-Policy'

/** Runs before every page and every server action. Who may do what is decided where it is done. */
export function proxy(request: NextRequest): NextResponse {
  const env = environment()
  const isEncrypted = env.APP_URL.startsWith('https:')
  const isDevelopment = env.NODE_ENV === 'development'
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const policy = pagePolicy(nonce, { isDevelopment, isEncrypted })
  const response = answer(request, env, { nonce, policy })
  response.headers.set(CSP, policy)
  return response
}

function answer(
  request: NextRequest,
  env: Environment,
  { nonce, policy }: { readonly nonce: string; readonly policy: string },
): NextResponse {
  const isReading = READING.includes(request.method)
  // Next.js lets server actions without an origin by.
  if (!isReading && !isFromOwnPage(request.headers, env.APP_URL)) return otherOrigin()
  const origin = request.headers.get('origin') ?? env.APP_URL
  // A form that was sent before the page's script was there to send it: it is shown again.
  const isAction = request.headers.has('next-action')
  if (!isReading && !isAction) {
    const { pathname, search } = request.nextUrl
    return NextResponse.redirect(new URL(`${pathname}${search}`, origin), SEE_OTHER)
  }

  const guest = isReading ? newGuestFor(request, env) : undefined
  // The page that follows sees the cookie too, not only the next one.
  if (guest !== undefined) request.cookies.set(GUEST_COOKIE, guest)
  const headers = new Headers(request.headers)
  // Next.js reads the nonce out of the policy for the scripts that it writes.
  headers.set(CSP, policy)
  headers.set('x-nonce', nonce)
  // Next.js compares the origin once more, with a header that anybody may have written.
  if (isAction && !isReading) headers.set('x-forwarded-host', new URL(origin).host)
  const response = NextResponse.next({ request: { headers } })
  if (guest !== undefined) {
    response.cookies.set(GUEST_COOKIE, guest, {
      httpOnly: true,
      sameSite: 'lax',
      secure: env.APP_URL.startsWith('https:'),
      maxAge: GUEST_COOKIE_SECONDS,
      path: '/',
    })
  }
  return response
}

/**
 * Gives a browser its guest before any page of the studio is shown: who asks must be known before
 * the first click, or an answer that gets lost would make the next try another guest's. Whoever has
 * a session, or had one, is no guest.
 */
function newGuestFor(request: NextRequest, env: Environment): string | undefined {
  if (env.GUESTS === 'off' || request.nextUrl.pathname !== '/studio') return undefined
  const known = verifyGuest(env.AUTH_SECRET, request.cookies.get(GUEST_COOKIE)?.value)
  const hasSession = SESSION_COOKIES.some((name) => request.cookies.has(name))
  if (known !== undefined || hasSession || request.method !== 'GET') return undefined
  return signGuest(env.AUTH_SECRET, AccountId.parse(randomUuid()))
}

const otherOrigin = (): NextResponse => {
  const detail = 'This is done from Darkroom’s own pages only.'
  const refusal = problemDocument({ status: 403, code: 'other_origin', detail })
  return new NextResponse(refusal.body, refusal)
}

/** All but what answers with data: that has its headers from next.config.ts and its own checks. */
export const config = {
  matcher: ['/((?!api/|metrics$|_next/static/|icon\\.svg$|away\\.js$|s/[^/]+/image$).*)'],
}
