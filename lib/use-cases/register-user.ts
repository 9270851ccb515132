import { z } from 'zod'
import { findAccountKind, registerIdentity } from '@/lib/db/account-store'
import { Email } from '@/lib/domain/email'
import { AccountId } from '@/lib/domain/ids'
import { NewPassword } from '@/lib/domain/password'
import { ok, refuse, type Result } from '@/lib/domain/result'
import type { Role } from '@/lib/domain/role'
import type { Deps } from './deps'

const RegisterInput = z.strictObject({
  email: Email,
  password: NewPassword,
  name: z.string().trim().min(1).max(100).optional(),
})

export type RegisterRefusal =
  | { readonly code: 'email-taken'; readonly field: 'email'; readonly message: string }
  | {
      readonly code: 'invalid-input'
      readonly field: 'email' | 'password' | 'name' | undefined
      readonly message: string
    }

/** Opens an account and grants the sign-up credits, once, in one transaction. */
export async function registerUser(
  deps: Deps & { readonly hashPassword: (password: string) => Promise<string> },
  input: unknown,
  options: {
    readonly role?: Role
    /** The guest who signs up: the account, its attempts and its images stay theirs. */
    readonly guestId?: AccountId | undefined
  } = {},
): Promise<Result<{ readonly accountId: AccountId }, RegisterRefusal>> {
  const parsed = RegisterInput.safeParse(input)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = z.enum(['email', 'password', 'name']).safeParse(issue?.path[0]).data
    return refuse({
      code: 'invalid-input',
      field,
      message: issue?.message ?? 'This cannot be used to sign up.',
    })
  }
  const { email, password, name } = parsed.data
  const accountId = (await keptGuestId(deps, options.guestId)) ?? AccountId.parse(deps.newId())
  const outcome = await registerIdentity(deps.db, {
    accountId,
    email,
    name: name ?? email.slice(0, email.indexOf('@')).slice(0, 100),
    role: options.role ?? 'user',
    passwordHash: await deps.hashPassword(password),
    signupCredits: deps.signupCredits,
  })
  if (outcome === 'email_taken') {
    return refuse({
      code: 'email-taken',
      field: 'email',
      message: 'There is an account with this address already. Sign in instead.',
    })
  }
  return ok({ accountId })
}

/** A cookie may outlive its guest: an account that has signed up already is not signed up again. */
async function keptGuestId(
  deps: Pick<Deps, 'db'>,
  guestId: AccountId | undefined,
): Promise<AccountId | undefined> {
  if (guestId === undefined) return undefined
  const account = await findAccountKind(deps.db, guestId)
  return account?.kind === 'guest' ? guestId : undefined
}
