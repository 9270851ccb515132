import { z } from 'zod'
import { type AccountId, SessionId } from '@/lib/domain/ids'
import type { Database } from './database'

const SessionRow = z.object({
  id: SessionId,
  device: z.string().nullable(),
  created_at: z.date(),
  used_at: z.date(),
})
export type SessionRow = Readonly<z.infer<typeof SessionRow>>

/** The account's sessions that stand, the one used last first. */
export async function findSessions(
  db: Database,
  accountId: AccountId,
  limit: number,
): Promise<readonly SessionRow[]> {
  const { rows } = await db.pool.query({
    name: 'find_sessions',
    text: `select id, device, created_at, coalesce(last_used_at, created_at) as used_at from session
           where account_id = $1 and ended_at is null and expires_at > app_now()
           order by used_at desc, id desc limit $2`,
    values: [accountId, limit],
  })
  return z.array(SessionRow).parse(rows)
}

/** Answers whether the account had it and it stood: another's is as absent as one that never was. */
export async function endSessionOf(
  db: Database,
  accountId: AccountId,
  id: SessionId,
): Promise<boolean> {
  const { rowCount } = await db.pool.query({
    name: 'end_session_of',
    text: `update session set ended_at = app_now()
           where id = $1 and account_id = $2 and ended_at is null`,
    values: [id, accountId],
  })
  return rowCount === 1
}

/** Answers how many ended. */
export async function endOtherSessions(
  db: Database,
  accountId: AccountId,
  kept: SessionId,
): Promise<number> {
  const { rowCount } = await db.pool.query({
    name: 'end_other_sessions',
    text: `update session set ended_at = app_now()
           where account_id = $1 and id <> $2 and ended_at is null and expires_at > app_now()`,
    values: [accountId, kept],
  })
  return rowCount ?? 0
}
