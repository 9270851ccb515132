import type { AttemptKey } from '@/lib/domain/attempt'
import type { Database } from './database'

/** Keeps a callback as received. Answers false for a delivery that was kept before. */
export async function insertCallback(
  db: Database,
  callback: {
    readonly provider: string
    readonly deliveryId: string
    readonly key: AttemptKey
    readonly body: string
  },
): Promise<boolean> {
  const { provider, deliveryId, key, body } = callback
  const { count } = await db.prisma.callback.createMany({
    data: [{ provider, deliveryId, attemptId: key.id, accountId: key.accountId, body }],
    skipDuplicates: true,
  })
  return count === 1
}
