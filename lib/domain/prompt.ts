// What a text must be to be kept exactly as typed. Plain code: the browser has it too.

// Above what people type and below what any offered model refuses.
export const PROMPT_CODE_POINTS_MAX = 4_000
export const NEGATIVE_PROMPT_CODE_POINTS_MAX = 2_000

/** Length as people count it: an emoji outside the basic plane is one, not two. */
export function codePointCount(text: string): number {
  return Array.from(text).length
}

export const promptProblems = ['empty', 'too-long', 'nul-character', 'lone-surrogate'] as const
export type PromptProblem = (typeof promptProblems)[number]

/**
 * Says why a prompt cannot be kept exactly as typed, or undefined when it can. A prompt is never
 * trimmed, normalised or cut: what is stored and sent is what was typed.
 */
export function promptProblem(prompt: string, codePointsMax: number): PromptProblem | undefined {
  if (prompt.trim() === '') return 'empty'
  if (prompt.includes('\u0000')) return 'nul-character'
  if (!prompt.isWellFormed()) return 'lone-surrogate'
  // A string has at most as many code points as code units, so the cheap test comes first.
  if (prompt.length > codePointsMax && codePointCount(prompt) > codePointsMax) return 'too-long'
  return undefined
}

export const promptProblemWords: Record<PromptProblem, string> = {
  empty: 'Write a prompt first.',
  'too-long': `The prompt is too long: at most ${PROMPT_CODE_POINTS_MAX.toLocaleString('en')} characters.`,
  'nul-character': 'The prompt contains a NUL character (U+0000), which cannot be kept. Remove it.',
  'lone-surrogate':
    'The prompt contains half of a character (a lone surrogate), which cannot be kept. Remove it.',
}
