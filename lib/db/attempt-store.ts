import { z } from 'zod'
import {
  AttemptStateName,
  FailureCode,
  ResultRef,
  SettlementKind,
  type AttemptKey,
  type AttemptState,
} from '@/lib/domain/attempt'
import type { StoredImage } from '@/lib/domain/delivery'
import { Settings, type Generation } from '@/lib/domain/generation'
import { AccountId, AttemptId, TaskId, type RequestId } from '@/lib/domain/ids'
import { assertNever, invariant } from '@/lib/domain/invariant'
import type { Decision } from '@/lib/domain/decision'
import type { SubmitOutcome, Usage } from '@/lib/domain/observation'
import type { Database } from './database'
import { keepableJson, keepableText } from './keepable'

// Every write of an attempt is one call of one SQL function (prisma/migrations). Named statements
// are planned once per connection.

const Submitted = z.object({
  outcome: z.enum([
    'recorded',
    'replayed',
    'request_id_reused',
    'insufficient_credits',
    'account_suspended',
    'no_account',
    'address_limit',
    'price_changed',
  ]),
  attempt_id: AttemptId.nullable(),
  available: z.int(),
})
export type Submitted = z.infer<typeof Submitted> | OverSpendingLimit

/** Of the UTC day: what the account set for itself, and what its holds use already. */
type OverSpendingLimit = {
  readonly outcome: 'spending_limit'
  readonly limit: number
  readonly used: number
}

// The database refuses the hold itself, whoever asks for it: nothing of the attempt is kept.
const OverLimitError = z.object({ code: z.literal('DR002'), detail: z.string() })
const OverLimit = z.object({ limit: z.int(), used: z.int() })

/** Where a guest's request came from, as a digest, and how many attempts a day that may bring. */
export type GuestAddress = { readonly addressDigest: Buffer; readonly dailyCap: number }

/** Records the attempt and takes its reservation, or says why not. One round trip. */
export async function submitAttempt(
  db: Database,
  input: {
    readonly key: AttemptKey
    readonly requestId: RequestId
    readonly fingerprint: Buffer
    readonly provider: string
    readonly generation: Generation
    readonly priceCredits: number
    /** No more than this is taken. Undefined where nobody was told a price. */
    readonly quotedCredits: number | undefined
    readonly callbackTokenHash: Buffer
    /** Free images of a day; what is left of them is taken before credits. */
    readonly allowanceLimit: number
    /** For a guest: counted by address besides, and opened with the first attempt. */
    readonly guest: GuestAddress | undefined
    /** The trace that whoever acts on it later joins. */
    readonly traceparent: string | undefined
  },
): Promise<Submitted> {
  try {
    return await submit(db, input)
  } catch (error) {
    const refused = OverLimitError.safeParse(error)
    if (!refused.success) throw error
    return { outcome: 'spending_limit', ...OverLimit.parse(JSON.parse(refused.data.detail)) }
  }
}

async function submit(
  db: Database,
  input: Parameters<typeof submitAttempt>[1],
): Promise<z.infer<typeof Submitted>> {
  const { guest, traceparent } = input
  const common = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11'
  const statement = guest
    ? { name: 'submit_guest', call: `submit_guest_attempt(${common}, $12, $13)`, next: '$14' }
    : { name: 'submit_attempt', call: `submit_attempt(${common}, $12)`, next: '$13' }
  const { name, call, next } = statement
  const { rows } = await db.pool.query({
    ...(traceparent === undefined
      ? { name, text: `select * from ${call}` }
      : {
          name: `${name}_traced`,
          text: `select s.*, case when s.outcome = 'recorded' then keep_trace($2, $1, ${next}) end
                 from ${call} s`,
        }),
    values: [
      input.key.id,
      input.key.accountId,
      input.requestId,
      input.fingerprint,
      input.provider,
      input.generation.model,
      input.generation.prompt,
      JSON.stringify(input.generation.settings),
      input.priceCredits,
      input.callbackTokenHash,
      input.allowanceLimit,
      ...(guest ? [guest.addressDigest, guest.dailyCap] : [input.quotedCredits ?? null]),
      ...(traceparent === undefined ? [] : [traceparent]),
    ],
  })
  return Submitted.parse(rows[0])
}

