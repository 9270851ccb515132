import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AttemptPage } from '@/components/attempt-page'
import { requireVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { findModel } from '@/lib/domain/model'
import { readOffer } from '@/lib/use-cases/read-offer'
import { readAttemptDetail } from '@/lib/use-cases/read-attempts'

export const metadata: Metadata = { title: 'Image' }

type ImagePageProps = { readonly params: Promise<{ readonly id: string }> }

export default async function ImagePage({ params }: ImagePageProps) {
  const { id } = await params
  const visitor = await requireVisitor(`/images/${id}`)
  const detail = await readAttemptDetail(deps(), visitor.accountId, id)
  if (!detail) notFound()
  const { model } = detail.attempt
  return <AttemptPage detail={detail} model={findModel(await readOffer(deps()), model)} />
}
