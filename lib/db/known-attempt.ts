import {
  AttemptStateName,
  ResultRef,
  type AttemptKey,
  type AttemptState,
} from '@/lib/domain/attempt'
import { Settings, type Generation } from '@/lib/domain/generation'
import { AccountId, AttemptId, TaskId, type RequestId } from '@/lib/domain/ids'
import { stateFrom } from './attempt-store'
import type { Database } from './database'

// Attempts as evidence and replays find them: by what names them, without a lease.

/** The attempt that a request id made, and what it asked for. */
export async function findRequest(
  db: Database,
  accountId: AccountId,
  requestId: RequestId,
): Promise<{ readonly id: AttemptId; readonly generation: Generation } | undefined> {
  const row = await db.prisma.attempt.findUnique({
    where: { accountId_requestId: { accountId, requestId } },
    select: { id: true, model: true, prompt: true, settings: true },
  })
  if (!row) return undefined
  const { model, prompt, settings } = row
  return {
    id: AttemptId.parse(row.id),
    generation: { model, prompt, settings: Settings.parse(settings) },
  }
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

/** Whose task it is, or whose attempt, whoever owns it. */
export async function findAttemptForEvidence(
  db: Database,
  of: { readonly provider: string } & ({ readonly taskId: TaskId } | { readonly id: AttemptId }),
): Promise<AttemptKey | undefined> {
  const row = await db.prisma.attempt.findFirst({
    where: of,
    select: { id: true, accountId: true },
  })
  return row
    ? { id: AttemptId.parse(row.id), accountId: AccountId.parse(row.accountId) }
    : undefined
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