const ClaimedRow = z.object({
  attempt_id: AttemptId,
  account_id: AccountId,
  epoch: z.string(),
  tries: z.int(),
  version: z.int(),
  state: AttemptStateName,
  provider: z.string(),
  model: z.string(),
  prompt: z.string(),
  settings: Settings,
  task_id: TaskId.nullable(),
  result: ResultRef.nullable(),
  settlement: SettlementKind.nullable(),
  last_kind: z.string(),
  last_evidence: z.record(z.string(), z.unknown()),
  sends: z.int(),
  sending_age_ms: z.number(),
  age_ms: z.number(),
  state_age_ms: z.number(),
  cancel: z.enum(['unasked', 'wanted', 'told']),
})
type ClaimedRow = z.infer<typeof ClaimedRow>

/** An attempt with the exclusive right to act on it until the lease ends. `epoch` fences writes. */
export type ClaimedAttempt = {
  readonly key: AttemptKey
  readonly epoch: string
  readonly version: number
  readonly state: AttemptState
  readonly provider: string
  readonly generation: Generation
  readonly settlement: SettlementKind | null
  readonly tries: number
  readonly sends: number
  readonly sendingAgeMs: number
  readonly lastKind: string
  readonly lastEvidence: Readonly<Record<string, unknown>>
  readonly ageMs: number
  readonly stateAgeMs: number
  /** Its owner's wish to cancel, and whether the provider knows of it. */
  readonly cancel: ClaimedRow['cancel']
}

export async function claimAttempts(
  db: Database,
  limit: number,
  leaseMs: number,
): Promise<readonly ClaimedAttempt[]> {
  const { rows } = await db.pool.query({
    name: 'claim_work',
    text: 'select * from claim_work($1, $2)',
    values: [limit, leaseMs],
  })
  return rows.map((row) => claimedFrom(ClaimedRow.parse(row)))
}

function claimedFrom(row: ClaimedRow): ClaimedAttempt {
  return {
    key: { id: row.attempt_id, accountId: row.account_id },
    epoch: row.epoch,
    version: row.version,
    state: stateFrom({ ...row, failure_code: null, failure_message: null }),
    provider: row.provider,
    generation: { model: row.model, prompt: row.prompt, settings: row.settings },
    settlement: row.settlement,
    tries: row.tries,
    sends: row.sends,
    sendingAgeMs: row.sending_age_ms,
    lastKind: row.last_kind,
    lastEvidence: row.last_evidence,
    ageMs: row.age_ms,
    stateAgeMs: row.state_age_ms,
    cancel: row.cancel,
  }
}

/** What a row says is known of its attempt. Throws where it contradicts itself. */
export function stateFrom(row: {
  readonly state: AttemptStateName
  readonly task_id: TaskId | null
  readonly result: ResultRef | null
  readonly failure_code: string | null
  readonly failure_message: string | null
}): AttemptState {
  const taskId = row.task_id ?? undefined
  switch (row.state) {
    case 'initializing':
    case 'submitting':
      return { state: row.state }
    case 'completed':
      return { state: row.state, taskId }
    case 'pending':
      invariant(taskId !== undefined, 'a pending attempt has a task')
      return { state: row.state, taskId }
    case 'status_unknown':
      return { state: row.state, taskId }
    case 'delivering':
    case 'storage_failed':
      invariant(row.result !== null, 'a delivering attempt has a result')
      return { state: row.state, taskId, result: row.result }
    case 'failed': {
      const code = FailureCode.parse(row.failure_code)
      return { state: row.state, taskId, failure: { code, message: row.failure_message ?? '' } }
    }
    default:
      return assertNever(row.state)
  }
}

/**
 * `fenced`: another worker holds the attempt. `stale`: it changed since the decision. `closed`: its
 * outcome is final. `task_taken`: another attempt has this task. Nothing was written in any of them.
 */
export const WriteOutcome = z.enum(['applied', 'fenced', 'stale', 'closed', 'task_taken'])
export type WriteOutcome = z.infer<typeof WriteOutcome>

const WriteRow = z.object({ outcome: WriteOutcome })

/** Commits the intent: after `applied`, and only then, the one POST may be sent. */
export async function beginSubmission(
  db: Database,
  claimed: Pick<ClaimedAttempt, 'key' | 'epoch' | 'version'>,
  leaseMs: number,
  actor: string,
): Promise<WriteOutcome> {
  const { rows } = await db.pool.query({
    name: 'begin_submission',
    text: 'select begin_submission($1, $2, $3, $4, $5, $6) as outcome',
    values: [claimed.key.accountId, claimed.key.id, claimed.version, claimed.epoch, leaseMs, actor],
  })
  return WriteRow.parse(rows[0]).outcome
}

