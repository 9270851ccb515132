import { z } from 'zod'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AccountId, AttemptId, TaskId } from '@/lib/domain/ids'
import type { Database } from './database'
import { keepableText } from './keepable'

/** Takes a provider's models out of offer for a while. */
export async function blockProvider(
  db: Database,
  provider: string,
  reason: string,
  forMs: number,
): Promise<void> {
  await db.pool.query('select block_provider($1, $2, $3)', [provider, keepableText(reason), forMs])
}

export async function unblockProvider(db: Database, provider: string): Promise<void> {
  await db.pool.query('select unblock_provider($1)', [provider])
}

export type ProviderBlock = {
  readonly provider: string
  readonly reason: string
  readonly blockedUntil: Date
}

const BlockRow = z
  .object({ provider: z.string(), reason: z.string(), blocked_until: z.date() })
  .transform((row) => ({
    provider: row.provider,
    reason: row.reason,
    blockedUntil: row.blocked_until,
  }))

/** The providers that are out of offer now. */
export async function readProviderBlocks(db: Database): Promise<readonly ProviderBlock[]> {
  const { rows } = await db.pool.query({
    name: 'provider_blocks',
    text: `select provider, reason, blocked_until from provider_block
           where blocked_until > app_now() order by provider`,
  })
  return rows.map((row) => BlockRow.parse(row))
}

/** A callback that names a task and no attempt. Kept once per delivery. */
export async function insertProjectCallback(
  db: Database,
  callback: {
    readonly provider: string
    readonly deliveryId: string
    readonly taskId: TaskId
    readonly body: string
  },
): Promise<boolean> {
  const { count } = await db.prisma.projectCallback.createMany({
    data: [callback],
    skipDuplicates: true,
  })
  return count === 1
}

export type OpenProjectCallback = {
  readonly provider: string
  readonly deliveryId: string
  readonly taskId: TaskId
  readonly receivedAt: Date
}

export async function findOpenProjectCallbacks(
  db: Database,
  providers: readonly string[],
  limit: number,
): Promise<readonly OpenProjectCallback[]> {
  const rows = await db.prisma.projectCallback.findMany({
    where: { resolvedAt: null, provider: { in: [...providers] } },
    orderBy: { receivedAt: 'asc' },
    take: limit,
    select: { provider: true, deliveryId: true, taskId: true, receivedAt: true },
  })
  return rows.map((row) => ({ ...row, taskId: TaskId.parse(row.taskId) }))
}

export async function closeProjectCallback(
  db: Database,
  { provider, deliveryId }: Pick<OpenProjectCallback, 'provider' | 'deliveryId'>,
): Promise<void> {
  await db.pool.query(
    `update project_callback set resolved_at = app_now()
     where provider = $1 and delivery_id = $2 and resolved_at is null`,
    [provider, deliveryId],
  )
}

export type StrayTask = {
  readonly provider: string
  readonly taskId: TaskId
  readonly key: AttemptKey
  readonly model: string
}

/** Keeps a second task of an attempt, to be stopped. The same one is kept once. */
export async function insertStrayTask(
  db: Database,
  { key, taskId }: Pick<StrayTask, 'key' | 'taskId'>,
): Promise<void> {
  await db.pool.query(
    `insert into stray_task (provider, task_id, attempt_id, account_id)
     select provider, $3, id, account_id from attempt where id = $1 and account_id = $2
     on conflict (provider, task_id) do nothing`,
    [key.id, key.accountId, taskId],
  )
}

export async function findOpenStrayTasks(
  db: Database,
  providers: readonly string[],
  limit: number,
): Promise<readonly StrayTask[]> {
  const rows = await db.prisma.strayTask.findMany({
    where: { toldAt: null, provider: { in: [...providers] } },
    orderBy: { foundAt: 'asc' },
    take: limit,
    select: {
      provider: true,
      taskId: true,
      attemptId: true,
      accountId: true,
      attempt: { select: { model: true } },
    },
  })
  return rows.map((row) => ({
    provider: row.provider,
    taskId: TaskId.parse(row.taskId),
    key: { id: AttemptId.parse(row.attemptId), accountId: AccountId.parse(row.accountId) },
    model: row.attempt.model,
  }))
}

export async function closeStrayTask(
  db: Database,
  { provider, taskId }: Pick<StrayTask, 'provider' | 'taskId'>,
  outcome: 'cancelled' | 'asked' | 'too-late' | 'no-way',
): Promise<void> {
  await db.pool.query(
    `update stray_task set outcome = $3, told_at = app_now()
     where provider = $1 and task_id = $2 and told_at is null`,
    [provider, taskId, outcome],
  )
}
