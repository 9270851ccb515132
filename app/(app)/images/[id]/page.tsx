import { getTranslations } from 'next-intl/server'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AttemptPage } from '@/components/attempt-page'
import { requireVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { findModel } from '@/lib/domain/model'
import { environment } from '@/lib/env'
import { readFavourite } from '@/lib/use-cases/read-gallery'
import { readOffer } from '@/lib/use-cases/read-offer'
import { readAttemptDetail } from '@/lib/use-cases/read-attempts'
import { readShare } from '@/lib/use-cases/share-picture'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('images'))('one') }
}

type ImagePageProps = { readonly params: Promise<{ readonly id: string }> }

export default async function ImagePage({ params }: ImagePageProps) {
  const { id } = await params
  const visitor = await requireVisitor(`/images/${id}`)
  const detail = await readAttemptDetail(deps(), visitor.accountId, id)
  if (!detail) notFound()
  const { id: attemptId, model } = detail.attempt
  const [offer, favourite, share] = await Promise.all([
    readOffer(deps()),
    readFavourite(deps(), visitor.accountId, attemptId),
    readShare(deps(), visitor.accountId, attemptId),
  ])
  return (
    <AttemptPage
      // Another picture is another page: nothing of the last one stays on it.
      key={attemptId}
      detail={detail}
      model={findModel(offer, model)}
      favourite={favourite}
      takesReferences={offer.some(({ referenceImagesMax }) => referenceImagesMax > 0)}
      share={share}
      origin={environment().APP_URL}
    />
  )
}
