import { z } from 'zod'
import { AccountId } from '@/lib/domain/ids'
import type { Database } from './database'

export const ApiKeyRow = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: z.date(),
  last_used_at: z.date().nullable(),
  revoked_at: z.date().nullable(),
})
export type ApiKeyRow = Readonly<z.infer<typeof ApiKeyRow>>

const COLUMNS = 'id, name, created_at, last_used_at, revoked_at'

/**
 * Keeps a new key, or answers undefined when the account has `activeMax` already. Two that come at
 * the same moment may pass that bound by one: it keeps the list short and protects nothing.
 */
export async function insertApiKey(
  db: Database,
  key: {
    readonly id: string
    readonly accountId: AccountId
    readonly name: string
    readonly hash: Buffer
    readonly activeMax: number
  },
): Promise<ApiKeyRow | undefined> {
  const { rows } = await db.pool.query({
    name: 'insert_api_key',
    text: `insert into api_key (id, account_id, name, hash)
           select $1, $2, $3, $4
           where (select count(*) from api_key where account_id = $2 and revoked_at is null) < $5::int
           returning ${COLUMNS}`,
    values: [key.id, key.accountId, key.name, key.hash, key.activeMax],
  })
  return rows.length === 0 ? undefined : ApiKeyRow.parse(rows[0])
}

/** Newest first, the revoked ones too. */
export async function findApiKeys(
  db: Database,
  accountId: AccountId,
  limit: number,
): Promise<readonly ApiKeyRow[]> {
  const { rows } = await db.pool.query({
    name: 'find_api_keys',
    text: `select ${COLUMNS} from api_key where account_id = $1 order by id desc limit $2`,
    values: [accountId, limit],
  })
  return z.array(ApiKeyRow).parse(rows)
}

/** Answers the key as it is now, or undefined when the account has none of this id. */
export async function endApiKey(
  db: Database,
  accountId: AccountId,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const { rows } = await db.pool.query({
    name: 'end_api_key',
    text: `update api_key set revoked_at = coalesce(revoked_at, app_now())
           where id = $1 and account_id = $2 returning ${COLUMNS}`,
    values: [id, accountId],
  })
  return rows.length === 0 ? undefined : ApiKeyRow.parse(rows[0])
}

const OwnerRow = z.object({ account_id: AccountId })

/**
 * Whose key this is: undefined when it is nobody's, revoked, or its account is suspended. Its last
 * use is written at most once a minute, so that a busy program does not turn every read into a write.
 */
export async function findKeyHolder(db: Database, hash: Buffer): Promise<AccountId | undefined> {
  const { rows } = await db.pool.query({
    name: 'find_key_holder',
    // The age is asked of the row itself: whoever waited for a concurrent write asks it again.
    text: `with holder as (
             select k.id, k.account_id
             from api_key k join account a on a.id = k.account_id and a.status = 'active'
             where k.hash = $1 and k.revoked_at is null
           ), used as (
             update api_key k set last_used_at = app_now()
             from holder h
             where k.id = h.id and k.account_id = h.account_id
               and (k.last_used_at is null or k.last_used_at < app_now() - interval '1 minute')
           )
           select account_id from holder`,
    values: [hash],
  })
  return rows.length === 0 ? undefined : OwnerRow.parse(rows[0]).account_id
}
