'use client'

import { useWords } from '@/lib/web/use-words'
import { durationWords } from '@/lib/web/time-words'
import { useNow } from '@/lib/web/use-now'

/** How long ago, or in how long when it lies ahead. Its place is kept until the browser knows. */
export function Age({ iso }: { readonly iso: string }) {
  const say = useWords()
  const now = useNow()
  const at = Date.parse(iso)
  const isAhead = now !== undefined && at > now
  const words = now === undefined ? '–' : say(durationWords(Math.min(at, now), Math.max(at, now)))
  return <span className="whitespace-nowrap tabular-nums">{isAhead ? `in ${words}` : words}</span>
}
