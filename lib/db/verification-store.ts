import { z } from 'zod'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AccountId, AttemptId, TaskId } from '@/lib/domain/ids'
import {
  verificationOutcomes,
  verifiedActs,
  type VerificationOutcome,
} from '@/lib/domain/verification'
import type { Database } from './database'
import { keepableText } from './keepable'

const Row = z.object({
  id: z.uuid(),
  attempt_id: AttemptId,
  account_id: AccountId,
  provider: z.string(),
  act: z.enum(verifiedActs),
  task_id: TaskId.nullable(),
  sha256: z.instanceof(Buffer).nullable(),
  actor: z.string(),
  reason: z.string(),
  tries: z.int(),
  asked_at: z.date(),
  outcome: z.enum(verificationOutcomes).nullable(),
  found: z.string().nullable(),
  ended_at: z.date().nullable(),
})

export type Verification = ReturnType<typeof verificationFrom>

function verificationFrom(row: unknown) {
  const { attempt_id: id, account_id: accountId, task_id: taskId, sha256, ...rest } = Row.parse(row)
  const key: AttemptKey = { id, accountId }
  return {
    ...rest,
    key,
    taskId: taskId ?? undefined,
    sha256: sha256?.toString('hex'),
  }
}

const Asked = z.object({
  outcome: z.enum(['asked', 'being_verified', 'task_taken', 'stale', 'closed']),
})

/** As `askVerification` of admins, for an operator who has no account here. Nothing is believed yet. */
export async function askToVerifyTask(
  db: Database,
  id: string,
  target: { readonly key: AttemptKey; readonly version: number; readonly actor: string },
  said: { readonly taskId: TaskId; readonly reason: string },
): Promise<z.infer<typeof Asked>['outcome']> {
  const { key, version, actor } = target
  const { rows } = await db.pool.query(
    `select ask_verification($1, $2, $3, $4, 'attach-task', $5, null, $6, $7) as outcome`,
    [id, key.accountId, key.id, version, said.taskId, actor, said.reason],
  )
  return Asked.parse(rows[0]).outcome
}

/** Gives those that are due to the caller. What it does not end comes again later. */
export async function claimVerifications(
  db: Database,
  providers: readonly string[],
  limit: number,
): Promise<readonly Verification[]> {
  const { rows } = await db.pool.query('select * from claim_verifications($1, $2)', [
    providers,
    limit,
  ])
  return rows.map(verificationFrom)
}

export async function endVerification(
  db: Database,
  { id, key }: Pick<Verification, 'id' | 'key'>,
  end: {
    readonly outcome: VerificationOutcome
    readonly found: string
    readonly taskId?: TaskId | undefined
  },
): Promise<void> {
  await db.pool.query('select end_verification($1, $2, $3, $4, $5)', [
    id,
    key.accountId,
    end.outcome,
    keepableText(end.found).slice(0, 1_000) || 'Nothing was said.',
    end.taskId ?? null,
  ])
}

/** The newest first. */
export async function findVerifications(
  db: Database,
  { id, accountId }: AttemptKey,
  limit: number,
): Promise<readonly Verification[]> {
  const { rows } = await db.pool.query(
    `select * from verification where attempt_id = $1 and account_id = $2
     order by asked_at desc limit $3`,
    [id, accountId, limit],
  )
  return rows.map(verificationFrom)
}

const Capabilities = z.object({
  answers: z.enum(['at-once', 'later']),
  idempotentForMs: z.number().optional(),
  lookup: z.object({ by: z.enum(['reference', 'list']), forMs: z.number().nullable() }).optional(),
  callback: z.enum(['attempt', 'project']).optional(),
  cancel: z.enum(['confirmed', 'asked']).optional(),
  resultForMs: z.number().optional(),
})
export type DeclaredCapabilities = Readonly<z.infer<typeof Capabilities>>

/** What a worker's adapters can prove, for those who hold no adapter. */
export async function declareCapabilities(
  db: Database,
  models: readonly {
    readonly model: string
    readonly provider: string
    readonly capabilities: object
  }[],
): Promise<void> {
  await db.pool.query(
    `insert into provider_capability (model, provider, capabilities)
     select model, provider, capabilities
     from jsonb_to_recordset($1) as r (model text, provider text, capabilities jsonb)
     on conflict (model) do update
     set provider = excluded.provider, capabilities = excluded.capabilities, declared_at = app_now()`,
    [JSON.stringify(models)],
  )
}

/** Undefined: no worker has said so yet. */
export async function findCapabilities(
  db: Database,
  model: string,
): Promise<DeclaredCapabilities | undefined> {
  const { rows } = await db.pool.query<{ capabilities: unknown }>(
    'select capabilities from provider_capability where model = $1',
    [model],
  )
  return rows[0] && Capabilities.parse(rows[0].capabilities)
}
