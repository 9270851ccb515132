import Link from 'next/link'
import { troublesInEnglish } from '@/lib/web/admin-purchase-words'
import type { AdminPurchaseView, PaymentTroubleView } from '@/lib/web/purchase-views'
import { utcWords } from '@/lib/web/time-words'
import { AdminPurchases } from './admin-purchases'

type AdminPaymentTroublesProps = {
  readonly owing: readonly AdminPurchaseView[]
  readonly events: readonly PaymentTroubleView[]
}

/** What of the payments does not fit, newest first. Nothing is shown where everything does. */
export function AdminPaymentTroubles({ owing, events }: AdminPaymentTroublesProps) {
  if (owing.length + events.length === 0) return null
  return (
    <section aria-label="Payments that need a person" className="mb-8 flex flex-col gap-3">
      <h2 className="border-b pb-2 text-sm font-medium">Payments that need a person</h2>
      {owing.length > 0 && <AdminPurchases purchases={owing} linksAccount />}
      {events.length > 0 && (
        <ol className="divide-y rounded-lg border bg-surface text-sm">
          {events.map((event) => (
            <li key={event.id} className="flex flex-col gap-1 px-4 py-3">
              <span>{troublesInEnglish[event.trouble]}</span>
              <span className="font-mono text-xs wrap-anywhere text-muted">
                {utcWords(event.received_at)}, {event.kind} {event.outcome}, {event.amount}{' '}
                {event.currency},{' '}
                {[event.payment_id, event.session_id, event.id].filter(Boolean).join(', ')}
              </span>
              {event.account_id !== null && (
                <Link
                  href={`/admin/accounts/${event.account_id}`}
                  className="self-start py-1 font-mono text-xs break-all underline decoration-line-strong underline-offset-4"
                >
                  {event.account_id}
                </Link>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
