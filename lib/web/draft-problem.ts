import { settingProblems, type ModelFacts } from '@/lib/domain/model'
import {
  NEGATIVE_PROMPT_CODE_POINTS_MAX,
  PROMPT_CODE_POINTS_MAX,
  promptProblem,
} from '@/lib/domain/prompt'
import { negativePromptOf, settingsOf, type Draft } from './draft'
import { message, type Message } from './message'
import { problemWords } from './problem-words'

/** The longest prompt that can be sent to this model, in code points. */
export const promptMaxOf = ({ promptCodePointsMax }: ModelFacts): number =>
  Math.min(promptCodePointsMax, PROMPT_CODE_POINTS_MAX)

/** Why this draft cannot be sent to its model: what the server would say, before it is asked. */
export function draftProblem(draft: Draft, model: ModelFacts): Message | undefined {
  const problem = promptProblem(draft.prompt, PROMPT_CODE_POINTS_MAX)
  if (problem && problem !== 'too-long') return message(`studio.problem.${problem}`)
  const asked = { prompt: draft.prompt, settings: settingsOf(draft, model, 0) }
  const [refused] = settingProblems(model, asked)
  if (refused) return problemWords(refused)
  if (problem) return message('studio.problem.too-long', { most: PROMPT_CODE_POINTS_MAX })
  const most = NEGATIVE_PROMPT_CODE_POINTS_MAX
  const negative = promptProblem(negativePromptOf(draft, model) ?? '', most)
  return negative && negative !== 'empty'
    ? message(`studio.problem.negative-${negative}`, { most })
    : undefined
}
