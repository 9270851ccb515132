import Link from 'next/link'
import { WordmarkSign } from './wordmark-sign'

type WordmarkProps = { readonly href: string; readonly isCompact?: boolean }

export function Wordmark({ href, isCompact = false }: WordmarkProps) {
  return (
    <Link href={href} className="rounded-sm">
      <WordmarkSign isCompact={isCompact} />
    </Link>
  )
}
