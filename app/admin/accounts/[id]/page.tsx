import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AccountReview } from '@/components/account-review'
import { AdminPager } from '@/components/admin-pager'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { reviewAccount } from '@/lib/use-cases/review-accounts'
import { oneOf, type SearchParams } from '@/lib/web/search-params'

export const metadata: Metadata = { title: 'Account' }

const LINES_PER_PAGE = 50

type AdminAccountPageProps = {
  readonly params: Promise<{ readonly id: string }>
  readonly searchParams: SearchParams
}

export default async function AdminAccountPage({ params, searchParams }: AdminAccountPageProps) {
  const admin = await requireReviewer()
  const { id } = await params
  const cursor = oneOf((await searchParams)['cursor'])
  const account = await reviewAccount(deps(), admin, id, { cursor, limit: LINES_PER_PAGE })
  if (!account) notFound()
  return (
    <>
      <AccountReview account={account} />
      <AdminPager
        path={`/admin/accounts/${account.id}`}
        query={{}}
        cursor={cursor}
        nextCursor={account.statement.next_cursor}
      />
    </>
  )
}
