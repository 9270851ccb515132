import { z } from 'zod'
import type { Identity } from '@/lib/db/account-store'
import {
  askVerification,
  beginAdminAct,
  changeCredits,
  decideCredits,
  decideForAdmin,
  endSessionsOf,
  liftProviderBlock,
  noteOutcome,
  requestCredits,
  setAccountStatus,
  wakeForAdmin,
} from '@/lib/db/admin-store'
import { findRequestsOf } from '@/lib/db/credit-request-store'
import { findAttemptForReview } from '@/lib/db/attempt-reader'
import { findAttempt } from '@/lib/db/known-attempt'
import { needsApproval, whyNotDecide } from '@/lib/domain/approval'
import { AdminAct, detailOf, subjectOf } from '@/lib/domain/admin-act'
import { decideOperatorAct, whyNot, type OperatorAct } from '@/lib/domain/operator-act'
import { refuse, type Result } from '@/lib/domain/result'
import { mayAct, mayReview } from '@/lib/domain/role'
import { answerOf, type AdminActDone, type AdminActRefusal } from './admin-answers'
import { canBeSearchedFor } from './can-be-searched-for'
import type { Deps } from './deps'

export type Admin = Pick<Identity, 'accountId' | 'email' | 'role'>

type AttemptAct = Extract<AdminAct, { readonly version: number }>

// More than ever wait or are remembered of one account.
const REQUESTS_MAX = 1_000

const NOT_ADMIN = { code: 'not-admin', message: 'Your role may not do this.' } as const

// What the account reads in its statement. Why an admin did it is in the log.
const STATEMENT_WORDS = { grant: 'Added by Darkroom.', correct: 'Put right by Darkroom.' } as const

/**
 * What an admin asks for, done once: written down before and after, on what they had seen, and never
 * if somebody else was faster. Nothing here sends anything to a provider.
 */
export async function performAdminAct(
  deps: Deps,
  admin: Admin,
  input: unknown,
): Promise<Result<AdminActDone, AdminActRefusal>> {
  if (!mayReview(admin.role)) return refuse(NOT_ADMIN)
  const parsed = AdminAct.safeParse(input)
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? 'This cannot be done.'
    return refuse({ code: 'invalid', message })
  }
  const act = parsed.data
  if (!mayAct(admin.role, act.act)) return refuse(NOT_ADMIN)
  if ('version' in act && !(await findAttemptForReview(deps.db, act.attemptId))) {
    return refuse({ code: 'not-found', message: 'There is no attempt with this id.' })
  }
  const { id, reason } = act
  const subject = subjectOf(act)
  const asked = { id, reason, subject, act: act.act, detail: detailOf(act) }
  const begun = await beginAdminAct(deps.db, { ...asked, actorId: admin.accountId })
  if (begun.outcome === 'not_admin') return refuse(NOT_ADMIN)
  if (begun.outcome === 'key_reused') {
    const message = 'This button was pressed before for something else. The log says what was done.'
    return refuse({ code: 'key-reused', message })
  }
  const outcome = begun.done ?? (await perform(deps, admin, act))
  deps.log.info({ ...asked, actor: admin.accountId, outcome }, 'admin act')
  return answerOf(act.act, outcome)
}

async function perform(deps: Deps, admin: Admin, act: AdminAct): Promise<string> {
  const { db } = deps
  switch (act.act) {
    case 'look-again':
    case 'look-up':
    case 'retry-delivery':
    case 'attach-task':
    case 'record-delivery':
    case 'fail':
    case 'compensate':
      return decideAbout(deps, admin, act)
    case 'unblock-provider':
      return liftProviderBlock(db, act.id, act.provider)
    case 'grant-credits':
      return moveCredits(deps, admin, act, 'grant')
    case 'correct-credits':
      return moveCredits(deps, admin, act, 'correct')
    case 'approve':
    case 'reject':
      return decideAboutCredits(deps, admin, act)
    case 'suspend':
      return act.accountId === admin.accountId
        ? noteOutcome(db, act.id, 'not possible: You cannot suspend yourself.')
        : setAccountStatus(db, act.id, act.accountId, 'suspended')
    case 'restore':
      return setAccountStatus(db, act.id, act.accountId, 'active')
    case 'end-sessions':
      return endSessionsOf(db, act.id, act.accountId)
    case 'read-prompts':
      return noteOutcome(db, act.id, 'applied')
  }
}

