import type { EventRow } from '@/lib/db/attempt-reader'
import { statusWordOf } from '@/lib/domain/attempt'
import type { EvidenceLineView, HistoryLineView } from '@/lib/web/views'

/** What the person who asked for the image may know of an event. Its words are found by its kind. */
export function historyLine(event: EventRow): HistoryLineView {
  return {
    seq: event.seq,
    at: event.createdAt.toISOString(),
    status: statusWordOf(event.toState),
    kind: event.kind,
  }
}

/** All of it, for admins. */
export function evidenceLine(event: EventRow): EvidenceLineView {
  return {
    ...historyLine(event),
    from_state: event.fromState,
    to_state: event.toState,
    actor: event.actor,
    evidence: event.evidence,
  }
}
