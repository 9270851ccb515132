import type { SubmitOutcome } from '@/lib/domain/observation'
import {
  askedToWait,
  invalidInput,
  moderated,
  oursToMend,
  rejected,
  type AnsweredSubmission,
} from '@/lib/providers/judge'
import type { ReadOutput } from './read-output'
import { ErrorBody, ValidationBody } from './schemas'

// Router names its failures (https://docs.comfy.org/development/comfy-router/reference#error-buckets):
// its key, its balance, its rights, its catalog.
const OURS = new Set([
  'unauthorized',
  'insufficient_credits',
  'forbidden',
  'not_enabled',
  'model_not_found',
])
const NOT_ADMITTED = new Set(['rate_limited', 'concurrency_limit_exceeded'])
const REFUSING: readonly number[] = [400, 413, 422]

/**
 * https://docs.comfy.org/development/comfy-router/errors#retry-outcomes. Nothing is proved by
 * 409 `concurrency_limit_exceeded` and 504 `deadline_exceeded` (it is still running), by
 * 409 `invalid_input` (the key's first call may have made and charged an image that cannot be handed
 * out again), nor by any other 5xx. The same key is asked again later, but not by us.
 */
export function judgeComfyRouter(
  answer: AnsweredSubmission,
  read: ReadOutput,
): SubmitOutcome | undefined {
  if (answer.status === 200) return read(answer)
  if (answer.status < 400 || answer.status === 409 || answer.status >= 500) return undefined
  const told = toldBy(answer)
  if (told === undefined) return undefined
  const { bucket, words } = told
  if (OURS.has(bucket)) return oursToMend(answer, bucket)
  if (bucket === 'content_policy_violation') {
    // The model's maker refused a run that took place: some charge for it.
    const evidence = answer.evidence('The model’s maker refused it.', bucket)
    return { kind: 'failed', failure: moderated, evidence }
  }
  if (answer.status === 429) {
    return NOT_ADMITTED.has(bucket) ? askedToWait(answer, bucket) : undefined
  }
  return REFUSING.includes(answer.status) && bucket === 'invalid_input'
    ? rejected(answer, invalidInput(words), bucket)
    : undefined
}

/** Which failure it is, and in which words. Undefined when the body is not one of Router's. */
function toldBy(
  answer: AnsweredSubmission,
): { readonly bucket: string; readonly words: string } | undefined {
  const bucket = answer.header('x-comfy-error-type')
  const error = ErrorBody.safeParse(answer.json).data
  if (error) {
    return { bucket: bucket ?? error.error_type, words: error.upstream_detail ?? error.detail }
  }
  // Field by field, the body does not name the failure: the header does, and the status all the same.
  const fields = answer.status === 422 ? ValidationBody.safeParse(answer.json).data : undefined
  return (
    fields && {
      bucket: bucket ?? 'invalid_input',
      words: fields.detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; '),
    }
  )
}
