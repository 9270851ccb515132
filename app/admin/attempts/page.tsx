import type { Metadata } from 'next'
import { AdminAttempts } from '@/components/admin-attempts'
import { AdminFilters, FilterChoice, FilterText } from '@/components/admin-filters'
import { AdminBulk } from '@/components/admin-bulk'
import { addressOf, AdminPager } from '@/components/admin-pager'
import { EmptyState } from '@/components/empty-state'
import { LiveRefresh } from '@/components/live-refresh'
import { PageHeading } from '@/components/page-heading'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { attemptStates, isFinal } from '@/lib/domain/attempt'
import { mayAct } from '@/lib/domain/role'
import { listAdminAttempts } from '@/lib/use-cases/list-admin-attempts'
import { AGE_WORDS, MARK_WORDS } from '@/lib/web/admin-overview-words'
import { ageBands, attemptMarks } from '@/lib/web/admin-views'
import { oneOf, type SearchParams } from '@/lib/web/search-params'

export const metadata: Metadata = { title: 'Attempts' }

const PATH = '/admin/attempts'
const ROWS_PER_PAGE = 50

const STATES = [
  ['', 'any state'],
  ...attemptStates.filter((state) => !isFinal(state)).map((state) => [state, state] as const),
] as const
const AGES = [['', 'any age'], ...ageBands.map((age) => [age, AGE_WORDS[age]] as const)] as const
const MARKS = [
  ['', 'open ones'],
  ...attemptMarks.map((mark) => [mark, MARK_WORDS[mark]] as const),
] as const

const ORDERS = [
  ['', 'oldest first'],
  ['amount', 'most credits first'],
] as const
const BULK_ACTS = ['look-again', 'retry-delivery', 'compensate'] as const

export default async function AdminAttemptsPage({ searchParams }: { searchParams: SearchParams }) {
  const admin = await requireReviewer()
  const params = await searchParams
  const query = {
    q: oneOf(params['q']),
    with: oneOf(params['with']),
    state: oneOf(params['state']),
    provider: oneOf(params['provider']),
    age: oneOf(params['age']),
    model: oneOf(params['model']),
    code: oneOf(params['code']),
    account: oneOf(params['account']),
    sort: oneOf(params['sort']),
  }
  const cursor = oneOf(params['cursor'])
  const page = await listAdminAttempts(deps(), admin, { ...query, cursor, limit: ROWS_PER_PAGE })
  const names = new Set(deps().models.map(({ provider }) => provider))
  if (query.provider !== undefined) names.add(query.provider)
  const providers = [...names].sort().map((name) => [name, name] as const)
  const models = [
    ...new Set([...deps().models.map(({ id }) => id), ...(query.model ? [query.model] : [])]),
  ].map((id) => [id, id] as const)
  const isFiltered = Object.values(query).some((value) => value !== undefined)
  return (
    <>
      <PageHeading title="Attempts">
        {query.q === undefined
          ? 'Every attempt whose outcome is not known yet, oldest first, or those that something is the matter with, or that the last day’s figures count.'
          : 'Found in every state, newest first. A search does not look at the other filters.'}
      </PageHeading>
      <AdminFilters path={PATH} isFiltered={isFiltered}>
        <FilterText
          name="q"
          label="Search"
          value={query.q}
          placeholder="Attempt, request or task id, or an e-mail"
        />
        <FilterChoice name="with" label="Which" value={query.with} options={MARKS} />
        <FilterChoice name="state" label="State" value={query.state} options={STATES} />
        <FilterChoice
          name="provider"
          label="Provider"
          value={query.provider}
          options={[['', 'any provider'], ...providers]}
        />
        <FilterChoice name="age" label="Age" value={query.age} options={AGES} />
        <FilterChoice
          name="model"
          label="Model"
          value={query.model}
          options={[['', 'any model'], ...models]}
        />
        <FilterText
          name="account"
          label="Account"
          value={query.account}
          placeholder="Id or e-mail"
        />
        <FilterText
          name="code"
          label="Code"
          value={query.code}
          placeholder="submission_unknown, store_failed, …"
        />
        <FilterChoice name="sort" label="Order" value={query.sort} options={ORDERS} />
      </AdminFilters>
      {page.data.length === 0 ? (
        <EmptyState title={isFiltered ? 'Nothing fits' : 'Nothing is open'}>
          {isFiltered
            ? 'No attempt is what you ask for.'
            : 'Every attempt has its outcome: delivered, or failed with proof.'}
        </EmptyState>
      ) : (
        <AdminBulk
          ids={page.data.map(({ id }) => id)}
          acts={BULK_ACTS.filter((act) => mayAct(admin.role, act))}
        >
          <AdminAttempts attempts={page.data} />
        </AdminBulk>
      )}
      <LiveRefresh />
      <p className="mt-4">
        <a
          href={addressOf('/api/admin/attempts/csv', query)}
          className="inline-flex min-h-10 items-center text-sm underline decoration-line-strong underline-offset-4"
        >
          This list as CSV
        </a>
      </p>
      <AdminPager path={PATH} query={query} cursor={cursor} nextCursor={page.next_cursor} />
    </>
  )
}
