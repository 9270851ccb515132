import type { AttemptState, AttemptStateName, Failure, ResultRef, SettlementKind } from './attempt'
import type { DeliveryOutcome, StoredImage } from './delivery'
import type { TaskId } from './ids'
import type { Cancelling, Lookup, Observation, SubmitOutcome } from './observation'

/** An answer that brought the image itself is known only once its bytes are kept. */
export type KnownOutcome = Exclude<SubmitOutcome, { readonly kind: 'made' }>

/** Something learned, by the worker, from a callback or from an operator. */
export type News =
  /** What became of the given send, counting from 1. */
  | { readonly kind: 'submission'; readonly outcome: KnownOutcome; readonly send: number }
  /** What the same POST told when it was sent once more, where its provider makes no second task of it. */
  | { readonly kind: 'repeat'; readonly outcome: KnownOutcome }
  /** It cannot be sent: something that it names is not there any more. */
  | { readonly kind: 'unsendable'; readonly reason: string }
  /** A search for the task of a submission whose answer was lost. */
  | { readonly kind: 'lookup'; readonly lookup: Lookup }
  /** The lease was lost between the intent and its outcome. */
  | { readonly kind: 'submission-lost' }
  | { readonly kind: 'observation'; readonly observation: Observation }
  | { readonly kind: 'delivery'; readonly outcome: DeliveryOutcome }
  /** A verified callback names the task that the attempt became. */
  | { readonly kind: 'task-reported'; readonly taskId: TaskId }
  /** Its owner does not want it any more. */
  | { readonly kind: 'cancel-requested' }
  /** What the provider made of the wish to stop. */
  | { readonly kind: 'cancelling'; readonly outcome: Cancelling }

/** What the decision may depend on besides the state. Ages are of the database's clock. */
export type Circumstances = {
  readonly ageMs: number
  readonly stateAgeMs: number
  readonly tries: number
  readonly sends: number
  readonly sendingAgeMs: number
  /** The kind and evidence of the newest line of history. */
  readonly lastKind: string
  readonly lastEvidence: Readonly<Record<string, unknown>>
  /** Drawn by the caller, in [0, 1). */
  readonly random: number
  /** From which age an unresolved attempt is compensated by policy; undefined when none is. */
  readonly compensateAfterMs: number | undefined
}

export type Decision =
  /** Changes what is known, or adds a line of evidence where `to` is the state it was in. */
  | {
      readonly kind: 'record'
      readonly to: AttemptStateName
      readonly because: string
      readonly evidence: Readonly<Record<string, unknown>>
      readonly taskId?: TaskId
      readonly result?: ResultRef
      readonly failure?: Failure
      readonly image?: StoredImage
      readonly settlement?: SettlementKind
      /** Why it was settled so; a compensation has one always. */
      readonly reason?: string
      readonly policyVersion?: number
      readonly dueInMs: number
    }
  /** Nothing new: look again later. */
  | { readonly kind: 'wait'; readonly dueInMs: number; readonly progress: number | undefined }
  /** A contradiction: somebody paid for it, so a person looks at it. The user is never charged. */
  | {
      readonly kind: 'anomaly'
      readonly because: string
      readonly evidence: Readonly<Record<string, unknown>>
    }

/** Nothing was learned that changes anything. */
export const NOTHING_NEW: Decision = { kind: 'wait', dueInMs: 0, progress: undefined }

/** A submission whose answer was lost: nobody knows whether there is a task. */
export const isUnresolved = (state: AttemptState) =>
  state.state === 'status_unknown' && state.taskId === undefined

export function failed(
  because: string,
  failure: Failure,
  evidence: Readonly<Record<string, unknown>>,
): Decision {
  return {
    kind: 'record',
    to: 'failed',
    because,
    evidence: { ...evidence, failure },
    failure,
    settlement: 'released',
    dueInMs: 0,
  }
}

export function stay(
  to: AttemptStateName,
  because: string,
  reason: string,
  dueInMs: number,
): Decision {
  return { kind: 'record', to, because, evidence: { reason }, dueInMs }
}
