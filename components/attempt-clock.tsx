'use client'

import { useTranslations } from 'next-intl'
import { useWords } from '@/lib/web/use-words'
import { paceWords } from '@/lib/web/pace-words'
import { clockWords, lookWords } from '@/lib/web/time-words'
import { useNow } from '@/lib/web/use-now'
import type { AttemptView } from '@/lib/web/views'

/** How long it has been under way, or how long it took. */
export function AttemptClock({ attempt }: { readonly attempt: AttemptView }) {
  const t = useTranslations('attempt.clock')
  const now = useNow()
  const isOpen = attempt.poll_after_ms !== null
  const untilMs = isOpen ? now : Date.parse(attempt.updated_at)
  const clock = untilMs === undefined ? '–:––' : clockWords(Date.parse(attempt.created_at), untilMs)
  return (
    <span className="font-mono text-xs text-muted tabular-nums">
      <span aria-hidden="true">{clock}</span>
      <span className="sr-only">{t(isOpen ? 'underWay' : 'took', { clock })}</span>
    </span>
  )
}

/** When we last looked and when we look next, while there is something to look for. */
export function AttemptLook({ attempt }: { readonly attempt: AttemptView }) {
  const say = useWords()
  const now = useNow()
  if (now === undefined || attempt.poll_after_ms === null) return null
  // Without a task to look at, an hour on the clock would promise a look that is none.
  if (attempt.status === 'unresolved' && attempt.looked_at === null) return null
  const { looked_at: lookedAt, next_look_at: nextLookAt } = attempt
  const words = lookWords({ lookedAt, nextLookAt }, now, say)
  if (words === undefined) return null
  return <p className="font-mono text-xs text-muted tabular-nums">{say(words)}</p>
}

type AttemptPaceProps = {
  readonly attempt: AttemptView
  readonly model: { readonly name: string; readonly usualSeconds: number } | undefined
}

/** Waiting and rendering apart, and whether that is usual. */
export function AttemptPace({ attempt, model }: AttemptPaceProps) {
  const say = useWords()
  const now = useNow()
  const pace = now === undefined ? undefined : paceWords(attempt, model, now, say)
  if (!pace) return null
  return (
    <div className="text-xs leading-relaxed text-muted tabular-nums">
      <p className="font-mono">{say(pace.clocks)}</p>
      {pace.note !== undefined && <p>{say(pace.note)}</p>}
    </div>
  )
}
