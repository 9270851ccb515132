import {
  askedToWait,
  invalidInput,
  moderated,
  oursToMend,
  rejected,
  type Judge,
} from '@/lib/providers/judge'
import { AcceptedBody, ErrorBody } from './schemas'

// Money and plans are 402 (https://developer.ideogram.ai/ideogram-api/rate-limits); said with another
// status, it is still nothing that waiting would mend.
const ABOUT_MONEY = /funds|balance|daily_limit|plan|credit/

/**
 * https://developer.ideogram.ai/ideogram-api/errors: what is refused with these statuses does not run
 * and is not billed. Nothing is said of 5xx.
 */
export const judgeIdeogram: Judge = (answer) => {
  if (answer.status >= 200 && answer.status < 300) {
    const accepted = AcceptedBody.safeParse(answer.json)
    return accepted.success ? { kind: 'accepted', taskId: accepted.data.generation_id } : undefined
  }
  const body = ErrorBody.safeParse(answer.json).data
  if (body === undefined) return undefined
  const words = body.error ?? ''
  switch (answer.status) {
    case 400:
    case 413:
      return rejected(answer, invalidInput(words), body.reject_reason)
    // 404: nothing is named in a request that could be missing but the model itself.
    case 401:
    case 402:
    case 403:
    case 404:
      return oursToMend(answer, body.reject_reason ?? `http_${answer.status}`)
    case 422:
      return rejected(answer, moderated, body.reject_reason)
    case 429:
      return ABOUT_MONEY.test(body.reject_reason ?? '')
        ? oursToMend(answer, body.reject_reason ?? '')
        : askedToWait(answer, body.reject_reason)
    default:
      return undefined
  }
}
