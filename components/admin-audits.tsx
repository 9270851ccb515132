import { actorWords } from '@/lib/web/admin-log-words'
import type { AuditView } from '@/lib/web/admin-views'
import { utcWords } from '@/lib/web/time-words'
import { Age } from './age'

/** What audits found, newest first. */
export function AdminAudits({ audits }: { readonly audits: readonly AuditView[] }) {
  return (
    <section aria-label="Audits" className="flex flex-col gap-3">
      <h2 className="border-b pb-2 text-sm font-medium">Audits</h2>
      <ol className="divide-y rounded-lg border bg-surface text-sm">
        {audits.map((audit) => (
          <li
            key={audit.id}
            className="grid items-baseline gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[19rem_10rem_minmax(0,1fr)]"
          >
            <span className="font-mono text-xs text-muted tabular-nums">
              {utcWords(audit.ran_at)}, <Age iso={audit.ran_at} /> ago
            </span>
            <span className={audit.violations > 0 ? 'text-safelight-ink' : undefined}>
              {audit.violations === 0
                ? 'Everything adds up'
                : `${audit.truncated ? 'more than ' : ''}${audit.violations} differences`}
            </span>
            <span className="wrap-anywhere text-muted sm:text-right">
              {(audit.duration_ms / 1_000).toFixed(1)} s, by {actorWords(audit.actor)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
