import type { Failure, ResultRef } from './attempt'
import type { TaskId } from './ids'

/** What the provider says that it cost us, in its own unit. */
export type Cost = { readonly amount: number; readonly unit: string }

/** What one look at a provider's task told. Looking and failing to look are different things. */
export type Observation =
  | { readonly kind: 'pending'; readonly progress: number | undefined }
  | { readonly kind: 'succeeded'; readonly result: ResultRef; readonly cost?: Cost }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly cost?: Cost }
  /** We failed to look. It says nothing about the task. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs?: number }
  /** The provider answered that it knows no such task. Proof of nothing: it may have forgotten it. */
  | { readonly kind: 'missing'; readonly reason: string }

/** What the one POST told. */
export type SubmitOutcome =
  | { readonly kind: 'accepted'; readonly taskId: TaskId }
  /** The answer carries the image, which exists nowhere else. */
  | { readonly kind: 'made'; readonly image: Buffer }
  /** The answer says where the image is. */
  | { readonly kind: 'made-at'; readonly result: ResultRef }
  /** It was taken and ended without an image, for good. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly evidence: Evidence }
  /** Proof that nothing was made, and that asking again would not help. */
  | {
      readonly kind: 'rejected'
      readonly failure: Failure
      readonly evidence: Evidence
      /** Our key or our balance was refused: nobody's attempt can succeed until that is mended. */
      readonly oursToMend?: boolean
    }
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

/** The one POST as a line of upstream usage: what went out, never a key, and what came back. */
export type Usage = {
  /** The address without its query. */
  readonly address: string
  readonly requestSha256: string
  readonly requestBytes: number
  readonly httpStatus: number | undefined
  /** The provider's own id of this request, for its support. */
  readonly providerRequestId: string | undefined
  readonly cost: Cost | undefined
}

export type SubmitReport = { readonly outcome: SubmitOutcome; readonly usage: Usage }

/** What a search for a task without its id told. */
export type Lookup =
  | { readonly kind: 'found'; readonly taskId: TaskId }
  /** Nothing was found. Proof of nothing, unless the provider documents the search as complete. */
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs?: number }

/** What became of the wish to stop a task. */
export type Cancelling =
  /** It stopped, and no image will come of it. */
  | { readonly kind: 'cancelled' }
  /** The wish was taken; what becomes of it is seen by looking. */
  | { readonly kind: 'asked' }
  /** It had ended already. */
  | { readonly kind: 'too-late' }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs?: number }
