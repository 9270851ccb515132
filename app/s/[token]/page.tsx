import { getTranslations } from 'next-intl/server'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { SharedPage } from '@/components/shared-page'
import { deps } from '@/lib/deps'
import { environment } from '@/lib/env'
import { readShared } from '@/lib/use-cases/share-picture'

// Asked once for the page and for what is said about it.
const findShared = cache((token: string) => readShared(deps(), token))

type SharedPictureProps = { readonly params: Promise<{ readonly token: string }> }

const DESCRIPTION_LENGTH_MAX = 200

export async function generateMetadata({ params }: SharedPictureProps): Promise<Metadata> {
  const shared = await findShared((await params).token)
  const t = await getTranslations('share.page')
  if (!shared) {
    const common = await getTranslations('common')
    return { title: common('notFound.short'), robots: { index: false } }
  }
  const { artwork, prompt } = shared
  const title = t('title')
  const description = prompt
    ? Array.from(prompt).slice(0, DESCRIPTION_LENGTH_MAX).join('')
    : t('description')
  return {
    metadataBase: new URL(environment().APP_URL),
    title,
    description,
    robots: { index: false, follow: false },
    // The address is the key to the picture: it is not told to sites that are gone to from here.
    referrer: 'no-referrer',
    openGraph: {
      type: 'website',
      siteName: 'Darkroom',
      title,
      description,
      images: [
        {
          url: artwork.url,
          width: artwork.width,
          height: artwork.height,
          type: artwork.content_type,
          alt: prompt ?? title,
        },
      ],
    },
    twitter: { card: 'summary_large_image' },
  }
}

/** What a link shows: the picture, the prompt if its owner wants that, and nothing of the account. */
export default async function SharedPicture({ params }: SharedPictureProps) {
  const shared = await findShared((await params).token)
  if (!shared) notFound()
  return <SharedPage artwork={shared.artwork} prompt={shared.prompt} />
}
