import Link from 'next/link'
import { cn } from '@/lib/web/class-names'

export type Figure = {
  readonly name: string
  readonly value: string
  readonly note: string
  readonly href: string
  /** The safelight is for what needs a person. */
  readonly needsSomebody: boolean
}

/** The numbers that are looked at first. Each leads to what it counts. */
export function AdminFigures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <ul
      className={cn(
        'grid grid-cols-1 gap-px overflow-hidden rounded-lg border bg-line min-[26rem]:grid-cols-2 min-[26rem]:max-lg:[&>:last-child:nth-child(odd)]:col-span-2',
        figures.length % 5 === 0 ? 'lg:grid-cols-5' : 'lg:grid-cols-3',
      )}
    >
      {figures.map(({ name, value, note, href, needsSomebody }) => (
        <li key={name} className="bg-surface">
          <Link
            href={href}
            className="flex h-full flex-col gap-1 p-4 transition-colors hover:bg-raised/60 sm:p-5"
          >
            <span className="text-sm font-medium">{name}</span>
            <span
              className={cn(
                'font-mono text-3xl tracking-tight tabular-nums',
                needsSomebody && 'text-safelight-ink',
              )}
            >
              {value}
            </span>
            <span className="text-sm text-muted">{note}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