async function decideAbout({ db }: Deps, admin: Admin, act: AttemptAct): Promise<string> {
  // The settlement is read before the state: whatever changes it in between changes the version.
  const row = (await findAttemptForReview(db, act.attemptId))?.attempt
  const known = row && (await findAttempt(db, { id: row.id, accountId: row.accountId }))
  if (!row || known?.version !== act.version) return noteOutcome(db, act.id, 'stale')
  const canLookUp = await canBeSearchedFor(db, row.model)
  const standing = { state: known.state, settlement: row.settlement, canLookUp }
  const problem = whyNot(standing, act.act)
  if (problem !== undefined) return noteOutcome(db, act.id, `not possible: ${problem}`)
  const key = { id: row.id, accountId: row.accountId }
  if (act.act === 'look-again' || act.act === 'retry-delivery') {
    return wakeForAdmin(db, act.id, key, act.version)
  }
  const target = { key, version: act.version, actor: actorOf(admin) }
  if (act.act !== 'fail' && act.act !== 'compensate') {
    const said = {
      taskId: act.act === 'attach-task' ? act.taskId : undefined,
      sha256: act.act === 'record-delivery' ? act.sha256 : undefined,
    }
    return askVerification(db, act.id, target, { act: act.act, reason: act.reason, ...said })
  }
  const decision = decideOperatorAct(standing, operatorActOf(act))
  if (!decision.ok) return noteOutcome(db, act.id, `not possible: ${decision.refusal.message}`)
  return decideForAdmin(db, act.id, target, decision.value)
}

function operatorActOf(
  act: Extract<AttemptAct, { readonly act: 'fail' | 'compensate' }>,
): OperatorAct {
  const { reason } = act
  switch (act.act) {
    case 'fail':
      return { kind: act.act, proof: act.proof, reason }
    case 'compensate':
      return { kind: act.act, reason }
  }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: check violation, out of range.
const OutOfBounds = z.object({
  code: z.enum(['23514', '22003']),
  constraint: z.string().optional(),
})

async function moveCredits(
  { db, approvalAbove }: Deps,
  admin: Admin,
  act: Extract<AdminAct, { readonly credits: number }>,
  kind: 'grant' | 'correct',
): Promise<string> {
  const { id, accountId, credits } = act
  if (needsApproval(credits, approvalAbove)) {
    const request = { accountId, act: act.act, credits, requestedBy: admin.accountId }
    return requestCredits(db, id, { ...request, reason: act.reason })
  }
  const change = { kind, accountId, credits, actor: actorOf(admin), reason: STATEMENT_WORDS[kind] }
  return boundedBy(db, id, () => changeCredits(db, id, change))
}

/** The database's bounds on what an account may hold refuse by an error that kept nothing. */
async function boundedBy(db: Deps['db'], id: string, move: () => Promise<string>): Promise<string> {
  try {
    return await move()
  } catch (error) {
    const refused = OutOfBounds.safeParse(error).data
    if (!refused) throw error
    const isHeld = refused.constraint === 'ledger_entry_four_eyes'
    return noteOutcome(db, id, isHeld ? 'needs_approval' : 'out_of_bounds')
  }
}

async function decideAboutCredits(
  { db }: Deps,
  admin: Admin,
  act: Extract<AdminAct, { readonly requestId: string }>,
): Promise<string> {
  const { id, accountId, requestId, reason } = act
  const requests = await findRequestsOf(db, accountId, REQUESTS_MAX)
  const request = requests.find((one) => one.id === requestId)
  if (!request) return noteOutcome(db, id, 'no_request')
  const { requested_by: requestedBy, decision } = request
  const problem = whyNotDecide({ requestedBy, decision }, admin.accountId)
  if (problem !== undefined) return noteOutcome(db, id, `not possible: ${problem}`)
  return boundedBy(db, id, () =>
    decideCredits(db, id, {
      requestId,
      accountId,
      decision: act.act === 'approve' ? 'approved' : 'rejected',
      decidedBy: admin.accountId,
      why: reason,
      actor: actorOf(admin),
      words: STATEMENT_WORDS[request.act === 'grant-credits' ? 'grant' : 'correct'],
    }),
  )
}

/** How history and ledger name an admin. */
function actorOf({ email, role }: Admin): string {
  return `${role}:${email}`.slice(0, 200)
}
