import { z } from 'zod'
import { AccountId } from '@/lib/domain/ids'
import type { Database } from './database'

const AccountRow = z.object({
  id: AccountId,
  email: z.string().nullable(),
  role: z.string(),
  status: z.string(),
  available: z.int(),
  held: z.int(),
  spent: z.int(),
  created_at: z.date(),
})
export type AdminAccountRow = Readonly<z.infer<typeof AccountRow>>

const COLUMNS = `a.id, i.email, coalesce(i.role, a.kind) as role, a.status, a.available, a.held,
  a.spent, a.created_at`

/** Users whose address begins so (`user_identity_by_email`), and one more if there are more. */
export async function findAccountsByEmail(
  db: Database,
  begins: string,
  limit: number,
): Promise<readonly AdminAccountRow[]> {
  const { rows } = await db.pool.query(
    `select ${COLUMNS} from user_identity i join account a on a.id = i.account_id
     where i.email like $1 order by i.email using ~<~ limit $2`,
    [`${begins.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`, limit + 1],
  )
  return z.array(AccountRow).parse(rows)
}

const ReviewedRow = AccountRow.extend({ open_sessions: z.int() })

export async function findAccountForReview(db: Database, id: AccountId) {
  const { rows } = await db.pool.query(
    `select ${COLUMNS}, (select count(*)::int from session s
                         where s.account_id = a.id and s.ended_at is null
                           and s.expires_at > app_now()) as open_sessions
     from account a left join user_identity i on i.account_id = a.id
     where a.id = $1`,
    [id],
  )
  return rows.length === 0 ? undefined : ReviewedRow.parse(rows[0])
}
