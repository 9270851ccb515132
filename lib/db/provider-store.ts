import { z } from 'zod'
import { TaskId } from '@/lib/domain/ids'
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
    select: { provider: true, deliveryId: true, taskId: true },
  })
  return rows.map((row) => ({ ...row, taskId: TaskId.parse(row.taskId) }))
}

export async function closeProjectCallback(
  db: Database,
  { provider, deliveryId }: OpenProjectCallback,
): Promise<void> {
  await db.pool.query(
    `update project_callback set resolved_at = app_now()
     where provider = $1 and delivery_id = $2 and resolved_at is null`,
    [provider, deliveryId],
  )
}
