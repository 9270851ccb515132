import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AdminOverview } from '@/components/admin-overview'
import { LiveRefresh } from '@/components/live-refresh'
import { PageHeading } from '@/components/page-heading'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { readAdminOverview } from '@/lib/use-cases/read-admin-overview'

export const metadata: Metadata = { title: 'Overview' }

export default async function AdminPage() {
  const admin = await requireReviewer()
  const overview = await readAdminOverview(deps(), admin)
  if (!overview) notFound()
  return (
    <>
      <PageHeading title="Overview">
        What is open now, what it holds, and what needs a person. Every number leads to its list.
      </PageHeading>
      <LiveRefresh />
      <AdminOverview overview={overview} />
    </>
  )
}
