'use client'

import { useLocale } from 'next-intl'
import { localTimeWords, utcWords } from '@/lib/web/time-words'
import { useHydrated } from '@/lib/web/use-hydrated'

/** A time in the reader's own zone; in UTC until the browser has told which that is. */
export function LocalTime({
  iso,
  zone = false,
}: {
  readonly iso: string
  /** Names the zone too. */
  readonly zone?: boolean
}) {
  const locale = useLocale()
  const isHydrated = useHydrated()
  return (
    <time dateTime={iso} title={utcWords(iso)} className="whitespace-nowrap tabular-nums">
      {isHydrated ? localTimeWords(iso, { locale, zone }) : utcWords(iso)}
    </time>
  )
}
