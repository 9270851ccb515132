import { useLocale, useTranslations } from 'next-intl'
import { useWords } from '@/lib/web/use-words'
import { chartTop, dayUseWords, summaryWords } from '@/lib/web/chart-words'
import { dayWords } from '@/lib/web/time-words'
import type { DayUseView } from '@/lib/web/views'

const WIDTH = 600
const HEIGHT = 120
const GAP = 3

/**
 * What each of the last days used. Thirty bars need no library: this is drawn by the server, costs the
 * browser no script, and says in words what it shows.
 */
export function UseChart({ days }: { readonly days: readonly DayUseView[] }) {
  const t = useTranslations('credits.chart')
  const say = useWords()
  const locale = useLocale()
  const top = chartTop(days)
  const step = WIDTH / days.length
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure className="rounded-lg border bg-surface p-5">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="font-medium">{t('title', { days: days.length })}</span>
        <span className="text-sm text-muted tabular-nums">{say(summaryWords(days))}</span>
      </figcaption>
      <div className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div
          aria-hidden="true"
          className="flex flex-col justify-between text-right font-mono text-[0.6875rem] leading-none text-muted tabular-nums"
        >
          <span>{top.toLocaleString(locale)}</span>
          <span>0</span>
        </div>
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-32 w-full border-y border-line"
        >
          <defs>
            <pattern id="on-hold" width="6" height="6" patternUnits="userSpaceOnUse">
              <path d="M-1 1L1 -1M0 6L6 0M5 7L7 5" stroke="var(--foreground)" strokeWidth="1.5" />
            </pattern>
          </defs>
          {days.map((use, index) => (
            <Day
              key={use.day}
              use={use}
              words={say(dayUseWords(use, locale))}
              x={index * step}
              width={step}
              top={top}
            />
          ))}
        </svg>
        <span />
        <div
          aria-hidden="true"
          className="mt-1.5 flex justify-between text-xs text-muted tabular-nums"
        >
          <span>{first && dayWords(first.day, locale)}</span>
          <span>{last && dayWords(last.day, locale)}</span>
        </div>
      </div>
      <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted">
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-[2px] bg-foreground" />
          {t('charged')}
        </span>
        <span className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-2.5 rounded-[2px] border border-foreground bg-[repeating-linear-gradient(-45deg,var(--foreground)_0_2px,transparent_2px_5px)]"
          />
          {t('held')}
        </span>
        <span>{t('note')}</span>
      </p>
      <ul className="sr-only">
        {days
          .filter(({ charged, held }) => charged + held > 0)
          .map((use) => (
            <li key={use.day}>{say(dayUseWords(use, locale))}</li>
          ))}
      </ul>
    </figure>
  )
}

type DayProps = {
  readonly use: DayUseView
  readonly words: string
  readonly x: number
  readonly width: number
  readonly top: number
}

function Day({ use, words, x, width, top }: DayProps) {
  const charged = (use.charged / top) * HEIGHT
  const held = (use.held / top) * HEIGHT
  const bar = { x: x + GAP / 2, width: width - GAP }
  return (
    <g className="hover:opacity-70">
      <title>{words}</title>
      <rect x={x} width={width} height={HEIGHT} fill="transparent" />
      <rect {...bar} y={HEIGHT - charged} height={charged} fill="var(--foreground)" />
      <rect {...bar} y={HEIGHT - charged - held} height={held} fill="url(#on-hold)" />
    </g>
  )
}
