import type { Metadata } from 'next'
import { EmptyState } from '@/components/empty-state'
import { OpenAttempts } from '@/components/open-attempts'
import { PageHeading } from '@/components/page-heading'
import { Pager } from '@/components/pager'
import { requireAdmin } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { listOpenAttempts } from '@/lib/use-cases/review-attempts'

export const metadata: Metadata = { title: 'Open attempts' }

const ROWS_PER_PAGE = 50

type AdminAttemptsPageProps = {
  readonly searchParams: Promise<{ readonly cursor?: string | string[] }>
}

export default async function AdminAttemptsPage({ searchParams }: AdminAttemptsPageProps) {
  await requireAdmin()
  const { cursor } = await searchParams
  const from = typeof cursor === 'string' ? cursor : undefined
  const page = await listOpenAttempts(deps(), { cursor: from, limit: ROWS_PER_PAGE })
  return (
    <>
      <PageHeading title="Open attempts">
        Every attempt whose outcome is not known yet, oldest first.
      </PageHeading>
      {page.data.length === 0 ? (
        <EmptyState title="Nothing is open">
          Every attempt has its outcome: delivered, or failed with proof.
        </EmptyState>
      ) : (
        <OpenAttempts attempts={page.data} />
      )}
      <Pager path="/admin/attempts" cursor={from} nextCursor={page.next_cursor} what="attempts" />
    </>
  )
}
