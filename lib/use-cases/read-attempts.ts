import {
  findAttemptPage,
  findAttempts,
  findEvents,
  findNeighbours,
  findRecentAttempts,
  type AttemptRow,
} from '@/lib/db/attempt-reader'
import { findEntriesOfAttempt } from '@/lib/db/ledger-reader'
import type { AttemptStateName } from '@/lib/domain/attempt'
import { AttemptId, type AccountId, type RequestId } from '@/lib/domain/ids'
import { thumbnailKeyOf } from '@/lib/storage/object-keys'
import { sha256Of } from '@/lib/storage/sha256'
import type { AttemptDetailView, AttemptsView, AttemptView, Page } from '@/lib/web/views'
import { attemptView } from './attempt-view'
import type { Deps } from './deps'
import { historyLine } from './history-lines'
import { entryView, readBalance } from './read-ledger'

const RECENT_NEWEST_MAX = 30
const RECENT_OPEN_MAX = 100
/** One poll asks for at most this many: more do not fit on a screen. */
export const BATCH_IDS_MAX = 100

/** The newest attempts and all open ones, with the balance of the same moment. */
export async function readRecentAttempts(deps: Deps, accountId: AccountId): Promise<AttemptsView> {
  const rows = await findRecentAttempts(deps.db, accountId, {
    newest: RECENT_NEWEST_MAX,
    open: RECENT_OPEN_MAX,
  })
  return attemptsView(deps, accountId, rows)
}

/** Those of the ids that are the account's: another's are as absent as those that never were. */
export async function readAttemptsByIds(
  deps: Deps,
  accountId: AccountId,
  ids: readonly AttemptId[],
): Promise<AttemptsView> {
  const rows = await findAttempts(deps.db, accountId, ids.slice(0, BATCH_IDS_MAX))
  return attemptsView(deps, accountId, rows)
}

async function attemptsView(
  deps: Deps,
  accountId: AccountId,
  rows: readonly AttemptRow[],
): Promise<AttemptsView> {
  // Read after the attempts: a balance may be newer than a state on screen, never older.
  const balance = await readBalance(deps, accountId)
  const now = new Date()
  const attempts = rows.map((row) => attemptView(row, now))
  const pauses = attempts.flatMap(({ poll_after_ms }) => poll_after_ms ?? [])
  return {
    attempts,
    balance,
    poll_after_ms: pauses.length > 0 ? Math.min(...pauses) : null,
  }
}

export async function listAttempts(
  deps: Deps,
  accountId: AccountId,
  page: {
    readonly cursor?: string | undefined
    readonly limit: number
    readonly state?: AttemptStateName | undefined
    readonly requestId?: RequestId | undefined
  },
): Promise<Page<AttemptView>> {
  const { cursor, ...filters } = page
  const olderThan = AttemptId.safeParse(cursor).data
  const rows = await findAttemptPage(deps.db, accountId, { ...filters, olderThan })
  const now = new Date()
  const data = rows.slice(0, page.limit).map((row) => attemptView(row, now))
  return { data, next_cursor: rows.length > page.limit ? (data.at(-1)?.id ?? null) : null }
}

/** One attempt, or undefined when it is not the account's. */
export async function readAttempt(
  deps: Deps,
  accountId: AccountId,
  id: string,
): Promise<AttemptView | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  if (!attemptId) return undefined
  const [row] = await findAttempts(deps.db, accountId, [attemptId])
  return row && attemptView(row, new Date())
}

/** Everything that its owner may know of one attempt, or undefined when it is not the account's. */
export async function readAttemptDetail(
  deps: Deps,
  accountId: AccountId,
  id: string,
): Promise<AttemptDetailView | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  if (!attemptId) return undefined
  const [row] = await findAttempts(deps.db, accountId, [attemptId])
  return row && detailView(deps, row)
}

export async function detailView(deps: Deps, row: AttemptRow): Promise<AttemptDetailView> {
  const [events, entries, neighbours] = await Promise.all([
    findEvents(deps.db, row.id),
    findEntriesOfAttempt(deps.db, row.id),
    findNeighbours(deps.db, row.accountId, row.id),
  ])
  return {
    attempt: attemptView(row, new Date()),
    history: events.map(historyLine),
    entries: entries.map(entryView),
    newer_id: neighbours.newer,
    older_id: neighbours.older,
  }
}

export type ImageToShow = {
  readonly bytes: Buffer
  readonly contentType: string
  readonly sha256: string
  /** The whole image in place of a thumbnail that is not there, or not yet. */
  readonly standsIn: boolean
}

/**
 * The bytes of a delivered image as they were settled, or its thumbnail. Undefined: not the
 * account's, not there, not yet delivered, deleted.
 */
export async function readImage(
  deps: Deps,
  accountId: AccountId,
  id: string,
  size: 'full' | 'thumb' = 'full',
): Promise<ImageToShow | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  if (!attemptId) return undefined
  const [row] = await findAttempts(deps.db, accountId, [attemptId])
  if (row?.state !== 'completed' || !row.artwork || row.artwork.deleted) return undefined
  const { objectKey, contentType, sha256 } = row.artwork
  const thumbnail = size === 'thumb' ? await deps.images.get(thumbnailKeyOf(objectKey)) : undefined
  if (thumbnail) {
    return {
      bytes: thumbnail,
      contentType: 'image/webp',
      sha256: sha256Of(thumbnail),
      standsIn: false,
    }
  }
  const bytes = await deps.images.get(objectKey)
  if (!bytes || sha256Of(bytes) !== sha256) {
    deps.log.error({ attemptId, found: bytes ? 'other bytes' : 'nothing' }, 'artwork lost')
    return undefined
  }
  return { bytes, contentType, sha256, standsIn: size === 'thumb' }
}
