import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { ContactSheet } from '@/components/contact-sheet'
import { ContactSheetSkeleton } from '@/components/contact-sheet-skeleton'
import { EmptyState } from '@/components/empty-state'
import { PageHeading } from '@/components/page-heading'
import { Pager } from '@/components/pager'
import { buttonVariants } from '@/components/ui/button-variants'
import { requireVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import type { AccountId } from '@/lib/domain/ids'
import { listAttempts } from '@/lib/use-cases/read-attempts'

export const metadata: Metadata = { title: 'Images' }

// Divides evenly into rows of two to six frames.
const FRAMES_PER_SHEET = 60

type ImagesPageProps = {
  readonly searchParams: Promise<{ readonly cursor?: string | string[] }>
}

export default async function ImagesPage({ searchParams }: ImagesPageProps) {
  const visitor = await requireVisitor('/images')
  const { cursor } = await searchParams
  const page = typeof cursor === 'string' ? cursor : undefined
  return (
    <>
      <PageHeading title="Images" />
      <Suspense key={page} fallback={<ContactSheetSkeleton />}>
        <Sheet accountId={visitor.accountId} cursor={page} />
      </Suspense>
    </>
  )
}

type SheetProps = { readonly accountId: AccountId; readonly cursor: string | undefined }

async function Sheet({ accountId, cursor }: SheetProps) {
  const page = await listAttempts(deps(), accountId, { cursor, limit: FRAMES_PER_SHEET })
  if (page.data.length === 0 && cursor === undefined) {
    return (
      <EmptyState
        title="An empty sheet"
        action={
          <Link href="/studio" className={buttonVariants()}>
            Go to the studio
          </Link>
        }
      >
        Every picture you generate is kept here, with everything it was made from.
      </EmptyState>
    )
  }
  return (
    <>
      <ContactSheet attempts={page.data} isNewest={cursor === undefined} />
      <Pager path="/images" cursor={cursor} nextCursor={page.next_cursor} what="images" />
    </>
  )
}
