import type { AttemptState } from './attempt'
import { failed, NOTHING_NEW, stay, type Circumstances, type Decision } from './decision'
import { UNUSABLE_FETCHES_MAX, type DeliveryOutcome } from './delivery'
import { assertNever } from './invariant'
import { deliverAgainAfterMs } from './pace'

export function decideDelivery(
  state: AttemptState,
  outcome: DeliveryOutcome,
  circumstances: Circumstances,
): Decision {
  if (state.state !== 'delivering' && state.state !== 'storage_failed') {
    return NOTHING_NEW
  }
  switch (outcome.kind) {
    case 'stored':
      return {
        kind: 'record',
        to: 'completed',
        because: 'delivered',
        evidence: { sha256: outcome.image.sha256, sizeBytes: outcome.image.sizeBytes },
        image: outcome.image,
        settlement: 'settled',
        dueInMs: 0,
      }
    case 'not-yet': {
      const dueInMs = deliverAgainAfterMs(circumstances.tries)
      const because = outcome.stage === 'fetch' ? 'fetch_failed' : 'store_failed'
      return state.state === 'storage_failed' && circumstances.lastKind === because
        ? { kind: 'wait', dueInMs, progress: undefined }
        : stay('storage_failed', because, outcome.reason, dueInMs)
    }
    case 'gone': {
      const dueInMs = deliverAgainAfterMs(circumstances.tries)
      return circumstances.lastKind === 'result_expired'
        ? { kind: 'wait', dueInMs, progress: undefined }
        : stay('storage_failed', 'result_expired', outcome.reason, dueInMs)
    }
    case 'unusable':
      return decideUnusable(outcome, circumstances)
    default:
      return assertNever(outcome)
  }
}

function decideUnusable(
  outcome: Extract<DeliveryOutcome, { kind: 'unusable' }>,
  { lastKind, lastEvidence, tries }: Circumstances,
): Decision {
  const sameAsLast = lastKind === 'unusable_result' && lastEvidence['sha256'] === outcome.sha256
  const times = (sameAsLast ? Number(lastEvidence['times']) : 0) + 1
  const evidence = { reason: outcome.reason, sha256: outcome.sha256, times }
  if (times >= UNUSABLE_FETCHES_MAX) {
    return failed(
      'unusable_result_finally',
      { code: 'unusable_result', message: 'The image service delivered a file that is no image.' },
      evidence,
    )
  }
  return {
    kind: 'record',
    to: 'storage_failed',
    because: 'unusable_result',
    evidence,
    dueInMs: deliverAgainAfterMs(tries),
  }
}
