import { ArrowLeft, ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { buttonVariants } from './ui/button-variants'

type Query = Readonly<Record<string, string | undefined>>

/** An address with what is set of a query. */
export function addressOf(path: string, query: Query): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`
}

type AdminPagerProps = {
  readonly path: string
  /** The filters; each page keeps them. */
  readonly query: Query
  readonly cursor: string | undefined
  readonly nextCursor: string | null
}

export function AdminPager({ path, query, cursor, nextCursor }: AdminPagerProps) {
  if (cursor === undefined && nextCursor === null) return null
  return (
    <nav aria-label="Pages" className="mt-6 flex flex-wrap justify-between gap-3">
      {cursor === undefined ? (
        <span />
      ) : (
        <Link href={addressOf(path, query)} className={buttonVariants({ variant: 'outline' })}>
          <ArrowLeft aria-hidden="true" />
          First page
        </Link>
      )}
      {nextCursor !== null && (
        <Link
          href={addressOf(path, { ...query, cursor: nextCursor })}
          className={buttonVariants({ variant: 'outline' })}
        >
          Next page
          <ArrowRight aria-hidden="true" />
        </Link>
      )}
    </nav>
  )
}
