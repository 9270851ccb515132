import {
  closeAccount,
  eraseEnded,
  findErasedFiles,
  findOpenErasures,
  findUnstopped,
  forgetErasedFile,
} from '@/lib/db/erasure-store'
import { findOwnIdentity } from '@/lib/db/identity-store'
import { normaliseEmail } from '@/lib/domain/email'
import type { AccountId } from '@/lib/domain/ids'
import { ok, refuse, type Result } from '@/lib/domain/result'
import { cancelAttempt } from './cancel-attempt'
import type { Deps } from './deps'
import { provesPassword, type Passwords } from './own-identity'

// Each step is one short transaction, whatever somebody made here.
const ATTEMPTS_AT_ONCE = 200
const STOPS_AT_ONCE = 100
const ACCOUNTS_AT_ONCE = 10
const FILES_AT_ONCE = 100
// The rest of a very large account is removed with the next sweep, and others have their turn.
const STEPS_AT_ONCE = 20

export type EraseRefusal =
  | { readonly code: 'not-confirmed'; readonly field: 'confirmation' }
  | { readonly code: 'wrong-password'; readonly field: 'password' }
  | { readonly code: 'has-role'; readonly field: undefined }

/**
 * Deletes the account of somebody who typed its address and, if it has one, its password. From the
 * commit on nobody is let in and nothing of it is shown; what it made is removed right after, and by
 * the workers until nothing is left. Attempts that are under way are seen through: what they hold is
 * settled as for everybody, and no picture of theirs is kept.
 */
export async function eraseAccount(
  deps: Deps & Passwords,
  accountId: AccountId,
  input: { readonly confirmation: unknown; readonly password: unknown },
): Promise<Result<undefined, EraseRefusal>> {
  const identity = await findOwnIdentity(deps.db, accountId)
  const typed = typeof input.confirmation === 'string' ? input.confirmation : ''
  if (!identity || normaliseEmail(typed) !== identity.email) {
    return refuse({ code: 'not-confirmed', field: 'confirmation' })
  }
  if (!(await provesPassword(deps, accountId, input.password))) {
    return refuse({ code: 'wrong-password', field: 'password' })
  }
  const outcome = await closeAccount(deps.db, accountId)
  if (outcome === 'has_role') return refuse({ code: 'has-role', field: undefined })
  deps.log.info({ accountId }, 'account deleted')
  // It is deleted already: whatever stops this is made up for by the workers.
  await removeTraces(deps, accountId).catch((error: unknown) => {
    deps.log.warn({ err: error, accountId }, 'traces not removed yet')
  })
  return ok(undefined)
}

/** Goes on with what deleted accounts left, until nothing is. */
export async function sweepErasures(deps: Deps): Promise<void> {
  for (const accountId of await findOpenErasures(deps.db, ACCOUNTS_AT_ONCE)) {
    await removeTraces(deps, accountId)
  }
  for (const objectKey of await findErasedFiles(deps.db, FILES_AT_ONCE)) {
    try {
      await deps.images.remove(objectKey)
      await forgetErasedFile(deps.db, objectKey)
    } catch (error) {
      // The store is down. The row stays, and the file is tried again.
      deps.log.warn({ err: error }, 'file of a deleted account not removed')
    }
  }
}

async function removeTraces(deps: Deps, accountId: AccountId): Promise<void> {
  for (const id of await findUnstopped(deps.db, accountId, STOPS_AT_ONCE)) {
    await cancelAttempt(deps, accountId, id)
  }
  for (let step = 0; step < STEPS_AT_ONCE; step += 1) {
    if (!(await eraseEnded(deps.db, accountId, ATTEMPTS_AT_ONCE))) return
  }
}
