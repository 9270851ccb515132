import type { AttemptKey } from '@/lib/domain/attempt'
import type { Database } from './database'

/** The `traceparent` of its submission; undefined where nobody followed it. */
export async function findTraceparent(db: Database, key: AttemptKey): Promise<string | undefined> {
  const row = await db.prisma.attemptTrace.findUnique({
    where: { attemptId_accountId: { attemptId: key.id, accountId: key.accountId } },
    select: { traceparent: true },
  })
  return row?.traceparent
}
