'use server'

import { findVisitor, guestAddress } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { refuse, type Result } from '@/lib/domain/result'
import { startAttempt, type StartedAttempt, type StartRefusal } from '@/lib/use-cases/start-attempt'

type SignedOut = { readonly code: 'signed-out' }

/** The session or the guest's cookie says who asks. That it is the account the browser means is checked, not believed. */
export async function startAttemptAction(
  accountId: unknown,
  input: unknown,
): Promise<Result<StartedAttempt, StartRefusal | SignedOut>> {
  const visitor = await findVisitor()
  if (visitor?.accountId !== accountId || !visitor) return refuse({ code: 'signed-out' })
  return startAttempt(deps(), visitor.accountId, input, await guestAddress(visitor))
}
