'use server'

import { deps } from '@/lib/deps'
import type { Result } from '@/lib/domain/result'
import { registerUser, type RegisterRefusal } from '@/lib/use-cases/register-user'

/** Open to everybody, as a sign-up has to be. The use case parses what it is given. */
export async function registerAction(
  input: unknown,
): Promise<Result<{ readonly accountId: string }, RegisterRefusal>> {
  return registerUser(deps(), input)
}
