import { getTranslations } from 'next-intl/server'
import type { Metadata } from 'next'
import { Download } from 'lucide-react'
import { Suspense } from 'react'
import { AllowanceFigures } from '@/components/allowance-figures'
import { BuyCredits } from '@/components/buy-credits'
import { CreditFigures } from '@/components/credit-figures'
import { PageHeading } from '@/components/page-heading'
import { Pager } from '@/components/pager'
import { PurchaseNotice } from '@/components/purchase-notice'
import { Purchases } from '@/components/purchases'
import { RefreshOnMoney } from '@/components/refresh-on-news'
import { Statement, StatementSkeleton } from '@/components/statement'
import { SpendingLimit } from '@/components/spending-limit'
import { buttonVariants } from '@/components/ui/button-variants'
import { UseChart } from '@/components/use-chart'
import { requireVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import type { AccountId } from '@/lib/domain/ids'
import { readBalance, readStatement } from '@/lib/use-cases/read-ledger'
import { readPacks, readPurchases } from '@/lib/use-cases/read-purchases'
import { readSpending, readUseByDay } from '@/lib/use-cases/spending'
import { lookAtPurchase } from '@/lib/use-cases/watch-purchases'
import { oneOf, type SearchParams } from '@/lib/web/search-params'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('credits'))('title') }
}

const LINES_PER_PAGE = 50

type CreditsPageProps = { readonly searchParams: SearchParams }

export default async function CreditsPage({ searchParams }: CreditsPageProps) {
  const visitor = await requireVisitor('/credits')
  const { accountId, kind } = visitor
  const params = await searchParams
  const page = oneOf(params['cursor'])
  const purchase = oneOf(params['purchase'])
  await lookAtPurchase(deps(), accountId, purchase)
  const [balance, spending, days, purchases] = await Promise.all([
    readBalance(deps(), accountId),
    readSpending(deps(), accountId),
    readUseByDay(deps(), accountId),
    readPurchases(deps(), accountId, purchase),
  ])
  const t = await getTranslations('credits')
  return (
    <>
      <RefreshOnMoney balance={balance} />
      <PageHeading title={t('title')}>{t('lead')}</PageHeading>
      {purchases.named && <PurchaseNotice purchase={purchases.named} />}
      <CreditFigures balance={balance} />
      <AllowanceFigures allowance={balance.allowance} />
      <BuyCredits packs={readPacks(deps())} kind={kind} freeImages={balance.allowance.limit} />
      <Purchases purchases={purchases.newest} />
      {kind === 'user' && (
        <div className="mt-4 grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <UseChart days={days} />
          <SpendingLimit spending={spending} />
        </div>
      )}
      <div className="mt-10 mb-4 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-medium tracking-tight">{t('statement.title')}</h2>
        <a href="/api/statement" download className={buttonVariants({ variant: 'outline' })}>
          <Download aria-hidden="true" />
          {t('statement.download')}
        </a>
      </div>
      <Suspense key={page} fallback={<StatementSkeleton />}>
        <StatementPage accountId={accountId} cursor={page} />
      </Suspense>
    </>
  )
}

type StatementPageProps = { readonly accountId: AccountId; readonly cursor: string | undefined }

async function StatementPage({ accountId, cursor }: StatementPageProps) {
  const t = await getTranslations('credits')
  const page = await readStatement(deps(), accountId, { cursor, limit: LINES_PER_PAGE })
  return (
    <>
      <Statement entries={page.data} />
      <Pager
        path="/credits"
        cursor={cursor}
        nextCursor={page.next_cursor}
        newest={t('statement.newest')}
        older={t('statement.older')}
      />
    </>
  )
}
