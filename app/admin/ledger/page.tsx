import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AdminAudit } from '@/components/admin-audit'
import { AdminAudits } from '@/components/admin-audits'
import { AdminPaymentTroubles } from '@/components/admin-payment-troubles'
import { EmptyState } from '@/components/empty-state'
import { PageHeading } from '@/components/page-heading'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { reviewLedger } from '@/lib/use-cases/review-ledger'

export const metadata: Metadata = { title: 'Ledger' }

export default async function AdminLedgerPage() {
  const admin = await requireReviewer()
  const ledger = await reviewLedger(deps(), admin)
  if (!ledger) notFound()
  return (
    <>
      <PageHeading title="Ledger">
        An audit computes every balance anew from the lines and holds every rule against the rows.
      </PageHeading>
      <div className="mb-8 flex flex-col gap-4">
        {ledger.may_audit && <AdminAudit />}
        <a
          href="/api/admin/ledger"
          className="inline-flex min-h-10 items-center self-start text-sm underline decoration-line-strong underline-offset-4"
        >
          All lines as CSV
        </a>
      </div>
      <AdminPaymentTroubles owing={ledger.owing} events={ledger.events} />
      {ledger.audits.length === 0 ? (
        <EmptyState title="No audit yet">A worker makes one by itself when it is due.</EmptyState>
      ) : (
        <AdminAudits audits={ledger.audits} />
      )}
    </>
  )
}
