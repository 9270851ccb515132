import { useTranslations } from 'next-intl'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { buttonVariants } from './ui/button-variants'

type PagerProps = {
  readonly path: string
  readonly cursor: string | undefined
  readonly nextCursor: string | null
  readonly newest: string
  readonly older: string
}

/** Plain links, so that every page has an address and the browser's back button works. */
export function Pager({ path, cursor, nextCursor, newest, older }: PagerProps) {
  const t = useTranslations('common')
  if (cursor === undefined && nextCursor === null) return null
  return (
    <nav aria-label={t('pages')} className="mt-6 flex flex-wrap justify-between gap-3">
      {cursor === undefined ? (
        <span />
      ) : (
        <Link href={path} className={buttonVariants({ variant: 'outline' })}>
          <ArrowLeft aria-hidden="true" />
          {newest}
        </Link>
      )}
      {nextCursor !== null && (
        <Link
          href={`${path}?cursor=${encodeURIComponent(nextCursor)}`}
          className={buttonVariants({ variant: 'outline' })}
        >
          {older}
          <ArrowRight aria-hidden="true" />
        </Link>
      )}
    </nav>
  )
}
