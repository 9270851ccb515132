import { z } from 'zod'
import { AccountId, AttemptId, TaskId } from './ids'
import { REASON_LENGTH_MAX, REASON_LENGTH_MIN } from './operator-act'

// What an account may hold: the database refuses more.
const CREDITS_MAX = 1_000_000_000

const REASON_PROBLEM = `Give a reason of ${REASON_LENGTH_MIN} to ${REASON_LENGTH_MAX} characters.`
const PROOF_PROBLEM = `Say what proves it, in ${REASON_LENGTH_MIN} to ${REASON_LENGTH_MAX} characters.`
const IMAGE_PROBLEM = 'Choose the image first.'
const TASK_PROBLEM = 'Give the task id as the provider shows it, 200 characters at most.'

const plainText = (problem: string) =>
  z
    .string(problem)
    .trim()
    .min(REASON_LENGTH_MIN, problem)
    .max(REASON_LENGTH_MAX, problem)
    .refine((text) => text.isWellFormed() && !text.includes('\u0000'), problem)

/** The id is made where the button is pressed, and makes the act happen once. */
const asked = {
  id: z.uuid('The act has no id. Load the page again.'),
  reason: plainText(REASON_PROBLEM),
}
/** `version`: the attempt as whoever decided had seen it. */
const ofAttempt = { ...asked, attemptId: AttemptId, version: z.int().min(0) }
const ofAccount = { ...asked, accountId: AccountId }

const CREDITS_PROBLEM = `Give a whole number of credits, up to ${CREDITS_MAX.toLocaleString('en')}.`
const Credits = z.coerce.number(CREDITS_PROBLEM).pipe(z.int(CREDITS_PROBLEM))

/** Everything that an admin can do, as it is asked for. */
export const AdminAct = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('look-again'), ...ofAttempt }),
  z.strictObject({ act: z.literal('look-up'), ...ofAttempt }),
  z.strictObject({ act: z.literal('retry-delivery'), ...ofAttempt }),
  z.strictObject({
    act: z.literal('record-delivery'),
    ...ofAttempt,
    sha256: z.string(IMAGE_PROBLEM).regex(/^[0-9a-f]{64}$/, IMAGE_PROBLEM),
  }),
  z.strictObject({
    act: z.literal('attach-task'),
    ...ofAttempt,
    taskId: z.string(TASK_PROBLEM).trim().min(1, TASK_PROBLEM).max(200, TASK_PROBLEM).pipe(TaskId),
  }),
  z.strictObject({ act: z.literal('fail'), ...ofAttempt, proof: plainText(PROOF_PROBLEM) }),
  z.strictObject({ act: z.literal('compensate'), ...ofAttempt }),
  z.strictObject({
    act: z.literal('unblock-provider'),
    ...asked,
    provider: z.string().min(1).max(40),
  }),
  z.strictObject({
    act: z.literal('grant-credits'),
    ...ofAccount,
    credits: Credits.pipe(z.int().min(1, CREDITS_PROBLEM).max(CREDITS_MAX, CREDITS_PROBLEM)),
  }),
  z.strictObject({
    act: z.literal('correct-credits'),
    ...ofAccount,
    credits: Credits.pipe(
      z.int().min(-CREDITS_MAX, CREDITS_PROBLEM).max(CREDITS_MAX, CREDITS_PROBLEM),
    ).refine((credits) => credits !== 0, CREDITS_PROBLEM),
  }),
  z.strictObject({ act: z.literal('approve'), ...ofAccount, requestId: z.uuid() }),
  z.strictObject({ act: z.literal('reject'), ...ofAccount, requestId: z.uuid() }),
  z.strictObject({ act: z.literal('suspend'), ...ofAccount }),
  z.strictObject({ act: z.literal('restore'), ...ofAccount }),
  z.strictObject({ act: z.literal('end-sessions'), ...ofAccount }),
  z.strictObject({ act: z.literal('read-prompts'), ...ofAccount }),
])
export type AdminAct = Readonly<z.infer<typeof AdminAct>>
export type AdminActName = AdminAct['act']

/** What it is about, as the log says it. */
export function subjectOf(act: AdminAct): string {
  if ('attemptId' in act) return `attempt:${act.attemptId}`
  return 'accountId' in act ? `account:${act.accountId}` : `provider:${act.provider}`
}

/** What else was asked for. Together with act, subject and reason it is the whole of it. */
export function detailOf(act: AdminAct): Readonly<Record<string, string | number>> {
  switch (act.act) {
    case 'attach-task':
      return { version: act.version, taskId: act.taskId }
    case 'record-delivery':
      return { version: act.version, sha256: act.sha256 }
    case 'fail':
      return { version: act.version, proof: act.proof }
    case 'look-again':
    case 'look-up':
    case 'retry-delivery':
    case 'compensate':
      return { version: act.version }
    case 'grant-credits':
    case 'correct-credits':
      return { credits: act.credits }
    case 'approve':
    case 'reject':
      return { requestId: act.requestId }
    case 'unblock-provider':
    case 'suspend':
    case 'restore':
    case 'end-sessions':
    case 'read-prompts':
      return {}
  }
}
