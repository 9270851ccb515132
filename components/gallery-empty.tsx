import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { EVERYTHING, type GalleryQuery } from '@/lib/domain/gallery'
import { galleryAddress } from '@/lib/web/gallery-address'
import { EmptyState } from './empty-state'
import { buttonVariants } from './ui/button-variants'

/** Why there is nothing to see, and where to go. */
export function GalleryEmpty({ query }: { readonly query: GalleryQuery }) {
  const isSearch = query.search !== ''
  const t = useTranslations('images.empty')
  const words = isSearch ? 'search' : query.show
  const isEverything = !isSearch && query.show === 'all'
  return (
    <EmptyState
      title={t(`${words}.title`)}
      action={
        <Link
          href={isEverything ? '/studio' : galleryAddress(EVERYTHING)}
          className={buttonVariants({ variant: isEverything ? 'primary' : 'outline' })}
        >
          {t(isEverything ? 'toStudio' : 'showAll')}
        </Link>
      }
    >
      {t(`${words}.text`, { search: query.search })}
    </EmptyState>
  )
}
