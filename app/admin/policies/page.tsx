import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AdminPolicies } from '@/components/admin-policies'
import { PageHeading } from '@/components/page-heading'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { readPolicies } from '@/lib/use-cases/read-policies'

export const metadata: Metadata = { title: 'Policies' }

export default async function AdminPoliciesPage() {
  const admin = await requireReviewer()
  const policies = await readPolicies(deps(), admin)
  if (!policies) notFound()
  return (
    <>
      <PageHeading title="Policies">
        What holds now in matters of money, set by the environment, and what held before.
      </PageHeading>
      <AdminPolicies view={policies} />
    </>
  )
}
