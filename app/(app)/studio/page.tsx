import type { Metadata } from 'next'
import { Studio } from '@/components/studio'
import { requireUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'

export const metadata: Metadata = { title: 'Studio' }

export default async function StudioPage() {
  await requireUser('/studio')
  return <Studio models={deps().models} />
}
