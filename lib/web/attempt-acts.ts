import { z } from 'zod'
import { AttemptView, BalanceView } from './views'

/** The account whose page asks goes with it, for the reason that it goes with a request. */
export type AttemptAction = (accountId: string, attemptId: string) => Promise<unknown>

const News = z.object({ attempt: AttemptView, balance: BalanceView })
export type News = Readonly<z.infer<typeof News>>

const Answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: News }),
  z.object({
    ok: z.literal(false),
    refusal: z.object({ code: z.enum(['signed-out', 'not-found']) }),
  }),
])

export type ActOutcome = 'done' | 'no-answer' | 'outdated' | 'signed-out' | 'not-found'

/** Asks for something about an attempt, and learns what is known of it then. No answer says nothing. */
export async function askAbout(options: {
  readonly ask: () => Promise<unknown>
  readonly isOutdated: (error: unknown) => boolean
  readonly onNews: (news: News) => Promise<void>
}): Promise<ActOutcome> {
  let answer: z.infer<typeof Answer>
  try {
    answer = Answer.parse(await options.ask())
  } catch (error) {
    return options.isOutdated(error) ? 'outdated' : 'no-answer'
  }
  if (!answer.ok) return answer.refusal.code
  await options.onNews(answer.value)
  return 'done'
}

export const actWords: Record<Exclude<ActOutcome, 'done'>, string> = {
  'no-answer': 'No answer. It may have been heard; asking again does no harm.',
  outdated: 'Darkroom was updated. Reload the page and ask again.',
  'signed-out': 'You are signed out. Sign in again first.',
  'not-found': 'It is not there any more. Reload the page.',
}
