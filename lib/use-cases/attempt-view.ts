import type { AttemptRow } from '@/lib/db/attempt-row'
import { isFinal, statusWordOf } from '@/lib/domain/attempt'
import { invariant } from '@/lib/domain/invariant'
import { pollAgainAfterMs } from '@/lib/domain/pace'
import type { ArtworkView, AttemptView } from '@/lib/web/views'

export function attemptView(row: AttemptRow, now: Date): AttemptView {
  const final = isFinal(row.state)
  return {
    id: row.id,
    request_id: row.requestId,
    model: row.model,
    prompt: row.prompt,
    settings: row.settings,
    state: row.state,
    status: statusWordOf(row.state),
    price: row.price,
    reserved: row.reservedCredits > 0 ? 'credits' : 'allowance',
    settlement: row.settlement,
    failure: row.failureCode && { code: row.failureCode, message: row.failureMessage ?? '' },
    artwork: artworkView(row),
    deleted_at: row.artwork?.deletedAt?.toISOString() ?? null,
    progress: row.work?.progress ?? null,
    looked_at: row.work?.lookedAt?.toISOString() ?? null,
    next_look_at: row.work?.dueAt.toISOString() ?? null,
    cancel_requested: !final && row.work !== null && row.work.cancel !== 'unasked',
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    poll_after_ms: final ? null : pollAgainAfterMs(now.getTime() - row.updatedAt.getTime()),
  }
}

function artworkView({ id, state, artwork }: AttemptRow): ArtworkView | null {
  if (state !== 'completed') return null
  invariant(artwork !== null, 'a completed attempt has its artwork')
  if (artwork.deletedAt) return null
  return {
    // The digest makes the address change with the bytes, so that it may be cached for ever.
    url: `/api/attempts/${id}/image?v=${artwork.sha256.slice(0, 12)}`,
    content_type: artwork.contentType,
    width: artwork.width,
    height: artwork.height,
    size_bytes: artwork.sizeBytes,
    blur: artwork.blur,
  }
}
