import { z } from 'zod'
import {
  attemptStates,
  failureCodes,
  reservedKinds,
  settlementKinds,
  statusWords,
} from './attempt-states'
import type { AccountId, AttemptId, TaskId } from './ids'

export {
  attemptStates,
  failureCodes,
  isFinal,
  settlementKinds,
  statusWordOf,
  statusWords,
} from './attempt-states'

export const AttemptStateName = z.enum(attemptStates)
export type AttemptStateName = z.infer<typeof AttemptStateName>

export const StatusWord = z.enum(statusWords)
export type StatusWord = z.infer<typeof StatusWord>

export const SettlementKind = z.enum(settlementKinds)
export type SettlementKind = z.infer<typeof SettlementKind>

export const ReservedKind = z.enum(reservedKinds)
export type ReservedKind = z.infer<typeof ReservedKind>

export const FailureCode = z.enum(failureCodes)
export type FailureCode = z.infer<typeof FailureCode>

export type Failure = { readonly code: FailureCode; readonly message: string }

/** Where a result is that is not delivered yet. Not permanent and not yet checked. */
export const ResultRef = z.union([
  /** The address that the provider gave. */
  z.object({ url: z.string().min(1).max(4_000) }),
  /** The provider hands it out itself when it is asked for the task's output. */
  z.object({ from: z.literal('task') }),
  /** It came with the answer and exists nowhere else: its bytes were kept where this says. */
  z.object({ from: z.enum(['store', 'spool']), sha256: z.string().length(64) }),
])
export type ResultRef = Readonly<z.infer<typeof ResultRef>>

/**
 * What is known, carrying exactly the facts that are known in each state, so that a state that
 * lies cannot be built: no pending attempt without a task, no delivery without a result.
 */
export type AttemptState =
  | { readonly state: 'initializing' }
  // Committed before the provider is called. Found with a dead lease, the task may or may not exist.
  | { readonly state: 'submitting' }
  | { readonly state: 'pending'; readonly taskId: TaskId }
  // The submission's answer was lost (no task id), or the task cannot be observed any more.
  | { readonly state: 'status_unknown'; readonly taskId: TaskId | undefined }
  | {
      readonly state: 'delivering'
      readonly taskId: TaskId | undefined
      readonly result: ResultRef
    }
  | {
      readonly state: 'storage_failed'
      readonly taskId: TaskId | undefined
      readonly result: ResultRef
    }
  | { readonly state: 'completed'; readonly taskId: TaskId | undefined }
  | { readonly state: 'failed'; readonly taskId: TaskId | undefined; readonly failure: Failure }

/** Names one attempt. The account is part of every key. */
export type AttemptKey = { readonly id: AttemptId; readonly accountId: AccountId }
