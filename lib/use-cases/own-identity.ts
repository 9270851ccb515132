import { changePassword, findOwnIdentity, renameUser } from '@/lib/db/identity-store'
import type { AccountId, SessionId } from '@/lib/domain/ids'
import { NewPassword, PASSWORD_LENGTH_MAX, PersonName } from '@/lib/domain/password'
import { ok, refuse, type Result } from '@/lib/domain/result'
import type { Deps } from './deps'

/** How passwords are hashed and compared; the domain and the stores know nothing of it. */
export type Passwords = {
  readonly hashPassword: (password: string) => Promise<string>
  /** False without a hash, and takes as long as with one. */
  readonly verifyPassword: (hash: string | undefined, password: string) => Promise<boolean>
}

export type PasswordRefusal =
  | { readonly code: 'wrong-password'; readonly field: 'current'; readonly message: string }
  | { readonly code: 'invalid-input'; readonly field: 'password'; readonly message: string }

const WRONG: PasswordRefusal = {
  code: 'wrong-password',
  field: 'current',
  message: 'This is not your password.',
}

/**
 * Sets the password of somebody who is signed in. Whoever has one proves it first: an open browser is
 * not enough. All other sessions end with it.
 */
export async function changeOwnPassword(
  deps: Pick<Deps, 'db' | 'log'> & Passwords,
  own: { readonly accountId: AccountId; readonly sessionId: SessionId },
  input: { readonly current: unknown; readonly password: unknown },
): Promise<Result<undefined, PasswordRefusal>> {
  const chosen = NewPassword.safeParse(input.password)
  if (!chosen.success) {
    const message = chosen.error.issues[0]?.message ?? 'Choose another password.'
    return refuse({ code: 'invalid-input', field: 'password', message })
  }
  if (!(await provesPassword(deps, own.accountId, input.current))) return refuse(WRONG)
  await changePassword(deps.db, {
    accountId: own.accountId,
    passwordHash: await deps.hashPassword(chosen.data),
    kept: own.sessionId,
  })
  deps.log.info({ accountId: own.accountId }, 'password changed')
  return ok(undefined)
}

/** Whether it is the account's password, or the account has none to prove. */
export async function provesPassword(
  deps: Pick<Deps, 'db'> & Passwords,
  accountId: AccountId,
  password: unknown,
): Promise<boolean> {
  const identity = await findOwnIdentity(deps.db, accountId)
  if (!identity) return false
  if (identity.passwordHash === undefined) return true
  if (typeof password !== 'string' || password.length > PASSWORD_LENGTH_MAX) return false
  return deps.verifyPassword(identity.passwordHash, password)
}

export async function renameOwn(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
  name: unknown,
): Promise<Result<{ readonly name: string }, { readonly message: string }>> {
  const parsed = PersonName.safeParse(name)
  if (!parsed.success) {
    return refuse({ message: parsed.error.issues[0]?.message ?? 'Write a name.' })
  }
  await renameUser(deps.db, accountId, parsed.data)
  return ok({ name: parsed.data })
}
