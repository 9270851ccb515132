import { z } from 'zod'
import type { AccountId } from '@/lib/domain/ids'
import type { Database } from './database'

const Row = z.object({ prompt: z.string() })

/** The account's prompts, the latest used first and each once, out of its newest attempts. */
export async function findPrompts(
  db: Database,
  accountId: AccountId,
  bounds: { readonly attempts: number; readonly prompts: number },
): Promise<readonly string[]> {
  const { rows } = await db.pool.query(
    `select prompt from (
       select prompt, created_at from attempt where account_id = $1 order by id desc limit $2
     ) newest
     group by prompt order by max(created_at) desc, prompt limit $3`,
    [accountId, bounds.attempts, bounds.prompts],
  )
  return z
    .array(Row)
    .parse(rows)
    .map(({ prompt }) => prompt)
}
