import type { Metadata } from 'next'
import { AdminFilters, FilterText } from '@/components/admin-filters'
import { AdminLog } from '@/components/admin-log'
import { AdminPager } from '@/components/admin-pager'
import { EmptyState } from '@/components/empty-state'
import { PageHeading } from '@/components/page-heading'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { readAdminLog } from '@/lib/use-cases/read-admin-log'
import { oneOf, type SearchParams } from '@/lib/web/search-params'

export const metadata: Metadata = { title: 'Log' }

const LINES_PER_PAGE = 50

export default async function AdminLogPage({ searchParams }: { searchParams: SearchParams }) {
  const admin = await requireReviewer()
  const params = await searchParams
  const query = { actor: oneOf(params['actor']), subject: oneOf(params['subject']) }
  const cursor = oneOf(params['cursor'])
  const page = await readAdminLog(deps(), admin, { ...query, cursor, limit: LINES_PER_PAGE })
  const isFiltered = query.actor !== undefined || query.subject !== undefined
  return (
    <>
      <PageHeading title="Log">
        What admins asked for, why, and what came of it. Lines are added and never changed.
      </PageHeading>
      <AdminFilters path="/admin/log" isFiltered={isFiltered}>
        <FilterText name="actor" label="By" value={query.actor} placeholder="admin@example.com" />
        <FilterText
          name="subject"
          label="About"
          value={query.subject}
          placeholder="attempt:…, account:… or provider:…"
        />
      </AdminFilters>
      {page.data.length === 0 ? (
        <EmptyState title="No lines">
          {isFiltered ? 'Nothing in the log fits.' : 'No admin has done anything yet.'}
        </EmptyState>
      ) : (
        <AdminLog lines={page.data} />
      )}
      <AdminPager path="/admin/log" query={query} cursor={cursor} nextCursor={page.next_cursor} />
    </>
  )
}
