import type { AdminActName } from '@/lib/domain/admin-act'
import { ok, refuse, type Result } from '@/lib/domain/result'

export type AdminActDone = { readonly message: string }
export type AdminActRefusal = {
  readonly code:
    'not-admin' | 'invalid' | 'not-found' | 'not-possible' | 'changed-meanwhile' | 'key-reused'
  readonly message: string
}

const DONE: Record<AdminActName, string> = {
  'look-again': 'A worker looks now.',
  'look-up': 'A worker searches for it at the provider. This page says what it finds.',
  'record-delivery':
    'A worker makes sure that it is an image, and delivers it. This page says how it ends.',
  'retry-delivery': 'A worker tries to deliver it now.',
  'attach-task': 'A worker asks the provider about this task. Until it has, nothing is changed.',
  fail: 'The failure is recorded.',
  compensate: 'Compensated. The outcome stays unknown, and workers keep looking.',
  'unblock-provider': 'Its models are on offer again.',
  'grant-credits': 'The credits are granted.',
  'correct-credits': 'The correction is in the statement.',
  approve: 'Approved: the credits have moved.',
  reject: 'Rejected: no credits moved.',
  suspend: 'The account is suspended.',
  restore: 'The account is restored.',
  'end-sessions': 'All its sessions have ended.',
  'read-prompts': 'You can read its prompts for an hour.',
}

const NOT_POSSIBLE: Readonly<Record<string, string>> = {
  own_request: 'You asked for it yourself: another admin has to agree. Nothing was changed.',
  decided_before: 'Another admin has decided about it already. Nothing was changed.',
  no_request: 'There is no such request.',
  being_verified: 'A worker is making sure of something about it already. Wait for that.',
  task_taken: 'This task belongs to another attempt. Nothing was changed.',
  insufficient_credits:
    'So many credits are not available. What is held or spent belongs to attempts. Nothing was changed.',
  out_of_bounds: 'An account cannot hold so many credits. Nothing was changed.',
  needs_approval:
    'So many credits move only when two admins agree, and this server was set up otherwise. Nothing was changed.',
  key_reused: 'These credits were moved before, for something else. Nothing was changed.',
}

const REFUSED = 'not possible: '

/** What whoever pressed the button reads, whether it is the first answer or the same again. */
export function answerOf(
  act: AdminActName,
  outcome: string,
): Result<AdminActDone, AdminActRefusal> {
  switch (outcome) {
    case 'applied':
    case 'asked':
    case 'granted':
    case 'corrected':
    case 'replayed':
      return ok({ message: DONE[act] })
    case 'waiting': {
      const message = 'It is more than one admin may move. It waits for another admin to agree.'
      return ok({ message })
    }
    case 'unchanged':
      return ok({ message: 'It was so already. Nothing was changed.' })
    case 'stale':
    case 'fenced':
    case 'closed': {
      const message = 'It changed meanwhile, and nothing was done. Look at it again first.'
      return refuse({ code: 'changed-meanwhile', message })
    }
    case 'no_account':
      return refuse({ code: 'not-found', message: 'There is no such account.' })
    default: {
      const message = outcome.startsWith(REFUSED)
        ? outcome.slice(REFUSED.length)
        : (NOT_POSSIBLE[outcome] ?? 'This is not possible now. Nothing was changed.')
      return refuse({ code: 'not-possible', message })
    }
  }
}
