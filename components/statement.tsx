import { useLocale, useTranslations } from 'next-intl'
import { useWords } from '@/lib/web/use-words'
import Link from 'next/link'
import { entryWords, reasonWords } from '@/lib/web/credit-words'
import type { LedgerEntryView } from '@/lib/web/views'
import { LocalTime } from './local-time'

const PARTS = ['available', 'held', 'spent'] as const

/** The account's money history, newest first, with all three balances after each line. */
export function Statement({ entries }: { readonly entries: readonly LedgerEntryView[] }) {
  const t = useTranslations('credits')
  if (entries.length === 0) {
    return <p className="text-sm text-muted">{t('statement.empty')}</p>
  }
  return (
    <div
      role="table"
      aria-label={t('statement.title')}
      className="rounded-lg border bg-surface text-sm"
    >
      <div
        role="row"
        className="hidden border-b px-5 py-2.5 text-xs text-muted md:grid md:grid-cols-[11.5rem_minmax(0,1fr)_5rem_5.5rem_5.5rem_5.5rem] md:gap-x-4"
      >
        <span role="columnheader">{t('statement.when')}</span>
        <span role="columnheader">{t('statement.what')}</span>
        <span role="columnheader" className="text-right">
          {t('statement.amount')}
        </span>
        {PARTS.map((part) => (
          <span key={part} role="columnheader" className="text-right">
            {t(`balance.${part}`)}
          </span>
        ))}
      </div>
      <div role="rowgroup" className="divide-y">
        {entries.map((entry) => (
          <StatementLine key={entry.seq} entry={entry} />
        ))}
      </div>
    </div>
  )
}

function StatementLine({ entry }: { readonly entry: LedgerEntryView }) {
  const t = useTranslations('credits')
  const say = useWords()
  const locale = useLocale()
  const figure = (amount: number) => amount.toLocaleString(locale)
  const { word, meaning } = entryWords(entry.kind)
  const reason = entry.reason === null ? '' : say(reasonWords(entry.reason))
  const after = [entry.available_after, entry.held_after, entry.spent_after]
  return (
    <div
      role="row"
      className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 px-4 py-3 md:grid-cols-[11.5rem_minmax(0,1fr)_5rem_5.5rem_5.5rem_5.5rem] md:items-baseline md:px-5"
    >
      <span
        role="cell"
        className="order-3 col-span-2 flex flex-wrap justify-between gap-x-4 text-xs text-muted md:order-none md:col-span-1 md:text-sm"
      >
        <LocalTime iso={entry.created_at} />
        <span className="font-mono tabular-nums md:hidden">
          {t('statement.after', { available: entry.available_after, held: entry.held_after })}
        </span>
      </span>
      <span role="cell" className="order-1 min-w-0 md:order-none">
        <span className="font-medium">{say(word)}</span>
        <span className="block text-[0.8125rem] leading-snug text-muted md:ml-2 md:inline">
          {say(meaning)} {reason}
        </span>
        {entry.attempt_id !== null && (
          <Link
            dir="auto"
            href={`/images/${entry.attempt_id}`}
            className="mt-0.5 block truncate underline decoration-line-strong underline-offset-4 hover:decoration-current"
          >
            {entry.prompt ?? t('pictureLink')}
          </Link>
        )}
      </span>
      <span
        role="cell"
        className="order-2 text-right font-mono font-medium tabular-nums md:order-none"
      >
        {figure(entry.amount)}
      </span>
      {after.map((amount, index) => (
        <span
          key={PARTS[index]}
          role="cell"
          className="order-4 hidden text-right font-mono text-muted tabular-nums md:order-none md:block"
        >
          {figure(amount)}
        </span>
      ))}
    </div>
  )
}

const LINES = Array.from({ length: 8 }, (_, index) => index)

export function StatementSkeleton() {
  const t = useTranslations('credits')
  return (
    <div className="divide-y rounded-lg border bg-surface" aria-busy="true">
      <p className="sr-only" role="status">
        {t('statement.loading')}
      </p>
      {LINES.map((line) => (
        <div key={line} aria-hidden="true" className="px-5 py-4">
          <div className="h-4 rounded bg-raised" style={{ width: `${70 - line * 4}%` }} />
        </div>
      ))}
    </div>
  )
}
