import { useTranslations } from 'next-intl'
import { useWords } from '@/lib/web/use-words'
import type { StatusWord } from '@/lib/domain/attempt'
import { attemptWords } from '@/lib/web/attempt-words'
import { cn } from '@/lib/web/class-names'
import type { AttemptView } from '@/lib/web/views'
import { AttemptLook } from './attempt-clock'

// Where the person should look twice, and only there, the words stand on the safelight.
const BLOCK: Record<StatusWord, string> = {
  queued: '',
  submitting: '',
  generating: '',
  unresolved: 'border-l-2 border-safelight bg-safelight-wash py-2.5 pr-3 pl-3',
  delivering: '',
  delivered: '',
  failed: 'border-l-2 border-line-strong pl-3',
}

/** What is known, what happens next, and what the credits are doing. */
export function AttemptAccount({ attempt }: { readonly attempt: AttemptView }) {
  const t = useTranslations('attempt')
  const say = useWords()
  const { text, next, cancel, money } = attemptWords(attempt)
  const isFailed = attempt.status === 'failed'
  return (
    <div className={cn('flex flex-col gap-1.5 text-sm leading-snug', BLOCK[attempt.status])}>
      <p className="break-words">{say(text)}</p>
      {cancel !== undefined && <p>{say(cancel)}</p>}
      <p className="font-medium tabular-nums">{say(money)}</p>
      {next !== undefined && (
        <p className="text-muted">
          {isFailed
            ? say(next)
            : t.rich('next', {
                sentence: say(next),
                label: (words) => <span className="text-foreground">{words}</span>,
              })}
        </p>
      )}
      <AttemptLook attempt={attempt} />
    </div>
  )
}
