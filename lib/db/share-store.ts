import { z } from 'zod'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AccountId, AttemptId } from '@/lib/domain/ids'
import type { Database } from './database'

const ShareRow = z.object({ id: z.uuid(), shows_prompt: z.boolean(), created_at: z.date() })
export type ShareRow = Readonly<z.infer<typeof ShareRow>>

/** The picture's one link that is not withdrawn, or undefined. */
export async function findShare(db: Database, key: AttemptKey): Promise<ShareRow | undefined> {
  const { rows } = await db.pool.query({
    name: 'find_share',
    text: `select id, shows_prompt, created_at from share
           where attempt_id = $1 and account_id = $2 and withdrawn_at is null`,
    values: [key.id, key.accountId],
  })
  return rows.length === 0 ? undefined : ShareRow.parse(rows[0])
}

/** Makes the picture's link, or changes what its link shows. False: there is no such picture. */
export async function sharePicture(
  db: Database,
  key: AttemptKey,
  share: { readonly id: string; readonly tokenHash: Buffer; readonly showsPrompt: boolean },
): Promise<boolean> {
  const { rows } = await db.pool.query({
    name: 'share_picture',
    text: 'select share_picture($1, $2, $3, $4, $5) as id',
    values: [share.id, key.accountId, key.id, share.tokenHash, share.showsPrompt],
  })
  return z.object({ id: z.uuid().nullable() }).parse(rows[0]).id !== null
}

export async function withdrawShare(db: Database, key: AttemptKey): Promise<void> {
  await db.pool.query({
    name: 'withdraw_share',
    text: 'select withdraw_share($1, $2)',
    values: [key.accountId, key.id],
  })
}

const SharedPicture = z.object({
  attempt_id: AttemptId,
  account_id: AccountId,
  prompt: z.string().nullable(),
})

/** Which picture a link shows: undefined when it is withdrawn, deleted, or of a suspended account. */
export async function findShared(
  db: Database,
  tokenHash: Buffer,
): Promise<{ readonly key: AttemptKey; readonly prompt: string | undefined } | undefined> {
  const { rows } = await db.pool.query({
    name: 'find_shared',
    text: `select s.attempt_id, s.account_id, case when s.shows_prompt then a.prompt end as prompt
           from share s
           join attempt a on a.id = s.attempt_id and a.account_id = s.account_id
           join account o on o.id = s.account_id and o.status = 'active'
           where s.token_hash = $1 and s.withdrawn_at is null
             and not exists (select from deleted_artwork d
                             where d.attempt_id = s.attempt_id and d.account_id = s.account_id)`,
    values: [tokenHash],
  })
  if (rows.length === 0) return undefined
  const row = SharedPicture.parse(rows[0])
  return {
    key: { id: row.attempt_id, accountId: row.account_id },
    prompt: row.prompt ?? undefined,
  }
}
