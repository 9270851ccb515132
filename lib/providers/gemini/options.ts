/** What both surfaces need to know. */
export type GeminiOptions = {
  readonly base: string
  /** Carries the key. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether callbacks can be checked when they come. */
  readonly hasWebhook: boolean
  readonly now: () => Date
}
