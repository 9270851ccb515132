import { z } from 'zod'
import { findAttemptForReview } from '@/lib/db/attempt-reader'
import { findAttempt } from '@/lib/db/known-attempt'
import { AttemptId } from '@/lib/domain/ids'
import { whyNot } from '@/lib/domain/operator-act'
import { mayAct } from '@/lib/domain/role'
import type { ActPreviewView } from '@/lib/web/admin-views'
import type { Deps } from './deps'
import type { Admin } from './perform-admin-act'

// A page of the list. More at once is more than anybody looks through before they press.
const AT_ONCE_MAX = 50

const Asked = z.strictObject({
  // Those that need nothing but a reason: what needs its own proof is done one by one.
  act: z.enum(['look-again', 'retry-delivery', 'compensate']),
  ids: z.array(AttemptId).min(1).max(AT_ONCE_MAX),
})

/** What an act would do to each of these, or why not. What is not there is passed over. */
export async function previewAdminActs(
  deps: Deps,
  admin: Admin,
  input: unknown,
): Promise<readonly ActPreviewView[]> {
  const asked = Asked.safeParse(input).data
  if (!asked || !mayAct(admin.role, asked.act)) return []
  const views = await Promise.all(asked.ids.map((id) => preview(deps, asked.act, id)))
  return views.filter((view) => view !== undefined)
}

async function preview(
  { db }: Deps,
  act: z.infer<typeof Asked>['act'],
  id: AttemptId,
): Promise<ActPreviewView | undefined> {
  const found = await findAttemptForReview(db, id)
  const known = found && (await findAttempt(db, { id, accountId: found.attempt.accountId }))
  if (!found || !known) return undefined
  const { attempt, email } = found
  const { settlement } = attempt
  return {
    id,
    version: attempt.version,
    account_email: email,
    price: attempt.price,
    reserved: attempt.reservedCredits > 0 ? 'credits' : 'allowance',
    settlement,
    why_not: whyNot({ state: known.state, settlement }, act) ?? null,
  }
}
