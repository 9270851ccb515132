import { z } from 'zod'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AccountId, AttemptId } from '@/lib/domain/ids'
import type { Database } from './database'
import { keepableJson, keepableText } from './keepable'

/** Makes the policy in force this one, and answers its version. Undefined switches it off. */
export async function declareCompensationPolicy(
  db: Database,
  afterMs: number | undefined,
  actor: string,
): Promise<number> {
  const { rows } = await db.pool.query('select declare_compensation_policy($1, $2) as version', [
    afterMs ?? null,
    actor,
  ])
  return z.object({ version: z.int() }).parse(rows[0]).version
}

/** Keeps a contradiction for a person to look at; the same one is kept once. */
export async function insertAnomaly(
  db: Database,
  anomaly: {
    readonly id: string
    readonly key: AttemptKey
    readonly kind: string
    readonly detail: string
    readonly evidence: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const { id, key, kind, detail, evidence } = anomaly
  await db.pool.query(
    `insert into anomaly (id, kind, attempt_id, account_id, detail, evidence)
     values ($1, $2, $3, $4, $5, $6)
     on conflict on constraint anomaly_once do nothing`,
    [id, kind, key.id, key.accountId, keepableText(detail), keepableJson(evidence)],
  )
}

/** `full`: the spool's bound is reached, and nothing was kept. */
export async function spoolResult(
  db: Database,
  key: AttemptKey,
  bytes: Buffer,
  rowsMax: number,
): Promise<'kept' | 'full'> {
  const { rows } = await db.pool.query('select spool_result($1, $2, $3, $4) as outcome', [
    key.accountId,
    key.id,
    bytes,
    rowsMax,
  ])
  return z.object({ outcome: z.enum(['kept', 'full']) }).parse(rows[0]).outcome
}

export async function findSpooled(db: Database, key: AttemptKey): Promise<Buffer | undefined> {
  const row = await db.prisma.spool.findUnique({
    where: { attemptId_accountId: { attemptId: key.id, accountId: key.accountId } },
    select: { bytes: true },
  })
  return row ? Buffer.from(row.bytes) : undefined
}

const UnsentRow = z.object({
  id: AttemptId,
  account_id: AccountId,
  version: z.int(),
  epoch: z.string(),
})

/** Attempts that are recorded and, as far as this database knows, were sent nowhere. */
export async function findUnsent(
  db: Database,
): Promise<
  readonly { readonly key: AttemptKey; readonly version: number; readonly epoch: string }[]
> {
  const { rows } = await db.pool.query(
    `select a.id, a.account_id, a.version, w.epoch
     from attempt_work w join attempt a on a.id = w.attempt_id and a.account_id = w.account_id
     where a.state = 'initializing' order by a.id`,
  )
  return z
    .array(UnsentRow)
    .parse(rows)
    .map(({ id, account_id: accountId, version, epoch }) => ({
      key: { id, accountId },
      version,
      epoch,
    }))
}
