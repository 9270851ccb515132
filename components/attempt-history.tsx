import { historyWords } from '@/lib/web/history-words'
import { useWords } from '@/lib/web/use-words'
import type { HistoryLineView } from '@/lib/web/views'
import { LocalTime } from './local-time'
import { StatusMark } from './status-mark'

/** What happened, in plain words, oldest first. */
export function AttemptHistory({ history }: { readonly history: readonly HistoryLineView[] }) {
  const say = useWords()
  return (
    <ol className="flex flex-col">
      {history.map(({ seq, at, status, kind }) => (
        <li key={seq} className="relative border-l pb-4 pl-4 last:pb-0">
          <span
            aria-hidden="true"
            className="absolute top-1.5 -left-[3.5px] size-1.5 rounded-full bg-line-strong"
          />
          <p className="text-sm leading-snug">{say(historyWords(kind))}</p>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-xs text-muted">
            <LocalTime iso={at} />
            <StatusMark status={status} className="text-xs! font-normal! [&_svg]:size-3!" />
          </p>
        </li>
      ))}
    </ol>
  )
}
