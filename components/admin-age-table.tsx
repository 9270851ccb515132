import Link from 'next/link'
import { AGE_WORDS, type AgeTable } from '@/lib/web/admin-overview-words'
import { ageBands, type AgeBand } from '@/lib/web/admin-views'

const LINK = 'inline-flex min-h-10 items-center underline decoration-line-strong underline-offset-4'

type AdminAgeTableProps = {
  readonly caption: string
  readonly rows: AgeTable
  /** The list behind a number. */
  readonly hrefOf: (name: string, age: AgeBand | undefined) => string
}

/** How many of each, by age. Every number leads to those that it counts. */
export function AdminAgeTable({ caption, rows, hrefOf }: AdminAgeTableProps) {
  return (
    <div tabIndex={0} role="region" aria-label={caption} className="overflow-x-auto">
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b text-xs text-muted">
            <th scope="col" className="py-2 pr-4 text-left font-normal">
              {caption}
            </th>
            {ageBands.map((age) => (
              <th
                key={age}
                scope="col"
                className="px-2 py-2 text-right font-normal whitespace-nowrap"
              >
                {AGE_WORDS[age]}
              </th>
            ))}
            <th scope="col" className="px-2 py-2 text-right font-normal whitespace-nowrap">
              Credits held
            </th>
            <th scope="col" className="py-2 pl-2 text-right font-normal whitespace-nowrap">
              All
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map(({ name, byAge, held, total }) => (
            <tr key={name}>
              <th scope="row" className="pr-4 text-left font-mono text-[0.8125rem] font-normal">
                {name}
              </th>
              {ageBands.map((age) => (
                <td key={age} className="px-2 text-right">
                  {byAge[age] === undefined ? (
                    <span className="text-muted">0</span>
                  ) : (
                    <Link href={hrefOf(name, age)} className={LINK}>
                      {byAge[age].toLocaleString('en')}
                    </Link>
                  )}
                </td>
              ))}
              <td className="px-2 text-right">
                <Link href={hrefOf(name, undefined)} className={LINK}>
                  {held.toLocaleString('en')}
                </Link>
              </td>
              <td className="pl-2 text-right font-medium">
                <Link href={hrefOf(name, undefined)} className={LINK}>
                  {total.toLocaleString('en')}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
