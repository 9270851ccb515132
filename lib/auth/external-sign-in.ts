import { v4 as randomUuid } from 'uuid'
import { signInExternally } from '@/lib/db/external-identity-store'
import { deps } from '@/lib/deps'
import { AccountId, type SessionId } from '@/lib/domain/ids'
import { environment } from '@/lib/env'
import { externalWays, personFrom, type ExternalId } from './external-providers'
import { openSession, type Opened, type SignInRequest } from './open-session'

/** Who is in this browser while somebody comes back from an issuer. */
export type Here = {
  readonly signedIn: { readonly accountId: AccountId; readonly sessionId: SessionId } | undefined
  readonly guest: AccountId | undefined
  readonly request: SignInRequest
  /** Called when the guest's account became somebody's. */
  readonly onRegistered: () => Promise<void>
}

export type ExternalProblem = 'unproved' | 'no_email' | 'suspended' | 'taken' | 'failed'

/** Opens a session for whom the issuer names, or says why not. */
export async function signInFromOutside(
  id: ExternalId,
  claims: unknown,
  here: Here,
): Promise<Opened | { readonly problem: ExternalProblem }> {
  const way = externalWays(environment()).find((one) => one.id === id)
  const person = way && personFrom(way, claims)
  if (!person) return { problem: 'failed' }
  const { db, signupCredits, log } = deps()
  const { outcome, accountId } = await signInExternally(db, person, {
    signedIn: here.signedIn?.accountId,
    newAccount: here.guest ?? AccountId.parse(randomUuid()),
    signupCredits,
  })
  log.info({ outcome, way: id, accountId }, 'signed in from outside')
  switch (outcome) {
    case 'known':
    case 'linked':
    case 'joined':
    case 'registered': {
      if (!accountId) return { problem: 'failed' }
      if (outcome === 'registered') await here.onRegistered()
      return here.signedIn
        ? { id: accountId, sid: here.signedIn.sessionId }
        : await openSession(accountId, here.request)
    }
    case 'taken':
    case 'unproved':
    case 'no_email':
    case 'suspended':
      return { problem: outcome }
  }
}