/** Commits that the same POST is sent again: after `applied`, and only then, it may be. */
export async function beginRepeat(
  db: Database,
  claimed: ClaimedAttempt,
  leaseMs: number,
  actor: string,
): Promise<WriteOutcome> {
  const { rows } = await db.pool.query({
    name: 'begin_repeat',
    text: 'select begin_repeat($1, $2, $3, $4, $5, $6) as outcome',
    values: [claimed.key.accountId, claimed.key.id, claimed.version, claimed.epoch, leaseMs, actor],
  })
  return WriteRow.parse(rows[0]).outcome
}

/** What is known of the newest POST: its outcome and answer, or only what a look said that it cost. */
export type UsageNews = {
  /** Which POST, counting from 1; undefined: the newest. */
  readonly number?: number | undefined
  readonly outcome: SubmitOutcome['kind'] | undefined
  readonly usage: Usage | Pick<Usage, 'cost'>
}

export async function recordUsage(db: Database, key: AttemptKey, news: UsageNews): Promise<void> {
  await db.pool.query({
    name: 'record_usage',
    text: 'select record_usage($1, $2, $3, $4, $5)',
    values: [
      key.accountId,
      key.id,
      news.number ?? null,
      news.outcome ?? null,
      keepableJson(news.usage),
    ],
  })
}

/** Notes the wish to cancel. `closed`: its outcome is final. */
export async function wantCancel(db: Database, key: AttemptKey): Promise<'wanted' | 'closed'> {
  const { rows } = await db.pool.query('select want_cancel($1, $2) as outcome', [
    key.accountId,
    key.id,
  ])
  return z.object({ outcome: z.enum(['wanted', 'closed']) }).parse(rows[0]).outcome
}

/** Notes that the provider was told of the wish. */
export async function toldCancel(
  db: Database,
  { key, epoch }: Pick<ClaimedAttempt, 'key' | 'epoch'>,
): Promise<void> {
  await db.pool.query('select told_cancel($1, $2, $3)', [key.accountId, key.id, epoch])
}

/**
 * Applies a decision made on `version`, and with it what is known of the POST. `epoch` is undefined
 * for evidence, which anyone may bring.
 */
export async function applyDecision(
  db: Database,
  target: {
    readonly key: AttemptKey
    readonly version: number
    readonly epoch: string | undefined
    readonly actor: string
  },
  decision: Extract<Decision, { kind: 'record' }>,
  usage?: UsageNews,
): Promise<WriteOutcome> {
  const image: StoredImage | undefined = decision.image
  const { rows } = await db.pool.query({
    name: 'apply_decision',
    text: `select apply_decision($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
             $17) as outcome, case when $20::jsonb is not null then record_usage($1, $2, $18, $19, $20) end`,
    values: [
      target.key.accountId,
      target.key.id,
      target.version,
      target.epoch ?? null,
      decision.to,
      decision.because,
      target.actor,
      keepableJson(decision.evidence),
      decision.taskId ?? null,
      decision.result ? keepableJson(decision.result) : null,
      decision.failure?.code ?? null,
      decision.failure ? keepableText(decision.failure.message) : null,
      decision.settlement ?? null,
      decision.reason ?? null,
      decision.policyVersion ?? null,
      image ? JSON.stringify(image) : null,
      decision.dueInMs,
      usage?.number ?? null,
      usage?.outcome ?? null,
      usage ? keepableJson(usage.usage) : null,
    ],
  })
  return WriteRow.parse(rows[0]).outcome
}

/** Ends the lease without news. */
export async function deferAttempt(
  db: Database,
  claimed: Pick<ClaimedAttempt, 'key' | 'epoch'>,
  next: {
    readonly dueInMs: number
    readonly looked: boolean
    readonly progress: number | undefined
  },
): Promise<WriteOutcome> {
  const { rows } = await db.pool.query({
    name: 'defer_attempt',
    text: 'select defer_attempt($1, $2, $3, $4, $5, $6) as outcome',
    values: [
      claimed.key.accountId,
      claimed.key.id,
      claimed.epoch,
      next.dueInMs,
      next.looked,
      next.progress ?? null,
    ],
  })
  return WriteRow.parse(rows[0]).outcome
}

/** Makes an open attempt due now, unless somebody is at it. */
export async function wakeAttempt(db: Database, key: AttemptKey): Promise<void> {
  await db.pool.query({
    name: 'wake_attempt',
    text: 'select wake_attempt($1, $2)',
    values: [key.accountId, key.id],
  })
}
