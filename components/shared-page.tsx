import { useTranslations } from 'next-intl'
import { viewUrl } from '@/lib/web/picture-sources'
import type { ArtworkView } from '@/lib/web/views'
import { Wordmark } from './wordmark'

type SharedPageProps = { readonly artwork: ArtworkView; readonly prompt: string | undefined }

/** One print on the wall. */
export function SharedPage({ artwork, prompt }: SharedPageProps) {
  const t = useTranslations('share.page')
  const { width, height, blur } = artwork
  return (
    <main className="mx-auto flex min-h-dvh max-w-[90rem] flex-col gap-5 px-4 py-4 sm:px-6">
      <h1 className="sr-only">{t('heading')}</h1>
      <div>
        <Wordmark href="/" />
      </div>
      <figure className="m-auto flex w-full flex-col items-center gap-4">
        <div
          className="w-full overflow-hidden rounded-md bg-film-edge p-1.5 sm:p-2.5"
          style={{ maxWidth: `calc((100dvh - 11rem) * ${width / height} + 1.25rem)` }}
        >
          <img
            src={viewUrl(artwork)}
            width={width}
            height={height}
            alt={prompt ?? t('alt')}
            className="h-auto w-full bg-cover"
            style={{ backgroundImage: `url("${blur}")` }}
          />
        </div>
        {prompt !== undefined && (
          <figcaption
            dir="auto"
            className="max-w-prose text-center leading-relaxed break-words whitespace-pre-wrap"
          >
            {prompt}
          </figcaption>
        )}
      </figure>
    </main>
  )
}
