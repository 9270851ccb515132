import Link from 'next/link'
import { actorWords, actWords, outcomeWords, subjectHref } from '@/lib/web/admin-log-words'
import type { AdminLogLineView } from '@/lib/web/admin-views'
import { utcWords } from '@/lib/web/time-words'
import { Age } from './age'

/** What was asked for, by whom, about what and why, and what came of it. */
export function AdminLog({ lines }: { readonly lines: readonly AdminLogLineView[] }) {
  return (
    <ol className="divide-y rounded-lg border bg-surface text-sm">
      {lines.map((line) => (
        <li
          key={line.id}
          className="grid gap-x-6 gap-y-1.5 px-4 py-3.5 lg:grid-cols-[13rem_15rem_minmax(0,1fr)] xl:grid-cols-[15rem_22rem_minmax(0,1fr)]"
        >
          <div className="font-mono text-xs leading-5 text-muted tabular-nums">
            {utcWords(line.asked_at)}
            <span className="block">
              <Age iso={line.asked_at} /> ago, by
            </span>
            <span className="block break-all">{actorWords(line.actor)}</span>
          </div>
          <div className="min-w-0">
            <span className="font-medium">{actWords[line.act] ?? line.act}</span>
            <Link
              href={subjectHref(line.subject)}
              className="block py-1 font-mono text-xs break-all text-muted underline decoration-line-strong underline-offset-4"
            >
              {line.subject}
            </Link>
          </div>
          <div className="min-w-0 break-words">
            <p>{line.reason}</p>
            <p className="text-muted">{outcomeWords(line.outcome)}</p>
            {Object.keys(line.detail).length > 0 && (
              <p className="font-mono text-xs leading-5 text-muted">
                {Object.entries(line.detail)
                  .map(([name, value]) => `${name} ${String(value)}`)
                  .join(', ')}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
