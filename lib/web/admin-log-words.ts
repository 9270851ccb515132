export const actWords: Readonly<Record<string, string>> = {
  'look-again': 'Look again',
  'look-up': 'Search at the provider',
  'record-delivery': 'Record a delivery',
  'retry-delivery': 'Retry the delivery',
  'attach-task': 'Attach a task',
  fail: 'Record a confirmed failure',
  compensate: 'Compensate',
  'unblock-provider': 'Put a provider back in offer',
  'grant-credits': 'Grant credits',
  'correct-credits': 'Correct credits',
  approve: 'Approve credits',
  reject: 'Reject credits',
  suspend: 'Suspend an account',
  restore: 'Restore an account',
  'end-sessions': 'End sessions',
  'read-prompts': 'Read prompts',
}

const OUTCOMES: Readonly<Record<string, string>> = {
  applied: 'Done.',
  waiting: 'It waits for another admin to agree.',
  own_request: 'Refused: nobody agrees with themselves.',
  decided_before: 'Somebody else had decided already: nothing was done.',
  no_request: 'There was no such request: nothing was done.',
  asked: 'A worker was asked to make sure of it.',
  being_verified: 'A worker was making sure of something else: nothing was done.',
  granted: 'Done.',
  corrected: 'Done.',
  unchanged: 'It was so already: nothing was changed.',
  stale: 'Somebody or something else was faster: nothing was done.',
  fenced: 'Somebody or something else was faster: nothing was done.',
  closed: 'Its outcome was final by then: nothing was done.',
  task_taken: 'The task belongs to another attempt: nothing was done.',
  insufficient_credits: 'So many credits were not available: nothing was done.',
  out_of_bounds: 'An account cannot hold so many credits: nothing was done.',
  needs_approval: 'So many credits need two admins: nothing was done.',
  no_account: 'There was no such account: nothing was done.',
}

/** What came of an act. Null says that it was asked for, and its end was never written. */
export function outcomeWords(outcome: string | null): string {
  if (outcome === null) return 'Asked for, and not done.'
  const refused = /^not possible: (.*)$/.exec(outcome)?.[1]
  return refused === undefined ? (OUTCOMES[outcome] ?? outcome) : `Not possible. ${refused}`
}

/** The page of what a line of the log is about. */
export function subjectHref(subject: string): string {
  const [, kind, id = ''] = /^(\w+):(.*)$/.exec(subject) ?? []
  if (kind === 'attempt') return `/admin/attempts/${id}`
  return kind === 'account' ? `/admin/accounts/${id}` : '/admin'
}

/** "ada@example.com", or with the role that it was done in where that is no admin's. */
export function actorWords(actor: string): string {
  const [, role, email = actor] = /^(\w+):(.*)$/.exec(actor) ?? []
  return role === undefined || role === 'admin' ? email : `${email} (${role})`
}
