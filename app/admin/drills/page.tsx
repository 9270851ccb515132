import type { Metadata } from 'next'
import { AdminDrills } from '@/components/admin-drills'
import { EmptyState } from '@/components/empty-state'
import { PageHeading } from '@/components/page-heading'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { drillModel } from '@/lib/use-cases/start-drill'

export const metadata: Metadata = { title: 'Drills' }

export default async function AdminDrillsPage() {
  const admin = await requireReviewer()
  const model = drillModel(deps())
  return (
    <>
      <PageHeading title="Drills">
        Make something go wrong with an attempt of your own, and watch what the system does.
      </PageHeading>
      {model ? (
        <AdminDrills price={model.priceCredits} mayStart={admin.role === 'admin'} />
      ) : (
        <EmptyState title="Nothing to drill">The simulator is off here.</EmptyState>
      )}
    </>
  )
}
