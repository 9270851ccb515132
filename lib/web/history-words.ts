import type { Messages } from 'next-intl'
import { message, type Message } from './message'

type KnownKind = Exclude<keyof Messages['history'], 'other'>

// What each kind of event says to the person who asked for the image. Evidence is for admins.
const KINDS: Readonly<Record<KnownKind, true>> = {
  recorded: true,
  submission_begun: true,
  accepted: true,
  rejected: true,
  rejected_late: true,
  not_accepted: true,
  not_accepted_finally: true,
  submission_unknown: true,
  accepted_on_repeat: true,
  made_at_once: true,
  unsendable: true,
  repeat_begun: true,
  repeat_unanswered: true,
  found_by_lookup: true,
  not_found_by_lookup: true,
  lookup_failed: true,
  cancel_asked: true,
  cancel_too_late: true,
  cancelled_at_provider: true,
  task_reported: true,
  seen_pending: true,
  look_failed: true,
  task_missing: true,
  succeeded: true,
  provider_failed: true,
  fetch_failed: true,
  result_expired: true,
  store_failed: true,
  unusable_result: true,
  unusable_result_finally: true,
  delivered: true,
  task_attached: true,
  cancelled: true,
  failed_by_operator: true,
  image_brought: true,
  compensated_by_policy: true,
  compensated_by_operator: true,
  second_task: true,
}

const isKnown = (kind: string): kind is KnownKind => Object.hasOwn(KINDS, kind)

/** What happened, for the person who asked. What only a later version knows of is shown all the same. */
export function historyWords(kind: string): Message {
  return message(isKnown(kind) ? `history.${kind}` : 'history.other')
}
