'use server'

import { findGuest, forgetGuest, visitorAddress } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { refuse, type Result } from '@/lib/domain/result'
import { registerUser, type RegisterRefusal } from '@/lib/use-cases/register-user'

type SignUpRefusal =
  | RegisterRefusal
  | { readonly code: 'throttled'; readonly field: undefined; readonly seconds: number }

/** Open to everybody, as a sign-up has to be. A guest takes what was made along. The use case parses what it is given. */
export async function registerAction(
  input: unknown,
): Promise<Result<{ readonly accountId: string }, SignUpRefusal>> {
  const address = await visitorAddress()
  const seconds = await deps().throttle.take([{ rule: 'sign-up-address', of: address }])
  if (seconds !== undefined) return refuse({ code: 'throttled', field: undefined, seconds })
  const guestId = await findGuest()
  const result = await registerUser(deps(), input, { guestId })
  if (result.ok) await forgetGuest()
  return result
}
