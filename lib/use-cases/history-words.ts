import type { EventRow } from '@/lib/db/attempt-reader'
import { statusWordOf } from '@/lib/domain/attempt'
import type { EvidenceLineView, HistoryLineView } from '@/lib/web/views'

// What each kind of event says to the person who asked for the image. Evidence is for admins.
const WORDS: Readonly<Record<string, string>> = {
  recorded: 'You asked for this image. What it costs was put on hold.',
  submission_begun: 'We are sending it to the image service, once.',
  accepted: 'The image service accepted it.',
  rejected: 'The image service refused it. Nothing was made.',
  rejected_late: 'The image service refused it. Nothing was made.',
  not_accepted: 'The image service was busy and took nothing. We will ask again.',
  not_accepted_finally: 'The image service stayed busy and took nothing.',
  submission_unknown: 'We sent it once and the answer got lost. We do not send it again.',
  task_reported: 'The image service told us that it has it.',
  seen_pending: 'The image service says that it is working on it.',
  look_failed: 'We could not look at its progress. We keep looking.',
  task_missing: 'The image service does not find it at the moment. We keep looking.',
  succeeded: 'The image was made.',
  provider_failed: 'The image service could not make it.',
  fetch_failed: 'The image was made, but we could not fetch it yet. We try again.',
  store_failed: 'The image was made, but we could not store it yet. We try again.',
  unusable_result: 'What we fetched is no image. We fetch it again.',
  unusable_result_finally: 'What the image service made is no image.',
  delivered: 'The image was stored, checked and delivered.',
  task_attached: 'We found it at the image service.',
  cancelled: 'You cancelled it before it was sent. Nothing was made.',
  failed_by_operator: 'We made sure that it failed. Nothing will be delivered.',
  compensated_by_policy:
    'Nobody could tell for long, so we gave back what it costs. We keep looking for the image.',
  compensated_by_operator:
    'We gave back what it costs, by decision. We keep looking for the image.',
  second_task: 'The image service reported this image twice. We are looking into it.',
}

export function historyLine(event: EventRow): HistoryLineView {
  return {
    seq: event.seq,
    at: event.createdAt.toISOString(),
    status: statusWordOf(event.toState),
    text: WORDS[event.kind] ?? 'Something was recorded.',
  }
}

export function evidenceLine(event: EventRow): EvidenceLineView {
  return {
    ...historyLine(event),
    from_state: event.fromState,
    to_state: event.toState,
    kind: event.kind,
    actor: event.actor,
    evidence: event.evidence,
  }
}
