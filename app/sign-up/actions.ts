'use server'

import { findGuest, forgetGuest } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import type { Result } from '@/lib/domain/result'
import { registerUser, type RegisterRefusal } from '@/lib/use-cases/register-user'

/** Open to everybody, as a sign-up has to be. A guest takes what was made along. The use case parses what it is given. */
export async function registerAction(
  input: unknown,
): Promise<Result<{ readonly accountId: string }, RegisterRefusal>> {
  const guestId = await findGuest()
  const result = await registerUser(deps(), input, { guestId })
  if (result.ok) await forgetGuest()
  return result
}
