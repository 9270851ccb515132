import { NextResponse, type NextRequest } from 'next/server'
import { v4 as randomUuid } from 'uuid'
import { GUEST_COOKIE, GUEST_COOKIE_SECONDS, signGuest, verifyGuest } from '@/lib/auth/guest-cookie'
import { AccountId } from '@/lib/domain/ids'
import { environment } from '@/lib/env'

// next-auth's, on plain and on encrypted connections.
const SESSION_COOKIES = ['next-auth.session-token', '__Secure-next-auth.session-token']

/**
 * Gives a browser its guest before any page of the studio is shown: who asks must be known before
 * the first click, or an answer that gets lost would make the next try another guest's. It decides
 * nothing about who may do what. Whoever has a session, or had one, is no guest.
 */
export function proxy(request: NextRequest): NextResponse {
  const env = environment()
  const known = verifyGuest(env.AUTH_SECRET, request.cookies.get(GUEST_COOKIE)?.value)
  const hasSession = SESSION_COOKIES.some((name) => request.cookies.has(name))
  const isPage = request.method === 'GET'
  if (env.GUESTS === 'off' || known || hasSession || !isPage) return NextResponse.next()
  const value = signGuest(env.AUTH_SECRET, AccountId.parse(randomUuid()))
  // The page that follows sees the cookie too, not only the next one.
  request.cookies.set(GUEST_COOKIE, value)
  const response = NextResponse.next({ request })
  response.cookies.set(GUEST_COOKIE, value, {
    httpOnly: true,
    sameSite: 'lax',
    secure: env.APP_URL.startsWith('https:'),
    maxAge: GUEST_COOKIE_SECONDS,
    path: '/',
  })
  return response
}

export const config = { matcher: ['/studio'] }
