import { actorWords, actWords } from '@/lib/web/admin-log-words'
import type { VerificationView } from '@/lib/web/views'
import { utcWords } from '@/lib/web/time-words'
import { Age } from './age'

const ENDED: Record<NonNullable<VerificationView['outcome']>, string> = {
  applied: 'Made sure of and recorded.',
  missing: 'Refused: the provider knows no such task.',
  other_attempt: 'Refused: it belongs to something else.',
  task_taken: 'Refused: another attempt has this task.',
  absent: 'Nothing was found.',
  unusable: 'Refused: the file is no image that can be delivered.',
  unreachable: 'Nobody could be asked. Nothing was changed; ask again later.',
  changed: 'It was not possible any more. Nothing was changed.',
}

/** What admins said, and what workers saw when they made sure of it. */
export function AdminVerifications({
  verifications,
}: {
  readonly verifications: readonly VerificationView[]
}) {
  return (
    <ol className="divide-y rounded-lg border bg-surface text-sm">
      {verifications.map((one) => (
        <li
          key={one.id}
          data-verification={one.outcome ?? 'open'}
          className="grid gap-x-6 gap-y-1 px-4 py-3 lg:grid-cols-[13rem_minmax(0,1fr)]"
        >
          <div className="font-mono text-xs leading-5 text-muted tabular-nums">
            {utcWords(one.asked_at)}
            <span className="block">
              <Age iso={one.asked_at} /> ago, by
            </span>
            <span className="block break-all">{actorWords(one.actor)}</span>
          </div>
          <div className="min-w-0 break-words">
            <p>
              <span className="font-medium">{actWords[one.act]}</span>
              {one.task_id !== null && (
                <span className="font-mono text-xs break-all text-muted"> {one.task_id}</span>
              )}
            </p>
            <p className={one.outcome === null ? 'text-safelight-ink' : undefined}>
              {one.outcome === null ? 'A worker is making sure of it.' : ENDED[one.outcome]}
            </p>
            {one.found !== null && <p className="text-muted">{one.found}</p>}
          </div>
        </li>
      ))}
    </ol>
  )
}
