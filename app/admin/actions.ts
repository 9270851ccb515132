'use server'

import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { refuse, type Result } from '@/lib/domain/result'
import type { AdminActDone, AdminActRefusal } from '@/lib/use-cases/admin-answers'
import { auditNow } from '@/lib/use-cases/review-ledger'
import { startDrill } from '@/lib/use-cases/start-drill'
import { previewAdminActs } from '@/lib/use-cases/preview-admin-acts'
import type { ActPreviewView } from '@/lib/web/admin-views'
import { performAdminAct } from '@/lib/use-cases/perform-admin-act'

type SignedOut = { readonly code: 'signed-out'; readonly message: string }

/** What would happen to each of these attempts. Changes nothing. */
export async function previewAction(input: unknown): Promise<readonly ActPreviewView[]> {
  const user = await findUser()
  return user ? previewAdminActs(deps(), user, input) : []
}

/** An attempt of the admin's own that goes wrong as told. */
export async function drillAction(input: unknown): ReturnType<typeof startDrill> {
  const user = await findUser()
  return user
    ? startDrill(deps(), user, input)
    : refuse({ code: 'not-admin', message: 'You are signed out. Sign in again.' })
}

/** Computes every balance anew, for those whose work it is. */
export async function auditAction(): ReturnType<typeof auditNow> {
  const user = await findUser()
  return user
    ? auditNow(deps(), user)
    : refuse({ code: 'not-admin', message: 'You are signed out. Sign in again.' })
}

/** Whether whoever is signed in may do this is for the use case and the database to say. */
export async function adminAction(
  input: unknown,
): Promise<Result<AdminActDone, AdminActRefusal | SignedOut>> {
  const user = await findUser()
  if (!user) return refuse({ code: 'signed-out', message: 'You are signed out. Sign in again.' })
  return performAdminAct(deps(), user, input)
}
