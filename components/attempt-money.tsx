import { entryWords, creditWords } from '@/lib/web/credit-words'
import type { LedgerEntryView } from '@/lib/web/views'
import { LocalTime } from './local-time'

/** The lines of the statement that belong to one attempt. */
export function AttemptMoney({ entries }: { readonly entries: readonly LedgerEntryView[] }) {
  return (
    <ol className="flex flex-col gap-2.5">
      {entries.map((entry) => (
        <li key={entry.seq} className="grid grid-cols-[1fr_auto] gap-x-4 text-sm">
          <span className="font-medium">{entryWords[entry.kind].word}</span>
          <span className="text-right font-mono tabular-nums">{creditWords(entry.amount)}</span>
          <span className="text-[0.8125rem] text-muted">
            {entryWords[entry.kind].meaning}
            {entry.reason !== null && ` ${entry.reason}`}
          </span>
          <span className="text-right text-xs text-muted">
            <LocalTime iso={entry.created_at} />
          </span>
        </li>
      ))}
    </ol>
  )
}
