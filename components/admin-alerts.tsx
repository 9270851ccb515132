import { TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { ALERT_HREFS, ALERT_TITLES } from '@/lib/web/alert-words'
import type { AlertsView } from '@/lib/web/admin-views'
import { utcWords } from '@/lib/web/time-words'
import { Age } from './age'

const LINK = 'underline decoration-line-strong underline-offset-4'

/** What stands, on every page of an admin. Nothing while nothing is the matter. */
export function AlertBanner({ view }: { readonly view: AlertsView }) {
  const standing = view.alerts.filter(({ cleared_at: clearedAt }) => clearedAt === null)
  if (standing.length === 0 && view.is_watched) return null
  return (
    <section
      aria-label="Alerts"
      className="mb-6 flex gap-3 border-l-2 border-safelight bg-safelight-wash px-4 py-3 text-sm"
    >
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-safelight-ink" />
      <ul className="flex min-w-0 flex-col gap-1">
        {!view.is_watched && (
          <li>
            <span className="font-medium">No worker is at work.</span> Nothing is sent, looked at or
            delivered, and nobody raises alerts.
          </li>
        )}
        {standing.map((alert) => (
          <li key={alert.id} data-alert={alert.kind} className="break-words">
            <Link href={ALERT_HREFS[alert.kind]} className={`${LINK} font-medium`}>
              {ALERT_TITLES[alert.kind]}
            </Link>{' '}
            for <Age iso={alert.raised_at} />. {alert.words}
          </li>
        ))}
        {standing.length > 0 && (
          <li>
            <Link href="/admin/alerts" className={LINK}>
              All alerts
            </Link>
          </li>
        )}
      </ul>
    </section>
  )
}

/** Those that stand and those that were. */
export function AdminAlerts({ view }: { readonly view: AlertsView }) {
  return (
    <ol className="divide-y rounded-lg border bg-surface text-sm">
      {view.alerts.map((alert) => (
        <li
          key={alert.id}
          className="grid gap-x-6 gap-y-1 px-4 py-3.5 lg:grid-cols-[13rem_14rem_minmax(0,1fr)]"
        >
          <div className="font-mono text-xs leading-5 text-muted tabular-nums">
            {utcWords(alert.raised_at)}
            <span className="block">
              {alert.cleared_at === null ? 'stands' : `cleared ${utcWords(alert.cleared_at)}`}
            </span>
          </div>
          <div className="min-w-0">
            <Link href={ALERT_HREFS[alert.kind]} className={`${LINK} font-medium`}>
              {ALERT_TITLES[alert.kind]}
            </Link>
            <span className="block font-mono text-xs break-all text-muted">{alert.subject}</span>
          </div>
          <div className="min-w-0 break-words">
            <p className={alert.cleared_at === null ? 'text-safelight-ink' : undefined}>
              {alert.words}
            </p>
            {alert.untold > 0 && (
              <p className="text-muted">
                {alert.untold === 1 ? '1 notice was' : `${alert.untold} notices were`} not taken
                yet. It is tried again.
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
