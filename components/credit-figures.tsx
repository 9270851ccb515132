import { useLocale, useTranslations } from 'next-intl'
import type { BalanceView } from '@/lib/web/views'

const PARTS = ['available', 'held', 'spent'] as const

const FILL = {
  available: 'bg-foreground',
  held: 'bg-[repeating-linear-gradient(-45deg,var(--foreground)_0_2px,transparent_2px_6px)]',
  spent: 'bg-line-strong/50',
} as const

/** Three numbers, never one, and how they make up everything that was granted. */
export function CreditFigures({ balance }: { readonly balance: BalanceView }) {
  const t = useTranslations('credits.balance')
  const locale = useLocale()
  return (
    <section aria-label={t('label')} className="rounded-lg border bg-surface">
      <dl className="grid grid-cols-1 divide-y sm:grid-cols-3 sm:divide-x sm:divide-y-0">
        {PARTS.map((part) => (
          <div key={part} className="flex flex-col gap-1 p-5">
            <dt className="flex items-center gap-2 text-sm font-medium">
              <span
                aria-hidden="true"
                className={`size-3 rounded-[2px] border border-foreground ${FILL[part]}`}
              />
              {t(part)}
            </dt>
            <dd className="font-mono text-3xl tracking-tight tabular-nums sm:text-4xl">
              {balance[part].toLocaleString(locale)}
            </dd>
            <dd className="text-sm text-muted">{t(`${part}Meaning`)}</dd>
          </div>
        ))}
      </dl>
      <div className="border-t px-5 py-4">
        <div aria-hidden="true" className="flex h-2.5 gap-px overflow-hidden rounded-[2px]">
          {PARTS.filter((part) => balance[part] > 0).map((part) => (
            <div key={part} className={FILL[part]} style={{ flexGrow: balance[part] }} />
          ))}
        </div>
        <p className="mt-2.5 text-sm text-muted tabular-nums">
          {t('together', { granted: balance.granted })}
        </p>
      </div>
    </section>
  )
}
