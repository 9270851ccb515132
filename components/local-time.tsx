'use client'

import { utcWords } from '@/lib/web/time-words'
import { useHydrated } from '@/lib/web/use-hydrated'

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** A time in the reader's own zone; in UTC until the browser has told which that is. */
export function LocalTime({ iso }: { readonly iso: string }) {
  const isHydrated = useHydrated()
  return (
    <time dateTime={iso} title={utcWords(iso)} className="whitespace-nowrap tabular-nums">
      {isHydrated ? FORMAT.format(new Date(iso)) : utcWords(iso)}
    </time>
  )
}
