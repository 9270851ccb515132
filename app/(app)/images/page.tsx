import { getTranslations } from 'next-intl/server'
import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { Suspense } from 'react'
import { ContactSheetSkeleton } from '@/components/contact-sheet-skeleton'
import { Gallery } from '@/components/gallery'
import { GalleryEmpty } from '@/components/gallery-empty'
import { GalleryFilters } from '@/components/gallery-filters'
import { PageHeading } from '@/components/page-heading'
import { requireVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import type { GalleryQuery } from '@/lib/domain/gallery'
import type { AccountId } from '@/lib/domain/ids'
import { readGallery } from '@/lib/use-cases/read-gallery'
import { DENSITY_COOKIE, densityOf } from '@/lib/web/density'
import { galleryAddress, galleryQueryOf } from '@/lib/web/gallery-address'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('images'))('title') }
}

// Divides evenly into rows of two to six frames.
const FRAMES_PER_SHEET = 60

type ImagesPageProps = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>
}

export default async function ImagesPage({ searchParams }: ImagesPageProps) {
  const visitor = await requireVisitor('/images')
  const query = galleryQueryOf(await searchParams)
  const t = await getTranslations('images')
  return (
    <>
      <PageHeading title={t('title')} />
      <GalleryFilters query={query} />
      <Suspense key={galleryAddress(query)} fallback={<ContactSheetSkeleton />}>
        <Sheet accountId={visitor.accountId} query={query} />
      </Suspense>
    </>
  )
}

type SheetProps = { readonly accountId: AccountId; readonly query: GalleryQuery }

async function Sheet({ accountId, query }: SheetProps) {
  const first = await readGallery(deps(), accountId, query, { limit: FRAMES_PER_SHEET })
  const density = densityOf((await cookies()).get(DENSITY_COOKIE)?.value)
  return (
    <Gallery first={first} query={query} density={density} empty={<GalleryEmpty query={query} />} />
  )
}
