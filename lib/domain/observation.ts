import type { Failure, ResultRef } from './attempt'
import type { TaskId } from './ids'

/** What one look at a provider's task told. Looking and failing to look are different things. */
export type Observation =
  | { readonly kind: 'pending'; readonly progress: number | undefined }
  | { readonly kind: 'succeeded'; readonly result: ResultRef }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** We failed to look. It says nothing about the task. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs?: number }
  /** The provider answered that it knows no such task. Proof of nothing: it may have forgotten it. */
  | { readonly kind: 'missing'; readonly reason: string }

/** What the one POST told. */
export type SubmitOutcome =
  | { readonly kind: 'accepted'; readonly taskId: TaskId }
  /** Proof that nothing was made, and that asking again would not help. */
  | { readonly kind: 'rejected'; readonly failure: Failure; readonly evidence: Evidence }
  /** Proof that nothing was made. The same attempt may be sent again later. */
  | {
      readonly kind: 'rejected-for-now'
      readonly retryAfterMs: number | undefined
      readonly evidence: Evidence
    }
  /** No proof either way: a reset, a timeout, a 5xx, an unreadable answer. Never sent again. */
  | { readonly kind: 'unknown'; readonly evidence: Evidence }

/** What was seen, small and free of secrets, kept in the history for the admin. */
export type Evidence = {
  readonly reason: string
  readonly httpStatus?: number
  readonly errorCode?: string
  readonly body?: string
}
