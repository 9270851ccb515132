'use server'

import { revalidatePath } from 'next/cache'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { refuse, type Result } from '@/lib/domain/result'
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
