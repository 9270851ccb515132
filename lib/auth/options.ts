import type { NextAuthOptions } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import { z } from 'zod'
import { endSession, findSignIn, insertSession } from '@/lib/db/account-store'
import { deps } from '@/lib/deps'
import { normaliseEmail } from '@/lib/domain/email'
import { SessionId } from '@/lib/domain/ids'
import { environment } from '@/lib/env'
import { verifyPassword } from './password'

const SESSION_SECONDS = 30 * 24 * 60 * 60
// Longer input is no password; hashing it would only cost time.
const PASSWORD_LENGTH_MAX = 200

const SignInInput = z.object({
  email: z.string().max(254),
  password: z.string().max(PASSWORD_LENGTH_MAX),
})
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
        authorize: async (input) => signIn(input),
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

async function signIn(input: unknown): Promise<{ id: string; sid: SessionId } | null> {
  const parsed = SignInInput.safeParse(input)
  if (!parsed.success) return null
  const { db, newId } = deps()
  const found = await findSignIn(db, normaliseEmail(parsed.data.email))
  const matches = await verifyPassword(found?.passwordHash, parsed.data.password)
  if (!matches || !found || found.suspended) return null
  const sid = SessionId.parse(newId())
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1_000)
  await insertSession(db, { id: sid, accountId: found.accountId, expiresAt })
  return { id: found.accountId, sid }
}
