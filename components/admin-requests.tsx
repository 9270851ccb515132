import Link from 'next/link'
import type { Role } from '@/lib/domain/role'
import { requestOffers } from '@/lib/web/admin-account-words'
import { offeredTo } from '@/lib/web/admin-act-words'
import { actWords } from '@/lib/web/admin-log-words'
import type { CreditRequestView } from '@/lib/web/admin-views'
import { creditsInEnglish } from '@/lib/web/admin-credit-words'
import { AdminAct } from './admin-act'
import { Age } from './age'

type AdminRequestsProps = {
  readonly requests: readonly CreditRequestView[]
  readonly viewer: Role
}

/** Credits that move only when a second admin agrees, and what became of those that were asked for. */
export function AdminRequests({ requests, viewer }: AdminRequestsProps) {
  return (
    <ul className="flex flex-col gap-3 text-sm">
      {requests.map((request) => (
        <li
          key={request.id}
          data-request={request.decision ?? 'open'}
          className="divide-y rounded-lg border bg-surface"
        >
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-3">
            <span className="min-w-0">
              <span className="font-medium">{actWords[request.act]}</span>{' '}
              <Link
                href={`/admin/accounts/${request.account_id}`}
                className="break-all underline decoration-line-strong underline-offset-4"
              >
                {request.account_email ?? 'a guest'}
              </Link>
              <span className="block text-muted">
                asked <Age iso={request.asked_at} /> ago by {request.requester ?? 'an admin'}:{' '}
                {request.reason}
              </span>
            </span>
            <span className="font-mono tabular-nums">{creditsInEnglish(request.credits)}</span>
          </div>
          {request.decision === null ? (
            offeredTo(viewer, requestOffers(request)).map((offer) => (
              <AdminAct key={offer.asks.act} offer={offer} />
            ))
          ) : (
            <p className="px-4 py-3 text-muted">
              {request.decision === 'approved' ? 'Approved' : 'Rejected'} by{' '}
              {request.decider ?? 'an admin'}: {request.decided_why}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
