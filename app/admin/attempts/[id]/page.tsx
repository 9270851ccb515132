import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { LiveRefresh } from '@/components/live-refresh'
import { AttemptReview } from '@/components/attempt-review'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { reviewForAdmin } from '@/lib/use-cases/review-attempts'

export const metadata: Metadata = { title: 'Attempt' }

type AdminAttemptPageProps = { readonly params: Promise<{ readonly id: string }> }

export default async function AdminAttemptPage({ params }: AdminAttemptPageProps) {
  const admin = await requireReviewer()
  const { id } = await params
  const review = await reviewForAdmin(deps(), admin, id)
  if (!review) notFound()
  return (
    <>
      <LiveRefresh />
      <AttemptReview review={review} />
    </>
  )
}
