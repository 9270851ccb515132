import { isRecord } from './browser-storage'
import { message, type Message } from './message'
import { shaped } from './shape'
import { isAttemptView, isBalanceView } from './view-shapes'
import type { AttemptView, BalanceView } from './views'

/** The account whose page asks goes with it, for the reason that it goes with a request. */
export type AttemptAction = (accountId: string, attemptId: string) => Promise<unknown>

export type News = { readonly attempt: AttemptView; readonly balance: BalanceView }

const isNews = shaped<News>({ attempt: isAttemptView, balance: isBalanceView })

const REFUSALS = ['signed-out', 'not-found'] as const

function parseAnswer(answer: unknown): News | (typeof REFUSALS)[number] | undefined {
  if (!isRecord(answer)) return undefined
  const { ok, value, refusal } = answer
  if (ok === true) return isNews(value) ? value : undefined
  return REFUSALS.find((code) => isRecord(refusal) && refusal['code'] === code)
}

export type ActOutcome = 'done' | 'no-answer' | 'outdated' | 'signed-out' | 'not-found'

/** Asks for something about an attempt, and learns what is known of it then. No answer says nothing. */
export async function askAbout(options: {
  readonly ask: () => Promise<unknown>
  readonly isOutdated: (error: unknown) => boolean
  readonly onNews: (news: News) => Promise<void>
}): Promise<ActOutcome> {
  let answer: unknown
  try {
    answer = await options.ask()
  } catch (error) {
    return options.isOutdated(error) ? 'outdated' : 'no-answer'
  }
  const news = parseAnswer(answer)
  if (news === undefined) return 'no-answer'
  if (typeof news === 'string') return news
  await options.onNews(news)
  return 'done'
}

export const actWords: Record<Exclude<ActOutcome, 'done'>, Message> = {
  'no-answer': message('attempt.act.noAnswer'),
  outdated: message('attempt.act.outdated'),
  'signed-out': message('attempt.act.signedOut'),
  'not-found': message('attempt.act.notFound'),
}
