import { useTranslations } from 'next-intl'
import { Search } from 'lucide-react'
import Form from 'next/form'
import Link from 'next/link'
import { galleryShows, SEARCH_LENGTH_MAX, type GalleryQuery } from '@/lib/domain/gallery'
import { cn } from '@/lib/web/class-names'
import { galleryAddress } from '@/lib/web/gallery-address'
import { Button } from './ui/button'
import { Input } from './ui/input'

/** What is shown is in the address: plain links and a plain form, so that back and bookmarks work. */
export function GalleryFilters({ query }: { readonly query: GalleryQuery }) {
  const t = useTranslations('images')
  const { show, search, order } = query
  return (
    <div className="mb-4 flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
      <nav aria-label={t('show.label')} className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
        <ul className="flex w-max gap-1.5 py-0.5">
          {galleryShows.map((each) => (
            <li key={each}>
              <Link
                href={galleryAddress({ ...query, show: each })}
                aria-current={each === show ? 'page' : undefined}
                className={cn(
                  'flex h-10 items-center rounded-full border px-4 text-sm whitespace-nowrap transition-colors hover:border-muted',
                  each === show
                    ? 'border-foreground bg-foreground text-background'
                    : 'border-line-strong/60 text-muted hover:text-foreground',
                )}
              >
                {t(`show.${each}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Form action="/images" role="search" className="flex gap-2 lg:w-96">
        {show !== 'all' && <input type="hidden" name="show" value={show} />}
        {order !== 'newest' && <input type="hidden" name="order" value={order} />}
        <Input
          key={search}
          type="search"
          name="q"
          defaultValue={search}
          maxLength={SEARCH_LENGTH_MAX}
          aria-label={t('search.label')}
          placeholder={t('search.label')}
          enterKeyHint="search"
        />
        <Button type="submit" variant="outline" size="icon" aria-label={t('search.submit')}>
          <Search aria-hidden="true" />
        </Button>
      </Form>
    </div>
  )
}
