import type { Metadata } from 'next'
import { AdminAlerts } from '@/components/admin-alerts'
import { EmptyState } from '@/components/empty-state'
import { LiveRefresh } from '@/components/live-refresh'
import { PageHeading } from '@/components/page-heading'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { readAlerts } from '@/lib/use-cases/read-alerts'

export const metadata: Metadata = { title: 'Alerts' }

const SHOWN_MAX = 200

export default async function AdminAlertsPage() {
  const admin = await requireReviewer()
  const view = await readAlerts(deps(), admin, SHOWN_MAX)
  return (
    <>
      <PageHeading title="Alerts">
        Each is raised once and cleared once. What to do about each is in docs/RUNBOOK.md.
      </PageHeading>
      <LiveRefresh />
      {view.alerts.length === 0 ? (
        <EmptyState title="No alerts">None was ever raised.</EmptyState>
      ) : (
        <AdminAlerts view={view} />
      )}
    </>
  )
}
