import { useLocale, useTranslations } from 'next-intl'
import { sentenceGap } from './locales'
import type { Message, Words } from './message'

/** Says messages in the reader's language, on the server and in the browser. */
export function useWords(): Words {
  const t = useTranslations()
  return ({ key, values }) => t(key, values)
}

/** Says several sentences one after the other. */
export function useSentences(): (messages: readonly Message[]) => string {
  const say = useWords()
  const gap = sentenceGap[useLocale()]
  return (messages) => messages.map(say).join(gap)
}
