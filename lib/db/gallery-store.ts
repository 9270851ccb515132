import { z } from 'zod'
import type { AttemptKey } from '@/lib/domain/attempt'
import { statesShown, searchPatterns, type GalleryQuery } from '@/lib/domain/gallery'
import { AccountId, AttemptId } from '@/lib/domain/ids'
import type { Database } from './database'

const ListedPicture = z.object({ id: AttemptId, favourite: z.boolean() })
export type ListedPicture = Readonly<z.infer<typeof ListedPicture>>

/**
 * One page of what the account sees of its attempts, by id, and one more if there is a next page.
 * The index on (account, id) leads it: whatever is searched for, no other account's rows are read,
 * and the page ends the reading.
 */
export async function findGalleryPage(
  db: Database,
  accountId: AccountId,
  query: GalleryQuery,
  page: { readonly after: AttemptId | undefined; readonly limit: number },
): Promise<readonly ListedPicture[]> {
  const values: unknown[] = [accountId, page.limit + 1]
  const bound = (value: unknown) => `$${values.push(value)}`
  const states = statesShown[query.show]
  const patterns = searchPatterns(query.search)
  const isNewest = query.order === 'newest'
  const conditions = [
    ...(states ? [`a.state = any(${bound(states)})`] : []),
    ...(query.show === 'favourites' ? ['f.attempt_id is not null'] : []),
    // One by one: an index answers none of the patterns of an `all`.
    ...patterns.map((pattern) => `normalize(a.prompt, NFC) ilike ${bound(pattern)}`),
    ...(page.after ? [`a.id ${isNewest ? '<' : '>'} ${bound(page.after)}`] : []),
  ]
  const { rows } = await db.pool.query(
    `select a.id, f.attempt_id is not null as favourite
     from attempt a
     left join favourite f on f.account_id = a.account_id and f.attempt_id = a.id
     where a.account_id = $1
       and not exists (select from deleted_artwork d
                       where d.attempt_id = a.id and d.account_id = a.account_id)
       ${conditions.map((condition) => `and ${condition}`).join(' ')}
     order by a.id ${isNewest ? 'desc' : 'asc'} limit $2`,
    values,
  )
  return z.array(ListedPicture).parse(rows)
}

export async function isFavourite(db: Database, key: AttemptKey): Promise<boolean> {
  const row = await db.prisma.favourite.findFirst({
    where: { accountId: key.accountId, attemptId: key.id },
    select: { attemptId: true },
  })
  return row !== null
}

/** Answers how many of these are the account's pictures: those are as asked now. */
export async function setFavourites(
  db: Database,
  accountId: AccountId,
  ids: readonly AttemptId[],
  isOn: boolean,
): Promise<number> {
  const { rows } = await db.pool.query({
    name: 'set_favourites',
    text: 'select set_favourites($1, $2, $3) as changed',
    values: [accountId, ids, isOn],
  })
  return z.object({ changed: z.int() }).parse(rows[0]).changed
}

/** A deleted picture whose files have to go. */
const DeletedPicture = z.object({
  attempt_id: AttemptId,
  account_id: AccountId,
  object_key: z.string(),
})
export type DeletedPicture = { readonly key: AttemptKey; readonly objectKey: string }

const deletedFrom = (row: unknown): DeletedPicture => {
  const { attempt_id: id, account_id: accountId, object_key: objectKey } = DeletedPicture.parse(row)
  return { key: { id, accountId }, objectKey }
}

/** Deletes those that are the account's pictures, for good, and answers them. Asked again, the same. */
export async function deletePictures(
  db: Database,
  accountId: AccountId,
  ids: readonly AttemptId[],
): Promise<readonly DeletedPicture[]> {
  const { rows } = await db.pool.query({
    name: 'delete_pictures',
    text: 'select attempt_id, $1::uuid as account_id, object_key from delete_pictures($1, $2)',
    values: [accountId, ids],
  })
  return rows.map(deletedFrom)
}

/** Pictures that were deleted a while ago and whose files may still be there, oldest first. */
export async function findFilesToRemove(
  db: Database,
  { settledMs, limit }: { readonly settledMs: number; readonly limit: number },
): Promise<readonly DeletedPicture[]> {
  const { rows } = await db.pool.query({
    name: 'find_files_to_remove',
    text: `select d.attempt_id, d.account_id, w.object_key
           from deleted_artwork d
           join artwork w on w.attempt_id = d.attempt_id and w.account_id = d.account_id
           where d.files_removed_at is null
             and d.deleted_at < app_now() - $1 * interval '1 millisecond'
           order by d.deleted_at limit $2`,
    values: [settledMs, limit],
  })
  return rows.map(deletedFrom)
}

export async function noteFilesRemoved(db: Database, key: AttemptKey): Promise<void> {
  await db.pool.query({
    name: 'note_files_removed',
    text: 'select note_files_removed($1, $2)',
    values: [key.accountId, key.id],
  })
}
