'use server'

import { z } from 'zod'
import { findVisitor, guestAddress } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import type { AccountId } from '@/lib/domain/ids'
import { ok, refuse, type Result } from '@/lib/domain/result'
import { cancelAttempt } from '@/lib/use-cases/cancel-attempt'
import { lookAgain } from '@/lib/use-cases/look-again'
import { readAttemptNews, type AttemptNews } from '@/lib/use-cases/read-attempt-news'
import { readBalance } from '@/lib/use-cases/read-ledger'
import { startAttempt, type StartedAttempt, type StartRefusal } from '@/lib/use-cases/start-attempt'

type SignedOut = { readonly code: 'signed-out' }
type NotFound = { readonly code: 'not-found' }

/** The session or the guest's cookie says who asks. That it is the account the browser means is checked, not believed. */
export async function startAttemptAction(
  accountId: unknown,
  input: unknown,
): Promise<Result<StartedAttempt & Pick<AttemptNews, 'balance'>, StartRefusal | SignedOut>> {
  const visitor = await findVisitor()
  if (visitor?.accountId !== accountId || !visitor) return refuse({ code: 'signed-out' })
  const world = deps()
  const started = await startAttempt(world, visitor.accountId, input, await guestAddress(visitor))
  if (!started.ok) return started
  // Read after the attempt: the money on screen may be newer than a picture, never older.
  return ok({ ...started.value, balance: await readBalance(world, visitor.accountId) })
}

/** Asked twice it is the same wish. The answer is what is known of the attempt now. */
export async function cancelAttemptAction(
  accountId: unknown,
  id: unknown,
): Promise<Result<AttemptNews, SignedOut | NotFound>> {
  return actOn(accountId, id, (owner, attemptId) => cancelAttempt(deps(), owner, attemptId))
}

/** The answer is what was known before the look: the look itself takes a moment. */
export async function lookAgainAction(
  accountId: unknown,
  id: unknown,
): Promise<Result<AttemptNews, SignedOut | NotFound>> {
  return actOn(accountId, id, (owner, attemptId) => lookAgain(deps(), owner, attemptId))
}

/** What is not the visitor's is as absent as what never was. */
async function actOn(
  accountId: unknown,
  id: unknown,
  act: (owner: AccountId, attemptId: string) => Promise<unknown>,
): Promise<Result<AttemptNews, SignedOut | NotFound>> {
  const visitor = await findVisitor()
  if (visitor?.accountId !== accountId || !visitor) return refuse({ code: 'signed-out' })
  const attemptId = z.string().safeParse(id).data
  if (attemptId === undefined) return refuse({ code: 'not-found' })
  if ((await act(visitor.accountId, attemptId)) === undefined) return refuse({ code: 'not-found' })
  const news = await readAttemptNews(deps(), visitor.accountId, attemptId)
  return news ? ok(news) : refuse({ code: 'not-found' })
}
