import type { Settings } from './generation'
import type { AttemptId, TaskId } from './ids'
import type { Observation, SubmitOutcome } from './observation'

/** What the provider needs to know of an attempt. `reference` is ours and is the same for ever. */
export type SubmitRequest = {
  readonly reference: AttemptId
  readonly model: string
  readonly prompt: string
  readonly settings: Settings
  readonly callbackUrl: string | undefined
}

/** All that the rest of the code knows of a provider. An adapter never throws for what a provider does. */
export type Provider = {
  readonly name: string
  /** Where its results may be fetched from, as origins. */
  readonly resultOrigins: readonly string[]
  /** Exactly one POST. The signal ends it at our deadline. */
  submit(request: SubmitRequest, signal: AbortSignal): Promise<SubmitOutcome>
  observe(taskId: TaskId, signal: AbortSignal): Promise<Observation>
}
