import {
  findAttemptForReview,
  findEvents,
  findOpenAttempts,
  findUsage,
  type UsageRow,
} from '@/lib/db/attempt-reader'
import { mayReadPrompts } from '@/lib/db/admin-log-reader'
import { findAttempt } from '@/lib/db/known-attempt'
import { AttemptStateName, statusWordOf } from '@/lib/domain/attempt'
import { AttemptId } from '@/lib/domain/ids'
import { invariant } from '@/lib/domain/invariant'
import { reviewActs, whyNot } from '@/lib/domain/operator-act'
import type { AdminReviewView } from '@/lib/web/admin-views'
import type { AttemptReviewView, OpenAttemptView, Page, UsageView } from '@/lib/web/views'
import type { Deps } from './deps'
import { evidenceLine } from './history-words'
import type { Admin } from './perform-admin-act'
import { detailView } from './read-attempts'

/** The queue: every attempt whose outcome is open, oldest first. */
export async function listOpenAttempts(
  deps: Deps,
  page: {
    readonly cursor?: string | undefined
    readonly limit: number
    readonly state?: string | undefined
  },
): Promise<Page<OpenAttemptView>> {
  const rows = await findOpenAttempts(deps.db, {
    newerThan: AttemptId.safeParse(page.cursor).data,
    state: AttemptStateName.safeParse(page.state).data,
    limit: page.limit,
  })
  const data = rows.slice(0, page.limit).map(({ attempt, email, lastKind }): OpenAttemptView => {
    invariant(attempt.work !== null, 'an open attempt has its work row')
    return {
      id: attempt.id,
      state: attempt.state,
      status: statusWordOf(attempt.state),
      provider: attempt.provider,
      model: attempt.model,
      account_email: email,
      held: attempt.settlement === null ? attempt.reservedCredits : 0,
      settlement: attempt.settlement,
      task_id: attempt.taskId,
      created_at: attempt.createdAt.toISOString(),
      updated_at: attempt.updatedAt.toISOString(),
      due_at: attempt.work.dueAt.toISOString(),
      last_kind: lastKind,
    }
  })
  return { data, next_cursor: rows.length > page.limit ? (data.at(-1)?.id ?? null) : null }
}

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
  const [detail, events, usage] = await Promise.all([
    detailView(deps, attempt),
    findEvents(deps.db, attemptId),
    findUsage(deps.db, attemptId),
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
      epoch: attempt.work.epoch.toString(),
    },
    submission: submission && {
      sends: submission.sends,
      first_sent_at: submission.firstSentAt.toISOString(),
      last_sent_at: submission.lastSentAt.toISOString(),
    },
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
  if (admin.role !== 'admin' || !attemptId) return undefined
  // The version is read before what is shown: an act on something newer than that is refused.
  const row = (await findAttemptForReview(deps.db, attemptId))?.attempt
  const known = row && (await findAttempt(deps.db, { id: row.id, accountId: row.accountId }))
  if (!row || !known) return undefined
  const [review, showsPrompt] = await Promise.all([
    readAttemptForReview(deps, row.id),
    mayReadPrompts(deps.db, admin.accountId, row.accountId),
  ])
  if (!review) return undefined
  const standing = { state: known.state, settlement: row.settlement }
  return {
    ...review,
    attempt: showsPrompt ? review.attempt : { ...review.attempt, prompt: '' },
    entries: review.entries.map((entry) => ({ ...entry, prompt: null })),
    version: row.version,
    acts: reviewActs.map((act) => ({ act, why_not: whyNot(standing, act) ?? null })),
    shows_prompt: showsPrompt,
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
