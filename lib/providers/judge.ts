import { assertNever } from '@/lib/domain/invariant'
import type { Evidence, SubmitOutcome, SubmitReport } from '@/lib/domain/observation'
import type { Failure } from '@/lib/domain/attempt'
import { parseJson } from './parse-json'
import { retryAfterMs } from './retry-after'
import { submitOnce, type Answered, type Submission } from './submit-once'

const EVIDENCE_BODY_MAX = 500
const PROVIDER_WORDS_MAX = 300

export type AnsweredSubmission = Answered & {
  /** Undefined when the body is not JSON. */
  readonly json: unknown
  readonly evidence: (reason: string, errorCode?: string) => Evidence
  /** `Retry-After` in milliseconds, when it is there and valid. */
  readonly retryAfterMs: number | undefined
}

/**
 * What an adapter makes of an answer, from what its provider documents. Undefined: the answer proves
 * nothing, and the outcome is unknown. Every 5xx is undefined unless the documentation says more.
 */
export type Judge = (answer: AnsweredSubmission) => SubmitOutcome | undefined

/** Sends once, and says what that told. What no provider can document is judged here, once. */
export async function submitAndJudge(
  submission: Submission,
  now: () => Date,
  judge: Judge,
): Promise<SubmitReport> {
  const { answer, usage } = await submitOnce(submission)
  switch (answer.kind) {
    case 'not-sent':
      return {
        usage,
        outcome: {
          kind: 'rejected-for-now',
          retryAfterMs: undefined,
          evidence: { reason: `Nothing was sent: ${answer.reason}` },
        },
      }
    case 'no-answer':
      return { usage, outcome: { kind: 'unknown', evidence: { reason: answer.reason } } }
    case 'answered': {
      const evidence = (reason: string, errorCode?: string): Evidence => ({
        reason,
        httpStatus: answer.status,
        ...(errorCode === undefined ? {} : { errorCode: errorCode.slice(0, 100) }),
        body: answer.text.slice(0, EVIDENCE_BODY_MAX),
      })
      const outcome = judge({
        ...answer,
        json: parseJson(answer.text),
        evidence,
        retryAfterMs: retryAfterMs(answer.header('retry-after'), now()),
      })
      return {
        usage,
        outcome: outcome ?? { kind: 'unknown', evidence: evidence('The answer proves nothing.') },
      }
    }
    default:
      return assertNever(answer)
  }
}

// Outcomes in the words that users read. Provider text is added to ours, never shown alone.

export const moderated: Failure = {
  code: 'moderated',
  message: 'The image service refused this prompt under its content rules. Change the prompt.',
}

export function invalidInput(providerWords: string): Failure {
  const words = providerWords.slice(0, PROVIDER_WORDS_MAX)
  return {
    code: 'invalid_input',
    message: `The image service did not accept the input: ${words || 'it gave no reason.'}`,
  }
}

export function providerFailed(providerWords: string): Failure {
  const words = providerWords.slice(0, PROVIDER_WORDS_MAX)
  return {
    code: 'provider_failed',
    message: `The image service could not make this image: ${words || 'it gave no reason.'}`,
  }
}

export const noImage: Failure = {
  code: 'unusable_result',
  message: 'The image service made no image.',
}

export const cancelledThere: Failure = {
  code: 'cancelled',
  message: 'It was cancelled at the image service.',
}

/** The provider refused our key or our account. The user can do nothing about it but choose another model. */
export function oursToMend(answer: AnsweredSubmission, errorCode: string): SubmitOutcome {
  return {
    kind: 'rejected',
    oursToMend: true,
    failure: {
      code: 'provider_unavailable',
      message: 'This image service is not available here at the moment. Choose another model.',
    },
    evidence: answer.evidence('The provider refused our key or our account.', errorCode),
  }
}

export function rejected(
  answer: AnsweredSubmission,
  failure: Failure,
  errorCode?: string,
): SubmitOutcome {
  return {
    kind: 'rejected',
    failure,
    evidence: answer.evidence('The provider refused it.', errorCode),
  }
}

export function askedToWait(answer: AnsweredSubmission, errorCode?: string): SubmitOutcome {
  return {
    kind: 'rejected-for-now',
    retryAfterMs: answer.retryAfterMs,
    evidence: answer.evidence('The provider asked to wait.', errorCode),
  }
}
