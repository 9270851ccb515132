import { useTranslations } from 'next-intl'
import type { Words } from './message'

/** Says messages in the reader's language, on the server and in the browser. */
export function useWords(): Words {
  const t = useTranslations()
  return ({ key, values }) => t(key, values)
}
