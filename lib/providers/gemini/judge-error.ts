import type { SubmitOutcome } from '@/lib/domain/observation'
import {
  askedToWait,
  invalidInput,
  oursToMend,
  rejected,
  type AnsweredSubmission,
} from '@/lib/providers/judge'
import { ErrorBody, type GeminiError } from './schemas'

/**
 * What an error of Google's shape proves (https://ai.google.dev/gemini-api/docs/troubleshooting).
 * Undefined for every 5xx: they may come from in front of the service, after it has begun.
 */
export function judgeError(answer: AnsweredSubmission): SubmitOutcome | undefined {
  const error = errorIn(answer)
  if (error === undefined) return undefined
  const code = error.status ?? String(error.code)
  switch (answer.status) {
    case 400:
      // FAILED_PRECONDITION: the country or the project's billing does not allow it.
      return code === 'FAILED_PRECONDITION' || speaksOfKey(error)
        ? oursToMend(answer, code)
        : rejected(answer, invalidInput(error.message), code)
    case 401:
    case 402:
    case 403:
    case 404:
      return oursToMend(answer, code)
    case 429:
      return isExhausted(error)
        ? oursToMend(answer, code)
        : askedToWait({ ...answer, retryAfterMs: answer.retryAfterMs ?? retryDelayMs(error) }, code)
    default:
      return undefined
  }
}

export function errorIn(answer: AnsweredSubmission): GeminiError | undefined {
  return ErrorBody.safeParse(answer.json).data?.error
}

// A wrong key is answered with 400, like wrong input.
const speaksOfKey = ({ details, message }: GeminiError): boolean =>
  (details?.some(({ reason }) => reason === 'API_KEY_INVALID') ?? false) ||
  /\bAPI key\b/i.test(message)

// All of them are RESOURCE_EXHAUSTED, and only the words tell a limit that passes by waiting from an
// empty account, a spending cap, or a model that the plan does not include ("limit: 0").
const isExhausted = ({ message }: GeminiError): boolean =>
  /prepayment credits|spending cap|spend limit|limit: 0\b/i.test(message)

/** `google.rpc.RetryInfo` in the details, like "34s" or "0.5s": the header may be absent. */
function retryDelayMs({ details }: GeminiError): number | undefined {
  const delay = details?.map(({ retryDelay }) => retryDelay).find((one) => one !== undefined)
  const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay ?? '') ?? []
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000)
}
