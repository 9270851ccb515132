import { findExternalIdentities, unlinkIdentity } from '@/lib/db/external-identity-store'
import type { AccountId } from '@/lib/domain/ids'
import type { WayView } from '@/lib/web/account-views'
import type { Deps } from './deps'

/** The offered ways to sign in besides a password, and which of them the account uses. */
export async function listWays(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
  offered: readonly (Pick<WayView, 'id' | 'name'> & { readonly issuer: string })[],
): Promise<readonly WayView[]> {
  const used = await findExternalIdentities(deps.db, accountId)
  return offered.map(({ id, name, issuer }) => ({
    id,
    name,
    is_connected: used.some((one) => one.issuer === issuer),
  }))
}

/** Takes an issuer's name from the account, unless it would be let in by nothing then. */
export async function disconnect(
  deps: Pick<Deps, 'db' | 'log'>,
  accountId: AccountId,
  issuer: string,
): Promise<'unlinked' | 'unknown' | 'last_way_in'> {
  const outcome = await unlinkIdentity(deps.db, accountId, issuer)
  deps.log.info({ accountId, issuer, outcome }, 'way to sign in disconnected')
  return outcome
}
