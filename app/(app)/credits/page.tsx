import type { Metadata } from 'next'
import { Suspense } from 'react'
import { AllowanceFigures } from '@/components/allowance-figures'
import { CreditFigures } from '@/components/credit-figures'
import { PageHeading } from '@/components/page-heading'
import { Pager } from '@/components/pager'
import { RefreshOnMoney } from '@/components/refresh-on-news'
import { Statement, StatementSkeleton } from '@/components/statement'
import { requireVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import type { AccountId } from '@/lib/domain/ids'
import { readBalance, readStatement } from '@/lib/use-cases/read-ledger'

export const metadata: Metadata = { title: 'Credits' }

const LINES_PER_PAGE = 50

type CreditsPageProps = {
  readonly searchParams: Promise<{ readonly cursor?: string | string[] }>
}

export default async function CreditsPage({ searchParams }: CreditsPageProps) {
  const visitor = await requireVisitor('/credits')
  const balance = await readBalance(deps(), visitor.accountId)
  const { cursor } = await searchParams
  const page = typeof cursor === 'string' ? cursor : undefined
  return (
    <>
      <RefreshOnMoney balance={balance} />
      <PageHeading title="Credits">
        A hold is not a charge. It becomes one only when the picture is delivered, and comes back
        when it is certain that there is none.
      </PageHeading>
      <CreditFigures balance={balance} />
      <AllowanceFigures allowance={balance.allowance} />
      <h2 className="mt-10 mb-4 text-lg font-medium tracking-tight">Statement</h2>
      <Suspense key={page} fallback={<StatementSkeleton />}>
        <StatementPage accountId={visitor.accountId} cursor={page} />
      </Suspense>
    </>
  )
}

type StatementPageProps = { readonly accountId: AccountId; readonly cursor: string | undefined }

async function StatementPage({ accountId, cursor }: StatementPageProps) {
  const page = await readStatement(deps(), accountId, { cursor, limit: LINES_PER_PAGE })
  return (
    <>
      <Statement entries={page.data} />
      <Pager path="/credits" cursor={cursor} nextCursor={page.next_cursor} what="lines" />
    </>
  )
}
