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
  accepted_on_repeat: 'The image service told us that it has it, and made no second one.',
  made_at_once: 'The image was made.',
  unsendable: 'It could not be sent: a reference image is not there any more. Nothing was made.',
  repeat_begun: 'We asked the image service again in the one way that makes no second image.',
  repeat_unanswered: 'The image service gave no usable answer. We ask again later.',
  found_by_lookup: 'We found it at the image service.',
  not_found_by_lookup: 'We looked for it at the image service and did not find it yet.',
  lookup_failed: 'We could not look for it at the image service. We try again.',
  cancel_asked: 'We asked the image service to stop. It may still be delivered and charged.',
  cancel_too_late: 'It was too late to stop the image service.',
  cancelled_at_provider: 'You cancelled it, and the image service stopped.',
  task_reported: 'The image service told us that it has it.',
  seen_pending: 'The image service says that it is working on it.',
  look_failed: 'We could not look at its progress. We keep looking.',
  task_missing: 'The image service does not find it at the moment. We keep looking.',
  succeeded: 'The image was made.',
  provider_failed: 'The image service could not make it.',
  fetch_failed: 'The image was made, but we could not fetch it yet. We try again.',
  result_expired:
    'The image was made, but the image service does not hand it out any more. We look into it.',
  store_failed: 'The image was made, but we could not store it yet. We try again.',
  unusable_result: 'What we fetched is no image. We fetch it again.',
  unusable_result_finally: 'What the image service made is no image.',
  delivered: 'The image was stored, checked and delivered.',
  task_attached:
    'Somebody of ours looked it up at the image service. We ask there what became of it.',
  image_brought: 'Somebody of ours brought the image. We check it and store it.',
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
