import { settingProblems, type ModelFacts } from '@/lib/domain/model'
import {
  NEGATIVE_PROMPT_CODE_POINTS_MAX,
  PROMPT_CODE_POINTS_MAX,
  promptProblem,
  promptProblemWords,
  type PromptProblem,
} from '@/lib/domain/prompt'
import { negativePromptOf, settingsOf, type Draft } from './draft'

/** The longest prompt that can be sent to this model, in code points. */
export const promptMaxOf = ({ promptCodePointsMax }: ModelFacts): number =>
  Math.min(promptCodePointsMax, PROMPT_CODE_POINTS_MAX)

const NEGATIVE_PROBLEM_WORDS: Record<Exclude<PromptProblem, 'empty'>, string> = {
  'too-long': `The negative prompt is too long: at most ${NEGATIVE_PROMPT_CODE_POINTS_MAX.toLocaleString('en')} characters.`,
  'nul-character': 'The negative prompt contains a NUL character (U+0000), which cannot be kept.',
  'lone-surrogate': 'The negative prompt contains half of a character, which cannot be kept.',
}

/** Why this draft cannot be sent to its model, in words: what the server would say, before it is asked. */
export function draftProblem(draft: Draft, model: ModelFacts): string | undefined {
  const problem = promptProblem(draft.prompt, PROMPT_CODE_POINTS_MAX)
  if (problem && problem !== 'too-long') return promptProblemWords[problem]
  const asked = { prompt: draft.prompt, settings: settingsOf(draft, model, 0) }
  const [refused] = settingProblems(model, asked)
  if (refused) return refused.message
  if (problem) return promptProblemWords[problem]
  const negative = promptProblem(
    negativePromptOf(draft, model) ?? '',
    NEGATIVE_PROMPT_CODE_POINTS_MAX,
  )
  return negative && negative !== 'empty' ? NEGATIVE_PROBLEM_WORDS[negative] : undefined
}
