import type { Failure } from '@/lib/domain/attempt'
import { assertNever } from '@/lib/domain/invariant'
import type { Cancelling, Cost, Observation } from '@/lib/domain/observation'
import { cancelledThere, moderated, noImage, providerFailed } from '@/lib/providers/judge'
import type { PredictionBody } from './schemas'

// Models refuse in words of their own; there is no code for it.
const MODERATION = /\bnsfw\b|sensitive|flagged|moderat|safety (checker|filter|system)/i

export function observationOf(prediction: PredictionBody): Observation {
  switch (prediction.status) {
    case 'starting':
    case 'processing':
      return { kind: 'pending', progress: undefined }
    case 'succeeded':
      return succeeded(prediction)
    case 'failed':
      return ended(prediction, failureOf(prediction.error ?? ''))
    // `aborted` is `canceled` before it began, for example because its deadline came first.
    case 'canceled':
    case 'aborted':
      return ended(prediction, cancelledThere)
    default:
      return assertNever(prediction.status)
  }
}

export function cancellingOf({ status }: PredictionBody): Cancelling {
  switch (status) {
    case 'canceled':
    case 'aborted':
      return { kind: 'cancelled' }
    case 'starting':
    case 'processing':
      return { kind: 'asked' }
    case 'succeeded':
    case 'failed':
      return { kind: 'too-late' }
    default:
      return assertNever(status)
  }
}

function succeeded(prediction: PredictionBody): Observation {
  const { output } = prediction
  // It was made, and we came too late for it: no failure of the generation.
  if (prediction.data_removed === true) {
    return { kind: 'missing', reason: 'It succeeded, and Replicate has removed its output.' }
  }
  if (output === undefined) {
    return { kind: 'unavailable', reason: 'It succeeded with an output that could not be read.' }
  }
  const url = Array.isArray(output) ? output[0] : output
  return url
    ? { kind: 'succeeded', result: { url }, ...costOf(prediction) }
    : ended(prediction, noImage)
}

function ended(prediction: PredictionBody, failure: Failure): Observation {
  return { kind: 'failed', failure, ...costOf(prediction) }
}

/** Replicate tells time, not money. */
function costOf({ metrics }: PredictionBody): { readonly cost?: Cost } {
  const seconds = metrics?.predict_time
  return seconds === undefined ? {} : { cost: { amount: seconds, unit: 'seconds' } }
}

const failureOf = (error: string): Failure =>
  MODERATION.test(error) ? moderated : providerFailed(error)
