import { findAttemptForReview, findEvents, findUsage, type UsageRow } from '@/lib/db/attempt-reader'
import { mayReadPrompts } from '@/lib/db/admin-log-reader'
import { findAttempt } from '@/lib/db/known-attempt'
import { findCapabilities, findVerifications, type Verification } from '@/lib/db/verification-store'
import { AttemptId } from '@/lib/domain/ids'
import { reviewActs, whyNot } from '@/lib/domain/operator-act'
import { mayReview } from '@/lib/domain/role'
import type { AdminReviewView } from '@/lib/web/admin-views'
import type { AttemptReviewView, UsageView, VerificationView } from '@/lib/web/views'
import type { Deps } from './deps'
import { evidenceLine } from './history-lines'
import type { Admin } from './perform-admin-act'
import { detailView, readImage, type ImageToShow } from './read-attempts'

const VERIFICATIONS_SHOWN_MAX = 10

/** Everything known of one attempt, with all its evidence. */
export async function readAttemptForReview(
  deps: Deps,
  id: string,
): Promise<AttemptReviewView | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  if (!attemptId) return undefined
  const found = await findAttemptForReview(deps.db, attemptId)
  if (!found) return undefined
  const { attempt, submission, email } = found
  const key = { id: attemptId, accountId: attempt.accountId }
  const [detail, events, usage, verifications] = await Promise.all([
    detailView(deps, attempt),
    findEvents(deps.db, attemptId),
    findUsage(deps.db, attemptId),
    findVerifications(deps.db, key, VERIFICATIONS_SHOWN_MAX),
  ])
  return {
    ...detail,
    account_email: email,
    account_id: attempt.accountId,
    provider: attempt.provider,
    task_id: attempt.taskId,
    evidence: events.map(evidenceLine),
    usage: usage.map(usageView),
    work: attempt.work && {
      due_at: attempt.work.dueAt.toISOString(),
      lease_until: attempt.work.leaseUntil?.toISOString() ?? null,
      tries: attempt.work.tries,
      epoch: attempt.work.epoch,
    },
    submission: submission && {
      sends: submission.sends,
      first_sent_at: submission.firstSentAt.toISOString(),
      last_sent_at: submission.lastSentAt.toISOString(),
    },
    verifications: verifications.map(verificationView),
  }
}

/**
 * The same for an admin's eyes: with what can be done about it, and without what the person wrote
 * unless a reason to read that was recorded.
 */
export async function reviewForAdmin(
  deps: Deps,
  admin: Admin,
  id: string,
): Promise<AdminReviewView | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  if (!mayReview(admin.role) || !attemptId) return undefined
  // The version is read before what is shown: an act on something newer than that is refused.
  const row = (await findAttemptForReview(deps.db, attemptId))?.attempt
  const known = row && (await findAttempt(deps.db, { id: row.id, accountId: row.accountId }))
  if (!row || !known) return undefined
  const [review, showsPrompt, capabilities] = await Promise.all([
    readAttemptForReview(deps, row.id),
    mayReadPrompts(deps.db, admin.accountId, row.accountId),
    findCapabilities(deps.db, row.model),
  ])
  if (!review) return undefined
  const standing = {
    state: known.state,
    settlement: row.settlement,
    canLookUp: capabilities && capabilities.lookup !== undefined,
  }
  return {
    ...review,
    attempt: showsPrompt ? review.attempt : { ...review.attempt, prompt: '' },
    entries: review.entries.map((entry) => ({ ...entry, prompt: null })),
    version: row.version,
    acts: reviewActs.map((act) => ({ act, why_not: whyNot(standing, act) ?? null })),
    shows_prompt: showsPrompt,
    viewer: admin.role,
    capabilities: capabilities ?? null,
  }
}

/** The delivered image of an account whose private things this admin may look at for the hour. */
export async function readPrivateImage(
  deps: Deps,
  admin: Admin,
  id: string,
): Promise<ImageToShow | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  if (!mayReview(admin.role) || !attemptId) return undefined
  const accountId = (await findAttemptForReview(deps.db, attemptId))?.attempt.accountId
  if (!accountId || !(await mayReadPrompts(deps.db, admin.accountId, accountId))) return undefined
  return readImage(deps, accountId, attemptId)
}

function verificationView({
  id,
  act,
  taskId,
  actor,
  outcome,
  found,
  ...row
}: Verification): VerificationView {
  return {
    id,
    act,
    task_id: taskId ?? null,
    actor,
    outcome,
    found,
    asked_at: row.asked_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

function usageView({ costAmount, costUnit, ...row }: UsageRow): UsageView {
  return {
    number: row.number,
    kind: row.kind,
    sent_at: row.sentAt.toISOString(),
    outcome: row.outcome,
    answered_at: row.answeredAt?.toISOString() ?? null,
    address: row.address,
    request_sha256: row.requestSha256,
    request_bytes: row.requestBytes,
    http_status: row.httpStatus,
    provider_request_id: row.providerRequestId,
    cost: costAmount === null || costUnit === null ? null : { amount: costAmount, unit: costUnit },
  }
}
