import type { Metadata } from 'next'
import { AdminFilters, FilterChoice, FilterDay, FilterText } from '@/components/admin-filters'
import { AdminLog } from '@/components/admin-log'
import { AdminPager } from '@/components/admin-pager'
import { EmptyState } from '@/components/empty-state'
import { PageHeading } from '@/components/page-heading'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { adminActNames, mayAct, roles } from '@/lib/domain/role'
import { readAdminLog } from '@/lib/use-cases/read-admin-log'
import { actWords } from '@/lib/web/admin-log-words'
import { oneOf, type SearchParams } from '@/lib/web/search-params'

export const metadata: Metadata = { title: 'Log' }

const LINES_PER_PAGE = 50

const ACTS = [
  ['', 'any act'],
  ...adminActNames.map((act) => [act, actWords[act] ?? act] as const),
] as const
// Those who may do something. What the others read is not written down.
const ROLES = [
  ['', 'any role'],
  ...roles
    .filter((role) => adminActNames.some((act) => mayAct(role, act)))
    .map((role) => [role, role] as const),
] as const

export default async function AdminLogPage({ searchParams }: { searchParams: SearchParams }) {
  const admin = await requireReviewer()
  const params = await searchParams
  const query = {
    act: oneOf(params['act']),
    role: oneOf(params['role']),
    actor: oneOf(params['actor']),
    from: oneOf(params['from']),
    to: oneOf(params['to']),
    subject: oneOf(params['subject']),
  }
  const cursor = oneOf(params['cursor'])
  const page = await readAdminLog(deps(), admin, { ...query, cursor, limit: LINES_PER_PAGE })
  const isFiltered = Object.values(query).some((value) => value !== undefined)
  return (
    <>
      <PageHeading title="Log">
        What admins asked for, why, and what came of it. Lines are added and never changed.
      </PageHeading>
      <AdminFilters path="/admin/log" isFiltered={isFiltered}>
        <FilterChoice name="act" label="Act" value={query.act} options={ACTS} />
        <FilterChoice name="role" label="Role" value={query.role} options={ROLES} />
        <FilterDay name="from" label="From" value={query.from} />
        <FilterDay name="to" label="To" value={query.to} />
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
