import type { Metadata } from 'next'
import { AdminAccounts } from '@/components/admin-accounts'
import { AdminFilters, FilterText } from '@/components/admin-filters'
import { EmptyState } from '@/components/empty-state'
import { PageHeading } from '@/components/page-heading'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { searchAccounts } from '@/lib/use-cases/review-accounts'
import { oneOf, type SearchParams } from '@/lib/web/search-params'

export const metadata: Metadata = { title: 'Accounts' }

export default async function AdminAccountsPage({ searchParams }: { searchParams: SearchParams }) {
  const admin = await requireReviewer()
  const email = oneOf((await searchParams)['email'])
  const { data, more } = await searchAccounts(deps(), admin, email)
  return (
    <>
      <PageHeading title="Accounts">
        Found by how the e-mail begins. Guests have none: their attempts lead to them.
      </PageHeading>
      <AdminFilters path="/admin/accounts" isFiltered={email !== undefined}>
        <FilterText name="email" label="E-mail" value={email} placeholder="ada@example.com" />
      </AdminFilters>
      {data.length === 0 ? (
        <EmptyState title="Nobody">No account has an e-mail that begins so.</EmptyState>
      ) : (
        <AdminAccounts accounts={data} />
      )}
      {more && <p className="mt-4 text-sm text-muted">There are more. Type more of the e-mail.</p>}
    </>
  )
}
