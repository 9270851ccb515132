import { sentenceGap } from '@/lib/web/locales'
import { describedIn } from '@/lib/web/model-descriptions'
import { getLocale, getTranslations } from 'next-intl/server'
import type { Metadata } from 'next'
import { Studio } from '@/components/studio'
import { requireVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { readOffer } from '@/lib/use-cases/read-offer'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('studio'))('title') }
}

export default async function StudioPage() {
  await requireVisitor('/studio')
  const t = await getTranslations()
  const gap = sentenceGap[await getLocale()]
  const offer = await readOffer(deps())
  return <Studio models={describedIn(offer, ({ key, values }) => t(key, values), gap)} />
}
