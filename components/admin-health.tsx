import Link from 'next/link'
import { hourWords, paceInWords } from '@/lib/web/admin-health-words'
import type { AttemptMark, OverviewView } from '@/lib/web/admin-views'
import { addressOf } from './admin-pager'
import { Age } from './age'

type Health = OverviewView['health'][number]
type Hour = Health['hours'][number]

const LIST = '/admin/attempts'
const [WIDTH, HEIGHT, GAP] = [240, 48, 2]

/** The last day of each provider: what came of what was sent, hour by hour. */
export function ProviderHealth({ health }: { readonly health: readonly Health[] }) {
  if (health.length === 0) {
    return <p className="text-sm text-muted">Nothing was sent in the last 24 hours.</p>
  }
  return (
    <ul className="flex flex-col gap-4">
      {health.map((one) => (
        <li key={one.provider} className="rounded-lg border bg-surface p-4 text-sm">
          <figure>
            <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <Link
                href={addressOf(LIST, { provider: one.provider })}
                className="font-mono text-[0.8125rem] underline decoration-line-strong underline-offset-4"
              >
                {one.provider}
              </Link>
              <span className="flex flex-wrap gap-x-3 text-muted tabular-nums">
                {countsOf(one).map(([mark, count, words]) => (
                  <Count
                    key={mark}
                    count={count}
                    words={words}
                    href={addressOf(LIST, { with: mark, provider: one.provider })}
                  />
                ))}
              </span>
            </figcaption>
            <Bars hours={one.hours} />
          </figure>
          <p className="mt-2 text-xs text-muted">
            {one.last_taken_at === null ? (
              'Nothing was taken in 24 hours.'
            ) : (
              <>
                Last taken <Age iso={one.last_taken_at} /> ago.
              </>
            )}
          </p>
          <ul className="sr-only">
            {one.hours.map((hour) => (
              <li key={hour.hours_ago}>{hourWords(hour)}</li>
            ))}
          </ul>
        </li>
      ))}
      <li aria-hidden="true" className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted">
        <Key className="bg-foreground">taken</Key>
        <Key className="bg-muted/50">refused</Key>
        <Key className="bg-safelight">unknown</Key>
        <span>24 hours, the newest on the right.</span>
      </li>
    </ul>
  )
}

const countsOf = (one: Health): readonly (readonly [AttemptMark, number, string])[] => [
  ['taken', one.taken, 'taken'],
  ['refused', one.refused, 'refused'],
  ['unknown', one.unknown, 'unknown'],
  ['look-failed', one.failed_looks, 'looks failed'],
]

type CountProps = { readonly count: number; readonly words: string; readonly href: string }

function Count({ count, words, href }: CountProps) {
  const text = `${count.toLocaleString('en')} ${words}`
  return count === 0 ? (
    <span>{text}</span>
  ) : (
    <Link
      href={href}
      className="text-foreground underline decoration-line-strong underline-offset-4"
    >
      {text}
    </Link>
  )
}

function Key({ className, children }: { readonly className: string; readonly children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className={`size-2.5 rounded-[2px] ${className}`} />
      {children}
    </span>
  )
}

function Bars({ hours }: { readonly hours: readonly Hour[] }) {
  const top = Math.max(1, ...hours.map(({ taken, refused, unknown }) => taken + refused + unknown))
  const step = WIDTH / 24
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="mt-3 h-16 w-full border-b border-line"
    >
      {hours.map((hour) => {
        const [taken, refused, unknown] = [hour.taken, hour.refused, hour.unknown].map(
          (count) => (count / top) * HEIGHT,
        ) as [number, number, number]
        const bar = { x: (23 - hour.hours_ago) * step + GAP / 2, width: step - GAP }
        return (
          <g key={hour.hours_ago}>
            <title>{hourWords(hour)}</title>
            <rect {...bar} y={HEIGHT - taken} height={taken} fill="var(--foreground)" />
            <rect
              {...bar}
              y={HEIGHT - taken - refused}
              height={refused}
              fill="var(--muted)"
              opacity={0.5}
            />
            <rect
              {...bar}
              y={HEIGHT - taken - refused - unknown}
              height={unknown}
              fill="var(--safelight)"
            />
          </g>
        )
      })}
    </svg>
  )
}

/** What was delivered in the last day, and how long it took from the click. */
export function ModelPaces({ models }: { readonly models: OverviewView['models'] }) {
  if (models.length === 0) {
    return <p className="text-sm text-muted">Nothing was delivered in the last 24 hours.</p>
  }
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table of models">
      <table className="w-full text-sm">
        <thead className="text-left text-muted">
          <tr>
            <th scope="col" className="py-2 pr-4 font-normal">
              Model
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-normal">
              Delivered
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-normal">
              Median
            </th>
            <th scope="col" className="py-2 text-right font-normal">
              p95
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {models.map(({ model, delivered, median_ms: median, p95_ms: p95 }) => (
            <tr key={model}>
              <th scope="row" className="py-2 pr-4 text-left font-normal">
                <Link
                  href={addressOf(LIST, { model })}
                  className="font-mono text-[0.8125rem] break-all underline decoration-line-strong underline-offset-4"
                >
                  {model}
                </Link>
              </th>
              <td className="py-2 pr-4 text-right font-mono tabular-nums">
                <Link
                  href={addressOf(LIST, { with: 'delivered', model })}
                  className="underline decoration-line-strong underline-offset-4"
                >
                  {delivered.toLocaleString('en')}
                </Link>
              </td>
              <td className="py-2 pr-4 text-right font-mono tabular-nums">{paceInWords(median)}</td>
              <td className="py-2 text-right font-mono tabular-nums">{paceInWords(p95)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
