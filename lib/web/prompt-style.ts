/** Words for how a picture looks, each another thing that models know. */
export const promptStyles = [
  'photograph',
  'film',
  'monochrome',
  'oil',
  'watercolour',
  'ink',
  'poster',
  'isometric',
  'render',
  'pixel',
] as const
export type PromptStyle = (typeof promptStyles)[number]

const SEPARATOR = ', '

/** A style's words are the end of the prompt, where everybody sees what is sent. */
export function hasStyle(prompt: string, words: string): boolean {
  return prompt === words || prompt.endsWith(SEPARATOR + words)
}

/** The prompt with the words of one style at its end, or of none. */
export function withStyle(
  prompt: string,
  words: string | undefined,
  everyStyle: readonly string[],
): string {
  const known = everyStyle.find((each) => hasStyle(prompt, each))
  const bare = known === undefined ? prompt : prompt.slice(0, -known.length).replace(/, $/, '')
  if (words === undefined) return bare
  return bare.trim() === '' ? words : bare.trimEnd() + SEPARATOR + words
}
