import { findAttempts } from '@/lib/db/attempt-reader'
import { findGalleryPage, isFavourite } from '@/lib/db/gallery-store'
import type { GalleryQuery } from '@/lib/domain/gallery'
import { AttemptId, type AccountId } from '@/lib/domain/ids'
import type { Page, PictureView } from '@/lib/web/views'
import { attemptView } from './attempt-view'
import type { Deps } from './deps'

/** One page of the account's pictures, and of what may become pictures, as they were asked for. */
export async function readGallery(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
  query: GalleryQuery,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<Page<PictureView>> {
  const after = AttemptId.safeParse(page.cursor).data
  const listed = await findGalleryPage(deps.db, accountId, query, { after, limit: page.limit })
  const shown = listed.slice(0, page.limit)
  const rows = await findAttempts(
    deps.db,
    accountId,
    shown.map(({ id }) => id),
  )
  const now = new Date()
  const views = new Map(rows.map((row) => [row.id, attemptView(row, now)]))
  const data = shown.flatMap(({ id, favourite }) => {
    const attempt = views.get(id)
    return attempt ? { attempt, favourite } : []
  })
  return { data, next_cursor: listed.length > page.limit ? (shown.at(-1)?.id ?? null) : null }
}

/** Whether the account marked this picture. False for one that is not the account's. */
export async function readFavourite(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
  id: AttemptId,
): Promise<boolean> {
  return isFavourite(deps.db, { id, accountId })
}
