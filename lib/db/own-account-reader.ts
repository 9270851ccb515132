import { z } from 'zod'
import type { AccountId } from '@/lib/domain/ids'
import type { Database } from './database'

const AllowanceRow = z.object({
  day: z.string(),
  unit_limit: z.int(),
  held: z.int(),
  delivered: z.int(),
})

/** Every UTC day on which the account used free images, oldest first. */
export async function findAllowanceDays(db: Database, accountId: AccountId) {
  const { rows } = await db.pool.query({
    name: 'find_allowance_days',
    text: `select day::text, unit_limit, held, delivered from allowance_day
           where account_id = $1 order by day`,
    values: [accountId],
  })
  return z.array(AllowanceRow).readonly().parse(rows)
}

const ShareRow = z.object({
  attempt_id: z.uuid(),
  shows_prompt: z.boolean(),
  created_at: z.date(),
  withdrawn_at: z.date().nullable(),
})

/** Every link under which a picture of the account is or was shown, oldest first. */
export async function findAllShares(db: Database, accountId: AccountId) {
  const { rows } = await db.pool.query({
    name: 'find_all_shares',
    text: `select s.attempt_id, s.shows_prompt, s.created_at, s.withdrawn_at
           from attempt a join share s on s.attempt_id = a.id and s.account_id = a.account_id
           where a.account_id = $1 order by s.created_at`,
    values: [accountId],
  })
  return z.array(ShareRow).readonly().parse(rows)
}

const ReferenceRow = z.object({
  sha256: z.string(),
  content_type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  created_at: z.date(),
})

export async function findAllReferenceImages(db: Database, accountId: AccountId) {
  const { rows } = await db.pool.query({
    name: 'find_all_reference_images',
    text: `select encode(sha256, 'hex') as sha256, content_type, created_at from reference_image
           where account_id = $1 order by created_at, sha256`,
    values: [accountId],
  })
  return z.array(ReferenceRow).readonly().parse(rows)
}

const FavouriteRow = z.object({ attempt_id: z.uuid() })

export async function findAllFavourites(db: Database, accountId: AccountId) {
  const { rows } = await db.pool.query({
    name: 'find_all_favourites',
    text: 'select attempt_id from favourite where account_id = $1 order by attempt_id',
    values: [accountId],
  })
  return z
    .array(FavouriteRow)
    .parse(rows)
    .map((row) => row.attempt_id)
}

const Counts = z.object({ attempts: z.int(), images: z.int(), open: z.int() }).readonly()

/** All attempts, the pictures among them that were not deleted, and those whose outcome is open. */
export async function countAttempts(
  db: Database,
  accountId: AccountId,
): Promise<z.infer<typeof Counts>> {
  const { rows } = await db.pool.query({
    name: 'count_attempts',
    text: `select count(*)::int as attempts,
                  count(*) filter (where a.state = 'completed' and d.attempt_id is null)::int as images,
                  count(*) filter (where a.state not in ('completed', 'failed'))::int as open
           from attempt a
           left join deleted_artwork d on d.attempt_id = a.id and d.account_id = a.account_id
           where a.account_id = $1`,
    values: [accountId],
  })
  return Counts.parse(rows[0])
}
