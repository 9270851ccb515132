import { z } from 'zod'
import type { AdminActName } from '@/lib/domain/admin-act'
import type { AttemptKey } from '@/lib/domain/attempt'
import type { Decision } from '@/lib/domain/decision'
import type { AccountId, TaskId } from '@/lib/domain/ids'
import type { VerifiedAct } from '@/lib/domain/verification'
import type { Database } from './database'
import { keepableJson, keepableText } from './keepable'

// Each act is asked for in the log first, and then done in the same statement that writes what came
// of it. So it is done once, however often it is asked for: who comes second waits, and reads that.

const Begun = z.object({
  outcome: z.enum(['begun', 'known', 'key_reused', 'not_admin']),
  done: z.string().nullable(),
})
export type BegunAct = Readonly<z.infer<typeof Begun>>

export async function beginAdminAct(
  db: Database,
  asked: {
    readonly id: string
    readonly actorId: AccountId
    readonly act: AdminActName
    readonly subject: string
    readonly detail: Readonly<Record<string, string | number>>
    readonly reason: string
  },
): Promise<BegunAct> {
  const { rows } = await db.pool.query({
    name: 'begin_admin_act',
    text: 'select * from begin_admin_act($1, $2, $3, $4, $5, $6)',
    values: [
      asked.id,
      asked.actorId,
      asked.act,
      asked.subject,
      keepableJson(asked.detail),
      asked.reason,
    ],
  })
  return Begun.parse(rows[0])
}

const Finished = z.object({ outcome: z.string() })

/** `call` is an SQL expression of ours that does the act; its parameters begin at $2. */
async function finish(
  db: Database,
  id: string,
  call: string,
  values: readonly unknown[],
): Promise<string> {
  const { rows } = await db.pool.query(
    `select coalesce(lock_admin_act($1), finish_admin_act($1, ${call})) as outcome`,
    [id, ...values],
  )
  return Finished.parse(rows[0]).outcome
}

/** Nothing was done, or nothing is to be done but to say so. */
export const noteOutcome = (db: Database, id: string, outcome: string) =>
  finish(db, id, '$2::text', [outcome])

export const wakeForAdmin = (db: Database, id: string, key: AttemptKey, version: number) =>
  finish(db, id, 'wake_attempt_at($2, $3, $4)', [key.accountId, key.id, version])

/** Nothing is believed yet: a worker makes sure of it. */
export const askVerification = (
  db: Database,
  id: string,
  target: { readonly key: AttemptKey; readonly version: number; readonly actor: string },
  said: {
    readonly act: VerifiedAct
    readonly reason: string
    readonly taskId: TaskId | undefined
    readonly sha256: string | undefined
  },
) =>
  finish(db, id, `ask_verification($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8, $9)`, [
    target.key.accountId,
    target.key.id,
    target.version,
    said.act,
    said.taskId ?? null,
    said.sha256 ?? null,
    target.actor,
    said.reason,
  ])

export const liftProviderBlock = (db: Database, id: string, provider: string) =>
  finish(db, id, 'lift_provider_block($2)', [provider])

export const setAccountStatus = (
  db: Database,
  id: string,
  accountId: AccountId,
  status: 'active' | 'suspended',
) => finish(db, id, 'set_account_status($2, $3)', [accountId, status])

export const endSessionsOf = (db: Database, id: string, accountId: AccountId) =>
  finish(db, id, 'end_sessions($2)', [accountId])

/** `reason` is what the account reads in its statement; the admin's own is in the log. */
export const changeCredits = (
  db: Database,
  id: string,
  change: {
    readonly kind: 'grant' | 'correct'
    readonly accountId: AccountId
    readonly credits: number
    readonly actor: string
    readonly reason: string
  },
) =>
  finish(
    db,
    id,
    change.kind === 'grant'
      ? 'grant_credits($2, $3, $4, $5, $6)'
      : 'correct_credits($2, $3, $4, $5, $6)',
    [change.accountId, change.credits, `admin:${id}`, change.actor, change.reason],
  )

/** Waits for another admin: nothing moves. */
export const requestCredits = (
  db: Database,
  id: string,
  request: {
    readonly accountId: AccountId
    readonly act: 'grant-credits' | 'correct-credits'
    readonly credits: number
    readonly requestedBy: AccountId
    readonly reason: string
  },
) =>
  finish(db, id, 'request_credits($1, $2, $3, $4, $5, $6)', [
    request.accountId,
    request.act,
    request.credits,
    request.requestedBy,
    request.reason,
  ])

/** Decides about a request, once and by another than asked for it, and moves its credits if agreed. */
export const decideCredits = (
  db: Database,
  id: string,
  decision: {
    readonly requestId: string
    readonly accountId: AccountId
    readonly decision: 'approved' | 'rejected'
    readonly decidedBy: AccountId
    readonly why: string
    readonly actor: string
    readonly words: string
  },
) =>
  finish(db, id, 'decide_credits($2, $3, $4, $5, $6, $7, $8)', [
    decision.requestId,
    decision.accountId,
    decision.decision,
    decision.decidedBy,
    decision.why,
    decision.actor,
    decision.words,
  ])

/** What was decided on this version, by a person: evidence, which needs no lease. */
export const decideForAdmin = (
  db: Database,
  id: string,
  target: { readonly key: AttemptKey; readonly version: number; readonly actor: string },
  decision: Extract<Decision, { kind: 'record' }>,
) =>
  finish(
    db,
    id,
    `apply_decision($2, $3, $4, null, $5, $6, $7, $8, $9, null, $10, $11, $12, $13, null, null, $14)`,
    [
      target.key.accountId,
      target.key.id,
      target.version,
      decision.to,
      decision.because,
      target.actor,
      keepableJson(decision.evidence),
      decision.taskId ?? null,
      decision.failure?.code ?? null,
      decision.failure ? keepableText(decision.failure.message) : null,
      decision.settlement ?? null,
      decision.reason ?? null,
      decision.dueInMs,
    ],
  )
