import type { NextAuthOptions } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import { z } from 'zod'
import { endSession } from '@/lib/db/account-store'
import { deps } from '@/lib/deps'
import { SessionId } from '@/lib/domain/ids'
import { environment } from '@/lib/env'
import { ExternalId, externalProviders } from './external-providers'
import { signInFromOutside, type Here } from './external-sign-in'
import { signInWithLink } from './link-sign-in'
import { SESSION_SECONDS, signInRequest } from './open-session'
import { signInByPassword } from './password-sign-in'

const TokenWithSession = z.object({ sid: SessionId })

/**
 * The cookie carries the id of a session row and nothing to trust: each request asks the database
 * whether that session still stands. `here` is given where somebody may come back from an issuer.
 */
export function authOptions(here?: () => Promise<Here>): NextAuthOptions {
  const env = environment()
  return {
    secret: env.AUTH_SECRET,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    providers: [
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: async (input, request) => signInByPassword(input, signInRequest(request)),
      }),
      CredentialsProvider({
        id: 'link',
        credentials: { token: { type: 'text' } },
        authorize: async (input, request) => signInWithLink(input, signInRequest(request)),
      }),
      ...externalProviders(env),
    ],
    callbacks: {
      // What is answered with an address leads there and lets nobody in.
      signIn: async ({ user, account, profile }) => {
        if (account?.type !== 'oauth') return true
        const id = ExternalId.parse(account.provider)
        const opened = here
          ? await signInFromOutside(id, profile, await here())
          : ({ problem: 'failed' } as const)
        if ('problem' in opened) return `/sign-in?problem=${opened.problem}&with=${id}`
        Object.assign(user, opened)
        return true
      },
      // `user` is what `authorize` or `signIn` answered, and is there only when somebody signs in.
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
