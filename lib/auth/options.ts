import type { NextAuthOptions } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import { z } from 'zod'
import { endSession } from '@/lib/db/account-store'
import { deps } from '@/lib/deps'
import { SessionId } from '@/lib/domain/ids'
import { environment } from '@/lib/env'
import { SESSION_SECONDS, signInRequest } from './open-session'
import { signInByPassword } from './password-sign-in'

const TokenWithSession = z.object({ sid: SessionId })

/**
 * The cookie carries the id of a session row and nothing to trust: each request asks the database
 * whether that session still stands.
 */
export function authOptions(): NextAuthOptions {
  return {
    secret: environment().AUTH_SECRET,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    providers: [
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: async (input, request) => signInByPassword(input, signInRequest(request)),
      }),
    ],
    callbacks: {
      // `user` is what `authorize` answered, and is there only when somebody signs in.
      jwt: ({ token, user }) => {
        const signedIn = TokenWithSession.safeParse(user).data
        return signedIn ? { ...token, sid: signedIn.sid } : token
      },
      session: ({ session, token }) => ({ ...session, sid: token['sid'] }),
    },
    events: {
      signOut: async ({ token }) => {
        const signedOut = TokenWithSession.safeParse(token).data
        if (signedOut) await endSession(deps().db, signedOut.sid)
      },
    },
  }
}
