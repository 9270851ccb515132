/** What both surfaces need to know. */
export type OpenAiOptions = {
  readonly base: string
  /** Carries the key. */
  readonly headers: Readonly<Record<string, string>>
  /** The text model that hands prompts to the image tool. */
  readonly responsesModel: string
  readonly now: () => Date
}
