import { countAttempts } from '@/lib/db/own-account-reader'
import { findOwnIdentity } from '@/lib/db/identity-store'
import type { AccountId } from '@/lib/domain/ids'
import { invariant } from '@/lib/domain/invariant'
import type { ProfileView } from '@/lib/web/account-views'
import type { Deps } from './deps'

export async function readProfile(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
): Promise<ProfileView> {
  const identity = await findOwnIdentity(deps.db, accountId)
  invariant(identity !== undefined, 'whoever is signed in has an identity')
  return {
    email: identity.email,
    name: identity.name,
    has_password: identity.passwordHash !== undefined,
    is_verified: identity.emailVerifiedAt !== undefined,
    is_told_by_email: identity.endsMailLocale !== undefined,
  }
}

/** How much there is of an account: what a guest keeps by signing up, what deleting takes. */
export async function countKept(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
): Promise<{ readonly attempts: number; readonly images: number; readonly open: number }> {
  return countAttempts(deps.db, accountId)
}
