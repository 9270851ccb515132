import type { Failure } from '@/lib/domain/attempt'
import type { Cancelling, Observation } from '@/lib/domain/observation'
import { moderated, noImage } from '@/lib/providers/judge'
import type { Looked } from '@/lib/providers/look'
import { failureOfModel, failureOfRequest, isOfTheRun } from './failures'
import {
  CancelBody,
  ModelErrorBody,
  NotFoundBody,
  RequestErrorBody,
  ResultBody,
  StatusBody,
} from './schemas'

/** It has ended. `failure` is what the status told of how, which is not always told there. */
type Ended = { readonly kind: 'ended'; readonly failure: Failure | undefined }

export function statusOf(looked: Looked): Observation | Ended {
  if (looked.kind === 'unavailable') return looked
  if (looked.status === 404 && NotFoundBody.safeParse(looked.json).success) {
    return { kind: 'missing', reason: 'fal knows no such request.' }
  }
  const seen = StatusBody.safeParse(looked.json)
  if ((looked.status !== 200 && looked.status !== 202) || !seen.success) return looked.unavailable()
  const { status, error, error_type: type } = seen.data
  if (status !== 'COMPLETED') return { kind: 'pending', progress: undefined }
  const failure =
    error || type ? failureOfRequest(error ?? type ?? '', type ?? undefined) : undefined
  return { kind: 'ended', failure }
}

/** The result says best how it ended, a picture or an error; where it cannot be had, the status says. */
export function endOf(failure: Failure | undefined, looked: Looked): Observation {
  const result = resultOf(looked)
  const isTold = result.kind === 'succeeded' || result.kind === 'failed'
  return isTold || failure === undefined ? result : { kind: 'failed', failure }
}

/** A run that failed answers with its own error in place of a result. */
function resultOf(looked: Looked): Observation {
  if (looked.kind === 'unavailable') return looked
  const { status } = looked
  const units = Number(looked.header('x-fal-billable-units') ?? Number.NaN)
  const cost = units >= 0 ? { cost: { amount: units, unit: 'billable units' } } : {}
  if (status === 200) {
    const result = ResultBody.safeParse(looked.json)
    if (!result.success) return looked.unavailable('The result could not be read.')
    // A picture that fal's checker flags comes blacked out. It is none that anybody would pay for.
    if (result.data.has_nsfw_concepts?.[0] === true) {
      return { kind: 'failed', failure: moderated, ...cost }
    }
    const url = result.data.images[0]?.url
    return url
      ? { kind: 'succeeded', result: { url }, ...cost }
      : { kind: 'failed', failure: noImage, ...cost }
  }
  if (status === 404) return { kind: 'missing', reason: 'It has ended, and its result is gone.' }
  const refused = ModelErrorBody.safeParse(looked.json).data
  if (refused && status !== 401 && status !== 403 && status >= 400) {
    return { kind: 'failed', failure: failureOfModel(refused, status), ...cost }
  }
  const error = RequestErrorBody.safeParse(looked.json).data
  return error && isOfTheRun(error.error_type)
    ? { kind: 'failed', failure: failureOfRequest(error.detail, error.error_type), ...cost }
    : looked.unavailable()
}

export function cancellingOf(looked: Looked): Cancelling {
  if (looked.kind === 'unavailable') return looked
  const status = CancelBody.safeParse(looked.json).data?.status
  if (looked.status === 200 && status === 'OK') return { kind: 'cancelled' }
  if (status === 'CANCELLATION_REQUESTED') return { kind: 'asked' }
  return status === 'ALREADY_COMPLETED' ? { kind: 'too-late' } : looked.unavailable()
}
