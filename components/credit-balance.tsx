'use client'

import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { useAttempts } from '@/lib/web/use-darkroom'

/** What can be used and what is on hold, always in the same place and never as one number. */
export function CreditBalance() {
  const t = useTranslations('credits.header')
  const { available, held, allowance } = useAttempts().balance
  return (
    <Link
      href="/credits"
      className="flex h-10 items-center gap-3 rounded-md px-2 text-sm whitespace-nowrap transition-colors hover:bg-raised sm:gap-4 sm:px-3"
    >
      {allowance.limit > 0 && (
        <span className="hidden items-baseline gap-1.5 sm:flex">
          <span
            data-allowance="remaining"
            className="min-w-[1ch] text-right font-mono font-medium tabular-nums"
          >
            {allowance.remaining}
          </span>
          <span className="text-xs text-muted">{t('free')}</span>
        </span>
      )}
      <span className="sr-only">{t('credits')}</span>
      <span className="flex items-baseline gap-1.5">
        <span
          data-credits="available"
          className="min-w-[3ch] text-right font-mono font-medium tabular-nums"
        >
          {available}
        </span>
        <span className="text-xs text-muted">{t('available')}</span>
      </span>
      <span className="flex items-baseline gap-1.5">
        <span
          data-credits="held"
          className="min-w-[2ch] text-right font-mono font-medium tabular-nums"
        >
          {held}
        </span>
        <span className="text-xs text-muted">{t('held')}</span>
      </span>
    </Link>
  )
}
