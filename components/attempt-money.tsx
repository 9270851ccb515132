import { useTranslations } from 'next-intl'
import { useWords } from '@/lib/web/use-words'
import { entryWords, creditWords } from '@/lib/web/credit-words'
import type { LedgerEntryView } from '@/lib/web/views'
import { LocalTime } from './local-time'

/** An attempt without a line holds, or used, a free image. */
function NoCreditsMoved() {
  const t = useTranslations('credits')
  return <p className="text-sm text-muted">{t('free')}</p>
}

/** The lines of the statement that belong to one attempt. */
export function AttemptMoney({ entries }: { readonly entries: readonly LedgerEntryView[] }) {
  const say = useWords()
  if (entries.length === 0) return <NoCreditsMoved />
  return (
    <ol className="flex flex-col gap-2.5">
      {entries.map((entry) => (
        <li key={entry.seq} className="grid grid-cols-[1fr_auto] gap-x-4 text-sm">
          <span className="font-medium">{say(entryWords(entry.kind).word)}</span>
          <span className="text-right font-mono tabular-nums">
            {say(creditWords(entry.amount))}
          </span>
          <span className="text-[0.8125rem] text-muted">{say(entryWords(entry.kind).meaning)}</span>
          <span className="text-right text-xs text-muted">
            <LocalTime iso={entry.created_at} />
          </span>
        </li>
      ))}
    </ol>
  )
}
