import NextAuth from 'next-auth'
import { z } from 'zod'
import { authOptions } from './options'

const Handler = z.custom<(request: Request, context: unknown) => Promise<Response>>(
  (value) => typeof value === 'function',
)

/** next-auth's own routes: sign-in, sign-out, session. Its types do not say what it returns here. */
export function handleAuth(request: Request, context: unknown): Promise<Response> {
  return Handler.parse(NextAuth(authOptions()))(request, context)
}
