import type { SubmitOutcome } from '@/lib/domain/observation'
import {
  askedToWait,
  invalidInput,
  moderated,
  oursToMend,
  rejected,
  type AnsweredSubmission,
} from '@/lib/providers/judge'
import { ErrorBody } from './schemas'

// https://developers.openai.com/api/docs/guides/image-generation#content-moderation
const MODERATED = new Set([
  'moderation_blocked',
  'content_policy_violation',
  'image_content_policy_violation',
])

// https://developers.openai.com/api/docs/guides/error-codes: these come with 429 (and 400) and do
// not pass by waiting.
const BILLING = new Set([
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_limit_user_error',
  'billing_not_active',
])

// Wrong key, no rights, no such model for this key: the operator's to mend.
const OURS: readonly number[] = [401, 402, 403, 404]
const REFUSALS: readonly number[] = [400, 413, 415, 422]

export const isModerated = (code: string): boolean => MODERATED.has(code)

/**
 * What an error of OpenAI's shape proves. Undefined for every 5xx, for 408 and 409, and for any body
 * that is not of this shape: it may come from something between us and them.
 */
export function judgeError(answer: AnsweredSubmission): SubmitOutcome | undefined {
  const error = ErrorBody.safeParse(answer.json).data?.error
  if (error === undefined || answer.status < 400 || answer.status >= 500) return undefined
  const code = error.code ?? error.type ?? undefined
  if ([error.code, error.type].some((name) => BILLING.has(name ?? ''))) {
    return oursToMend(answer, code ?? 'billing')
  }
  if (code !== undefined && isModerated(code)) {
    return error.moderation_details?.moderation_stage === 'output'
      ? // The image was made and withheld: it was more than a refusal, and no image will come of it.
        { kind: 'failed', failure: moderated, evidence: answer.evidence('Withheld.', code) }
      : rejected(answer, moderated, code)
  }
  if (OURS.includes(answer.status)) return oursToMend(answer, code ?? `status ${answer.status}`)
  if (answer.status === 429) return askedToWait(answer, code)
  return REFUSALS.includes(answer.status)
    ? rejected(answer, invalidInput(error.message), code)
    : undefined
}
