'use server'

import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { refuse, type Result } from '@/lib/domain/result'
import { startAttempt, type StartedAttempt, type StartRefusal } from '@/lib/use-cases/start-attempt'

type SignedOut = { readonly code: 'signed-out' }

/** The session says who asks. That it is the account the browser means is checked, not believed. */
export async function startAttemptAction(
  accountId: unknown,
  input: unknown,
): Promise<Result<StartedAttempt, StartRefusal | SignedOut>> {
  const user = await findUser()
  if (user?.accountId !== accountId || !user) return refuse({ code: 'signed-out' })
  return startAttempt(deps(), user.accountId, input)
}
