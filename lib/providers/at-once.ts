import type { Cost, Observation, SubmitReport } from '@/lib/domain/observation'
import type { Capabilities } from '@/lib/domain/provider'
import { submitAndJudge, type Judge } from './judge'
import type { Submission } from './submit-once'

// What providers share whose answer to a submission carries the image.

/** Above any image on offer, in base64. */
export const IMAGE_ANSWER_BYTES_MAX = 64 * 1024 * 1024

/**
 * There is no task that could be looked for, observed or stopped. When the answer is lost the
 * attempt stays unresolved until an operator decides.
 */
export const UNRECOVERABLE: Omit<Capabilities, 'billing'> = {
  answers: 'at-once',
  idempotentForMs: undefined,
  lookup: undefined,
  callback: undefined,
  cancel: undefined,
  resultForMs: undefined,
}

export const nothingToObserve: Observation = {
  kind: 'missing',
  reason: 'The provider answers at once and keeps no tasks that could be looked at.',
}

/** Sends once and judges, and notes what the answer says that it cost. */
export async function submitAndCount(
  submission: Submission,
  now: () => Date,
  judge: Judge,
  costOf: (json: unknown) => Cost | undefined,
): Promise<SubmitReport> {
  let cost: Cost | undefined
  const report = await submitAndJudge(
    { answerBytesMax: IMAGE_ANSWER_BYTES_MAX, ...submission },
    now,
    (answer) => {
      cost = costOf(answer.json)
      return judge(answer)
    },
  )
  return cost === undefined ? report : { ...report, usage: { ...report.usage, cost } }
}
