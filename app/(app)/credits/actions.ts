'use server'

import { revalidatePath } from 'next/cache'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { refuse, type Result } from '@/lib/domain/result'
import { buyCredits, type BuyRefusal } from '@/lib/use-cases/buy-credits'
import { setSpendingLimit, type LimitRefusal } from '@/lib/use-cases/spending'
import type { SpendingView } from '@/lib/web/views'

/** The limit is that of whoever is signed in. */
export async function setSpendingLimitAction(
  limit: unknown,
): Promise<Result<SpendingView, LimitRefusal | { readonly code: 'signed-out' }>> {
  const visitor = await findVisitor()
  if (!visitor) return refuse({ code: 'signed-out' })
  const answer = await setSpendingLimit(deps(), visitor.accountId, limit)
  if (answer.ok) revalidatePath('/credits')
  return answer
}

/** Buys for whoever is signed in, and answers where to pay. Guests have nothing that could own it. */
export async function buyCreditsAction(
  order: unknown,
): Promise<Result<{ readonly url: string }, BuyRefusal | { readonly code: 'signed-out' }>> {
  const visitor = await findVisitor()
  if (!visitor) return refuse({ code: 'signed-out' })
  if (visitor.kind === 'guest') return refuse({ code: 'no-account' })
  return await buyCredits(deps(), visitor.accountId, order)
}
