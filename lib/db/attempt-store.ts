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
import type { Decision } from '@/lib/domain/decide'
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
  ]),
  attempt_id: AttemptId.nullable(),
  available: z.int(),
})
export type Submitted = z.infer<typeof Submitted>

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
    readonly callbackTokenHash: Buffer
    /** Free images of a day; what is left of them is taken before credits. */
    readonly allowanceLimit: number
    /** For a guest: counted by address besides, and opened with the first attempt. */
    readonly guest: GuestAddress | undefined
  },
): Promise<Submitted> {
  const { guest } = input
  const common = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11'
  const { rows } = await db.pool.query({
    ...(guest
      ? { name: 'submit_guest', text: `select * from submit_guest_attempt(${common}, $12, $13)` }
      : { name: 'submit_attempt', text: `select * from submit_attempt(${common})` }),
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
      ...(guest ? [guest.addressDigest, guest.dailyCap] : []),
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
}

export async function claimAttempts(
  db: Database,
  limit: number,
  leaseMs: number,
): Promise<readonly ClaimedAttempt[]> {
  const { rows } = await db.pool.query({
    name: 'claim_attempts',
    text: 'select * from claim_attempts($1, $2)',
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
  }
}

function stateFrom(row: {
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
  claimed: ClaimedAttempt,
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

/** Applies a decision made on `version`. `epoch` is undefined for evidence, which anyone may bring. */
export async function applyDecision(
  db: Database,
  target: {
    readonly key: AttemptKey
    readonly version: number
    readonly epoch: string | undefined
    readonly actor: string
  },
  decision: Extract<Decision, { kind: 'record' }>,
): Promise<WriteOutcome> {
  const image: StoredImage | undefined = decision.image
  const { rows } = await db.pool.query({
    name: 'apply_decision',
    text: `select apply_decision($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
           $17) as outcome`,
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

/** The attempt that a request id made, with what it asked for. */
export async function findRequest(
  db: Database,
  accountId: AccountId,
  requestId: RequestId,
): Promise<{ readonly id: AttemptId; readonly fingerprint: Buffer } | undefined> {
  const row = await db.prisma.attempt.findUnique({
    where: { accountId_requestId: { accountId, requestId } },
    select: { id: true, fingerprint: true },
  })
  return row
    ? { id: AttemptId.parse(row.id), fingerprint: Buffer.from(row.fingerprint) }
    : undefined
}

/** An attempt as evidence finds it: without a lease. */
export type KnownAttempt = {
  readonly key: AttemptKey
  readonly provider: string
  readonly version: number
  readonly state: AttemptState
  readonly sends: number
}

export async function findByCallbackToken(
  db: Database,
  callbackTokenHash: Buffer,
): Promise<KnownAttempt | undefined> {
  const row = await db.prisma.attempt.findUnique({
    where: { callbackTokenHash: new Uint8Array(callbackTokenHash) },
    select: KNOWN_COLUMNS,
  })
  return row ? knownFrom(row) : undefined
}

export async function findAttempt(
  db: Database,
  key: AttemptKey,
): Promise<KnownAttempt | undefined> {
  const row = await db.prisma.attempt.findUnique({
    where: { id_accountId: key },
    select: KNOWN_COLUMNS,
  })
  return row ? knownFrom(row) : undefined
}

const KNOWN_COLUMNS = {
  id: true,
  accountId: true,
  provider: true,
  version: true,
  state: true,
  taskId: true,
  result: true,
  failureCode: true,
  failureMessage: true,
  submission: { select: { sends: true } },
} as const

function knownFrom(row: {
  readonly id: string
  readonly accountId: string
  readonly provider: string
  readonly version: number
  readonly state: string
  readonly taskId: string | null
  readonly result: unknown
  readonly failureCode: string | null
  readonly failureMessage: string | null
  readonly submission: { readonly sends: number } | null
}): KnownAttempt {
  return {
    key: { id: AttemptId.parse(row.id), accountId: AccountId.parse(row.accountId) },
    provider: row.provider,
    version: row.version,
    state: stateFrom({
      state: AttemptStateName.parse(row.state),
      task_id: TaskId.nullable().parse(row.taskId),
      result: ResultRef.nullable().parse(row.result),
      failure_code: row.failureCode,
      failure_message: row.failureMessage,
    }),
    sends: row.submission?.sends ?? 0,
  }
}
