import { z } from 'zod'
import { AttemptStateName, FailureCode, SettlementKind } from '@/lib/domain/attempt'
import { Settings } from '@/lib/domain/generation'
import { AccountId, AttemptId, RequestId } from '@/lib/domain/ids'

/**
 * What a person may see of an attempt, by one statement: hashes and tokens are not among it. The
 * artwork and the work are null together with their ids.
 */
export const ATTEMPT_COLUMNS = `
  a.id, a.account_id, a.request_id, a.provider, a.model, a.prompt, a.settings, a.price,
  a.reserved_credits, a.state, a.version, a.settlement, a.failure_code, a.failure_message, a.task_id,
  a.created_at, a.updated_at,
  w.attempt_id as artwork_of, w.object_key, encode(w.sha256, 'hex') as sha256, w.content_type, w.width,
  w.height, w.size_bytes, w.blur, d.deleted_at,
  k.attempt_id as work_of, k.due_at, k.lease_until, k.tries, k.epoch, k.progress, k.looked_at, k.cancel`

/** Of `attempt a`. */
export const ATTEMPT_JOINS = `
  left join artwork w on w.attempt_id = a.id and w.account_id = a.account_id
  left join deleted_artwork d on d.attempt_id = a.id and d.account_id = a.account_id
  left join attempt_work k on k.attempt_id = a.id and k.account_id = a.account_id`

const Columns = z.object({
  id: AttemptId,
  account_id: AccountId,
  request_id: RequestId,
  provider: z.string(),
  model: z.string(),
  prompt: z.string(),
  settings: Settings,
  price: z.int(),
  reserved_credits: z.int(),
  state: AttemptStateName,
  version: z.int(),
  settlement: SettlementKind.nullable(),
  failure_code: FailureCode.nullable(),
  failure_message: z.string().nullable(),
  task_id: z.string().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
})
const ArtworkColumns = z.object({
  object_key: z.string(),
  /** In hex. */
  sha256: z.string(),
  content_type: z.string(),
  width: z.int(),
  height: z.int(),
  size_bytes: z.int(),
  blur: z.string(),
  deleted_at: z.date().nullable(),
})
const WorkColumns = z.object({
  due_at: z.date(),
  lease_until: z.date().nullable(),
  tries: z.int(),
  epoch: z.string(),
  progress: z.number().nullable(),
  looked_at: z.date().nullable(),
  cancel: z.string(),
})
const Joined = z.object({ artwork_of: AttemptId.nullable(), work_of: AttemptId.nullable() })

/** Rows are parsed once, here: a row that does not fit is a bug, not a guess. */
const AttemptRow = z.unknown().transform((row) => {
  const { artwork_of, work_of } = Joined.parse(row)
  const attempt = Columns.parse(row)
  return {
    id: attempt.id,
    accountId: attempt.account_id,
    requestId: attempt.request_id,
    provider: attempt.provider,
    model: attempt.model,
    prompt: attempt.prompt,
    settings: attempt.settings,
    price: attempt.price,
    reservedCredits: attempt.reserved_credits,
    state: attempt.state,
    version: attempt.version,
    settlement: attempt.settlement,
    failureCode: attempt.failure_code,
    failureMessage: attempt.failure_message,
    taskId: attempt.task_id,
    createdAt: attempt.created_at,
    updatedAt: attempt.updated_at,
    artwork: artwork_of === null ? null : artworkOf(ArtworkColumns.parse(row)),
    work: work_of === null ? null : workOf(WorkColumns.parse(row)),
  }
})
export type AttemptRow = z.infer<typeof AttemptRow>

export const attemptRows = (rows: unknown): readonly AttemptRow[] => z.array(AttemptRow).parse(rows)

const artworkOf = (row: z.infer<typeof ArtworkColumns>) => ({
  objectKey: row.object_key,
  sha256: row.sha256,
  contentType: row.content_type,
  width: row.width,
  height: row.height,
  sizeBytes: row.size_bytes,
  blur: row.blur,
  deletedAt: row.deleted_at,
})

const workOf = (row: z.infer<typeof WorkColumns>) => ({
  dueAt: row.due_at,
  leaseUntil: row.lease_until,
  tries: row.tries,
  epoch: row.epoch,
  progress: row.progress,
  lookedAt: row.looked_at,
  cancel: row.cancel,
})
