import {
  findAttemptPage,
  findAttempts,
  findEvents,
  findNeighbours,
  findRecentAttempts,
  findRecentMark,
} from '@/lib/db/attempt-reader'
import type { AttemptRow } from '@/lib/db/attempt-row'
import { findEntriesOfAttempt } from '@/lib/db/ledger-reader'
import type { AttemptStateName } from '@/lib/domain/attempt'
import type { CopySize } from '@/lib/domain/delivery'
import { AttemptId, type AccountId, type RequestId } from '@/lib/domain/ids'
import { pollAgainAfterMs } from '@/lib/domain/pace'
import { drawView } from '@/lib/storage/draw-view'
import { copyKeyOf } from '@/lib/storage/object-keys'
import { sha256Of } from '@/lib/storage/sha256'
import type { AttemptDetailView, AttemptsView, AttemptView, Page } from '@/lib/web/views'
import { attemptView } from './attempt-view'
import type { Deps } from './deps'
import { historyLine } from './history-lines'
import { entryView, readBalance } from './read-ledger'

const RECENT = { newest: 30, open: 100 } as const
/** One poll asks for at most this many: more do not fit on a screen. */
export const BATCH_IDS_MAX = 100

/** The newest attempts and all open ones, with the balance of the same moment. */
export async function readRecentAttempts(deps: Deps, accountId: AccountId): Promise<AttemptsView> {
  const rows = await findRecentAttempts(deps.db, accountId, RECENT)
  return attemptsView(deps, accountId, rows)
}

/** What {@link readRecentAttempts} answers is another answer when this is another text. */
export async function markRecentAttempts(deps: Deps, accountId: AccountId): Promise<string> {
  const { mark, openChangedAt } = await findRecentMark(deps.db, accountId, RECENT)
  // How soon to ask again depends on the time as well.
  const pace = openChangedAt && pollAgainAfterMs(Date.now() - openChangedAt.getTime())
  return `${mark}-${pace ?? 'none'}-${deps.dailyAllowance}`
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
  /** The whole image in place of a copy that is not there, or not yet. */
  readonly standsIn: boolean
}

const copyToShow = (bytes: Buffer): ImageToShow => ({
  bytes,
  contentType: 'image/webp',
  sha256: sha256Of(bytes),
  standsIn: false,
})

const drawing = new Map<string, Promise<Buffer | undefined>>()

/** Draws what was not asked for before, and keeps it. Undefined: then the image itself is shown. */
async function drawViewOnce(
  deps: Pick<Deps, 'images' | 'log'>,
  objectKey: string,
  artwork: Buffer,
): Promise<Buffer | undefined> {
  const underWay = drawing.get(objectKey)
  if (underWay) return underWay
  const drawn = drawView(artwork).catch((error: unknown) => {
    deps.log.warn({ err: error, objectKey }, 'view not drawn')
    return undefined
  })
  drawing.set(objectKey, drawn)
  const view = await drawn.finally(() => drawing.delete(objectKey))
  // Nobody waits for it: what could not be kept is drawn again.
  const key = copyKeyOf(objectKey, 'view')
  if (view) {
    deps.images.put(key, view).catch((error: unknown) => {
      deps.log.warn({ err: error, objectKey }, 'view not stored')
    })
  }
  return view
}

/**
 * The bytes of a delivered image as they were settled, or of a copy. Undefined: not the
 * account's, not there, not yet delivered, deleted.
 */
export async function readImage(
  deps: Deps,
  accountId: AccountId,
  id: string,
  size: CopySize | 'full' = 'full',
): Promise<ImageToShow | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  if (!attemptId) return undefined
  const [row] = await findAttempts(deps.db, accountId, [attemptId])
  if (row?.state !== 'completed' || !row.artwork || row.artwork.deletedAt) return undefined
  const { objectKey, contentType, sha256 } = row.artwork
  const copy = size === 'full' ? undefined : await deps.images.get(copyKeyOf(objectKey, size))
  if (copy) return copyToShow(copy)
  const bytes = await deps.images.get(objectKey)
  if (!bytes || sha256Of(bytes) !== sha256) {
    deps.log.error({ attemptId, found: bytes ? 'other bytes' : 'nothing' }, 'artwork lost')
    return undefined
  }
  if (size === 'view') {
    const view = await drawViewOnce(deps, objectKey, bytes)
    if (view) return copyToShow(view)
  }
  return { bytes, contentType, sha256, standsIn: size !== 'full' }
}
