import { z } from 'zod'
import { AccountId, AttemptId } from '@/lib/domain/ids'
import type { Database } from './database'

const Closed = z.object({ outcome: z.enum(['closed', 'no_account', 'has_role']) })

/** Closes the account for good. `has_role`: it acts, or acted, for others, and stays on the record. */
export async function closeAccount(
  db: Database,
  accountId: AccountId,
): Promise<z.infer<typeof Closed>['outcome']> {
  const { rows } = await db.pool.query({
    name: 'close_account',
    text: 'select close_account($1) as outcome',
    values: [accountId],
  })
  return Closed.parse(rows[0]).outcome
}

/** Deleted accounts whose traces are not all removed, the oldest first. */
export async function findOpenErasures(db: Database, limit: number): Promise<readonly AccountId[]> {
  const { rows } = await db.pool.query({
    name: 'find_open_erasures',
    text: `select account_id from account_erasure where finished_at is null
           order by asked_at limit $1`,
    values: [limit],
  })
  return z
    .array(z.object({ account_id: AccountId }))
    .parse(rows)
    .map((row) => row.account_id)
}

/** Attempts of the account that can still be stopped, and that nobody asked to stop. */
export async function findUnstopped(
  db: Database,
  accountId: AccountId,
  limit: number,
): Promise<readonly AttemptId[]> {
  const { rows } = await db.pool.query({
    name: 'find_unstopped',
    text: `select w.attempt_id from attempt_work w
           join attempt a on a.id = w.attempt_id and a.account_id = w.account_id
           where w.account_id = $1 and w.cancel = 'unasked'
             and a.state in ('initializing', 'submitting', 'pending', 'status_unknown')
           order by w.attempt_id limit $2`,
    values: [accountId, limit],
  })
  return z
    .array(z.object({ attempt_id: AttemptId }))
    .parse(rows)
    .map((row) => row.attempt_id)
}

/** Removes the traces of some attempts whose outcome is known. True: there are more of them. */
export async function eraseEnded(
  db: Database,
  accountId: AccountId,
  limit: number,
): Promise<boolean> {
  const { rows } = await db.pool.query({
    name: 'erase_ended',
    text: 'select erase_ended($1, $2) as more',
    values: [accountId, limit],
  })
  return z.object({ more: z.boolean() }).parse(rows[0]).more
}

export async function findErasedFiles(db: Database, limit: number): Promise<readonly string[]> {
  const { rows } = await db.pool.query({
    name: 'find_erased_files',
    text: 'select object_key from erased_file order by queued_at limit $1',
    values: [limit],
  })
  return z
    .array(z.object({ object_key: z.string() }))
    .parse(rows)
    .map((row) => row.object_key)
}

export async function forgetErasedFile(db: Database, objectKey: string): Promise<void> {
  await db.pool.query({
    name: 'forget_erased_file',
    text: 'delete from erased_file where object_key = $1',
    values: [objectKey],
  })
}
