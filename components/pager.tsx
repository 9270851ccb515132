import { ArrowLeft, ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { buttonVariants } from './ui/button-variants'

type PagerProps = {
  readonly path: string
  readonly cursor: string | undefined
  readonly nextCursor: string | null
  readonly what: string
}

/** Plain links, so that every page has an address and the browser's back button works. */
export function Pager({ path, cursor, nextCursor, what }: PagerProps) {
  if (cursor === undefined && nextCursor === null) return null
  return (
    <nav aria-label="Pages" className="mt-6 flex flex-wrap justify-between gap-3">
      {cursor === undefined ? (
        <span />
      ) : (
        <Link href={path} className={buttonVariants({ variant: 'outline' })}>
          <ArrowLeft aria-hidden="true" />
          Newest {what}
        </Link>
      )}
      {nextCursor !== null && (
        <Link
          href={`${path}?cursor=${encodeURIComponent(nextCursor)}`}
          className={buttonVariants({ variant: 'outline' })}
        >
          Older {what}
          <ArrowRight aria-hidden="true" />
        </Link>
      )}
    </nav>
  )
}
