import 'server-only'
import { getServerSession } from 'next-auth'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { z } from 'zod'
import { findSessionIdentity, type Identity } from '@/lib/db/account-store'
import { deps } from '@/lib/deps'
import { SessionId } from '@/lib/domain/ids'
import { mayReview } from '@/lib/domain/role'
import { authOptions } from './options'

/** Who is asking, and by which of their sessions. */
export type CurrentUser = Identity & { readonly sessionId: SessionId }

const SessionWithId = z.object({ sid: SessionId })

/**
 * Who is asking, or undefined: signed out, session ended, or account suspended. For actions and
 * routes. Asked once per request however many parts of a page ask.
 */
export const findUser = cache(async (): Promise<CurrentUser | undefined> => {
  const session = SessionWithId.safeParse(await getServerSession(authOptions())).data
  const identity = session && (await findSessionIdentity(deps().db, session.sid))
  return identity && { ...identity, sessionId: session.sid }
})

/** For pages: whoever is not signed in goes to sign in, and comes back afterwards. */
export async function requireUser(from?: string): Promise<CurrentUser> {
  const user = await findUser()
  if (!user) redirect(from ? `/sign-in?from=${encodeURIComponent(from)}` : '/sign-in')
  return user
}

/** For admin pages: to whoever may read nothing there they do not exist. */
export async function requireReviewer(): Promise<CurrentUser> {
  const user = await findUser()
  if (!user || !mayReview(user.role)) notFound()
  return user
}
