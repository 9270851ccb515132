import type { Settings } from './generation'
import type { AttemptId, TaskId } from './ids'
import type { Cancelling, Lookup, Observation, SubmitReport } from './observation'

/** An image that a picture is to be made after. */
export type ReferenceImage = {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly bytes: Buffer
}

/** What the provider needs to know of an attempt. `reference` is ours and is the same for ever. */
export type SubmitRequest = {
  readonly reference: AttemptId
  readonly model: string
  readonly prompt: string
  readonly settings: Settings
  readonly referenceImages: readonly ReferenceImage[]
  readonly callbackUrl: string | undefined
  /** Signs this attempt's callbacks, where a provider takes a secret with each request. */
  readonly callbackSecret: string
}

/** What was found out, or was not: then the unsafe answer is assumed. */
export type Charged = 'charged' | 'not-charged' | 'not-established'

/** What a provider can prove of a model's tasks. Facts of its documentation, not hopes. */
export type Capabilities = {
  /** `at-once`: the answer to the submission carries the image. */
  readonly answers: 'at-once' | 'later'
  /** For how long, counted from the first POST, the same POST makes no second task. */
  readonly idempotentForMs: number | undefined
  /** How a task is found without its id, and for how long after the submission. */
  readonly lookup: { readonly by: 'reference' | 'list'; readonly forMs: number } | undefined
  /** `attempt`: to an address of ours per attempt. `project`: to one address for all. */
  readonly callback: 'attempt' | 'project' | undefined
  /** `confirmed`: the provider says whether it stopped. `asked`: it only takes the wish. */
  readonly cancel: 'confirmed' | 'asked' | undefined
  /** For how long a result can be fetched after it was made. Undefined: not established. */
  readonly resultForMs: number | undefined
  readonly billing: {
    readonly failed: Charged
    readonly moderated: Charged
    readonly cancelled: Charged
  }
}

/** Bytes of an output, or why they did not come; `gone` when the provider will not give them again. */
export type Output =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: string; readonly gone: boolean }

/** All that the rest of the code knows of a provider. An adapter never throws for what a provider does. */
export type Provider = {
  readonly name: string
  readonly capabilities: (model: string) => Capabilities
  /** Origins that results may come from although they are private or not encrypted. */
  readonly trustedOrigins: readonly string[]
  /** How long the one POST may take. Undefined: as long as the environment allows. */
  readonly submitTimeoutMs: (model: string) => number | undefined
  /** Exactly one POST. The signal ends it at our deadline. */
  readonly submit: (request: SubmitRequest, signal: AbortSignal) => Promise<SubmitReport>
  /** `model` is the one the task was asked of: some providers keep their tasks per model. */
  readonly observe: (taskId: TaskId, model: string, signal: AbortSignal) => Promise<Observation>
  /** Looks for the task of a submission whose answer was lost. */
  readonly lookUp?: (
    request: Pick<SubmitRequest, 'reference' | 'model' | 'prompt' | 'settings' | 'callbackUrl'>,
    submittedAt: Date,
    signal: AbortSignal,
  ) => Promise<Lookup>
  readonly cancel?: (taskId: TaskId, model: string, signal: AbortSignal) => Promise<Cancelling>
  /** The output of a task whose result is `from: 'task'`. */
  readonly fetchOutput?: (taskId: TaskId, model: string, signal: AbortSignal) => Promise<Output>
  /** Our reference in a task that a callback to the whole project named. */
  readonly referenceOf?: (
    taskId: TaskId,
    signal: AbortSignal,
  ) => Promise<Lookup & { readonly reference?: string }>
}

/** What a callback says once it is proved to come from the provider. */
export type VerifiedCallback = {
  /** The same for every try to deliver it. */
  readonly deliveryId: string
  readonly taskId: TaskId | undefined
  /** Our reference, where the body repeats it: one about another attempt is for nobody. */
  readonly reference?: string
  readonly claims: 'working' | 'succeeded' | 'failed' | undefined
}

/** Checks callbacks over their raw bytes. Needs no key of the provider's account. */
export type CallbackVerifier = {
  /** Undefined when it is forged, stale or unsigned. `attemptSecret` is undefined without an attempt. */
  verify(callback: {
    readonly header: (name: string) => string | null
    readonly body: Buffer
    readonly now: Date
    readonly attemptSecret: string | undefined
  }): Promise<VerifiedCallback | undefined>
}
